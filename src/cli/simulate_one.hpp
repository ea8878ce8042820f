// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/single.hpp>
#include <rubato/unit/rules.hpp>

#include <filesystem>
#include <optional>
#include <vector>

namespace rubato::cli {

struct SimulateOptions {
    scenario::SingleRun run;
    std::optional<std::filesystem::path> record_columns_of; ///< a results file
    std::vector<std::filesystem::path> output;              ///< empty: results/<name>.csv
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
