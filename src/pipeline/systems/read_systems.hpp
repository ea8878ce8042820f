// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/scenario/scenario.hpp>

#include <filesystem>

namespace rubato::pipeline {

/// Reads an SSP package (an archive, or the folder it is unpacked in), or one of its descriptions.
scenario::Scenario read_ssp(const std::filesystem::path& file, const ReadOptions& options,
                            Diagnostics& diagnostics);

/// Reads a system of the Open Simulation Platform, from its file or its folder.
scenario::Scenario read_osp(const std::filesystem::path& file, const ReadOptions& options,
                            Diagnostics& diagnostics);

/// Reads a project of MasterSim.
scenario::Scenario read_msim(const std::filesystem::path& file, const ReadOptions& options,
                             Diagnostics& diagnostics);

/// Reads a multi-model of Maestro, or a configuration that names one.
scenario::Scenario read_maestro(const std::filesystem::path& file, const ReadOptions& options,
                                Diagnostics& diagnostics);

} // namespace rubato::pipeline
