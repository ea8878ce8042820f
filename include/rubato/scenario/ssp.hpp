// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/scenario/system_files.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace rubato::scenario {

/// The name of the description that every SSP package has.
inline constexpr std::string_view default_ssd = "SystemStructure.ssd";

/// Reads a system structure description (SSP 1.0 and 2.0): `file` of `files`. Nested systems become
/// scenarios within the scenario. What is wrong is an error, and what has no counterpart a warning,
/// each with file and line. The scenario has no file: who calls knows it.
Scenario parse_ssd(const std::filesystem::path& file, SystemFiles& files, Diagnostics& diagnostics);

/// The description with a scenario in an annotation. Who reads it gets that scenario, unless another
/// tool has changed the description since.
std::string with_scenario(std::string description, const std::string& yaml);

} // namespace rubato::scenario
