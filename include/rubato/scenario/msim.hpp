// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/scenario/system_files.hpp>

#include <filesystem>

namespace rubato::scenario {

/// Reads a project of MasterSim: `file` of `files`. What is wrong is an error, and what has no
/// counterpart a warning, each with file and line. The scenario has no file: who calls knows it.
Scenario parse_msim(const std::filesystem::path& file, SystemFiles& files,
                    Diagnostics& diagnostics);

} // namespace rubato::scenario
