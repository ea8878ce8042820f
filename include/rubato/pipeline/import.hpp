// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/formats.hpp>

#include <filesystem>
#include <vector>

namespace rubato::pipeline {

struct ImportSettings {
    std::filesystem::path target; ///< the scenario, in YAML
    ReadOptions read;
    bool overwrite = false; ///< files that exist
};

/// What was imported.
struct Imported {
    scenario::Scenario scenario;
    std::vector<std::filesystem::path> copied; ///< out of archives, next to the scenario
};

/// Writes a system of another tool as a scenario. Files that are packed are stored in a folder next
/// to it, named like it; others are named where they are. What has no exact counterpart is a comment
/// at the head of the file, and goes to `diagnostics`. Throws InputError when files must not be
/// written, and Error when they cannot be. With errors among the problems nothing is written, and
/// the result is nullopt.
std::optional<Imported> import_system(const std::filesystem::path& system,
                                      const ImportSettings& settings, Diagnostics& diagnostics);

} // namespace rubato::pipeline
