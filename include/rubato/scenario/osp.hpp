// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/scenario/system_files.hpp>

#include <filesystem>

namespace rubato::scenario {

/// Reads a system structure of the Open Simulation Platform: `file` of `files`, with the
/// OspModelDescription of its FMUs. What is wrong is an error, and what has no counterpart a
/// warning, each with file and line. The scenario has no file: who calls knows it.
Scenario parse_osp(const std::filesystem::path& file, SystemFiles& files, Diagnostics& diagnostics);

} // namespace rubato::scenario
