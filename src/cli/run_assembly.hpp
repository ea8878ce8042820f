// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>
#include <rubato/distributed/foreign.hpp>
#include <rubato/engine/processes.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/unit/library.hpp>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rubato::cli {

/// What a run prints and writes.
struct RunOutput {
    std::vector<std::filesystem::path> results; ///< empty: nothing is recorded
    std::string plain_unit; ///< columns of this unit are named by the variable alone
    bool quiet = false;
    bool strict = false;    ///< values that are not finite stop the run
    bool force = false;     ///< results may overwrite any file that the run does not read
    bool trust = false;     ///< show the details of the accuracy verdict
    bool reference = false; ///< repeat with smaller steps and show the estimated errors
    bool profile = false;   ///< measure and show the wall time of each unit
    std::optional<double> real_time = {};   ///< simulated seconds per second; none: no pacing
    std::FILE* summary = stdout;            ///< where the summary goes, and results that go to "-"
    engine::Processes* processes = nullptr; ///< that run it together; null: this one does alone
    std::vector<std::uint32_t> placement;   ///< of units on them: ranks, by unit
    /// What is exchanged with federates of other tools; null: nothing is.
    distributed::ForeignExchange* foreign = nullptr;

    /// Whether this process prints and writes.
    bool is_first() const { return !processes || processes->rank() == 0; }
};

/// What help says of the option that names results files.
std::string results_option_text();

/// Builds and runs a scenario until the end, an error or an interrupt; shows progress, writes the
/// results and prints a summary. Returns the exit code. Rethrows errors after closing the results.
int run_assembly(const pipeline::Assembly& assembly, unit::Library& library,
                 const RunOutput& output, Log& log);

} // namespace rubato::cli
