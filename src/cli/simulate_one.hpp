// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/single.hpp>
#include <rubato/unit/rules.hpp>

#include <filesystem>
#include <optional>

namespace rubato::cli {

struct SimulateOptions {
    scenario::SingleRun run;
    std::optional<std::filesystem::path> record_columns_of; ///< a CSV file
    std::optional<std::filesystem::path> output;
    int record_every = 1;
    int intermediate = 0;
    bool no_record = false;
    bool force = false; ///< results may overwrite any file but those that are read
    bool quiet = false;
    bool verbose = false;
    unit::Strictness strictness = unit::Strictness::lenient; ///< with the FMU
};

/// Runs one FMU as a scenario of its own. Returns the exit code.
int simulate_one(const SimulateOptions& options);

} // namespace rubato::cli
