// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/scenario.hpp>

#include <filesystem>
#include <span>
#include <vector>

namespace rubato::pipeline {

/// Whether a file name stands for standard output: "-", "/dev/stdout".
bool is_standard_output(const std::filesystem::path& file);

/// Whether results of a run may replace what is there already.
enum class Overwrite { earlier_results, anything };

/// The files that a run writes for this one of its results: itself, its metadata, its events.
std::vector<std::filesystem::path> files_of_results(const std::filesystem::path& results);

/// Throws InputError where results must not go: to a file of unknown format, to the same file
/// twice, to a file that the run reads, or, unless anything may be overwritten, to one that exists
/// and does not hold earlier results of the same scenario. The files that would be written next to
/// them are checked, too. Devices and pipes may be anything.
void check_results_targets(std::span<const std::filesystem::path> results,
                           std::span<const std::filesystem::path> inputs,
                           const scenario::Scenario& scenario, Overwrite overwrite);

} // namespace rubato::pipeline
