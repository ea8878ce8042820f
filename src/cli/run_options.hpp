// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "command.hpp"
#include "scenario_options.hpp"

#include <rubato/distributed/federation.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rubato::cli {

/// How a process takes part in an HLA federation.
struct FederationOptions {
    bool is_wanted = false;
    std::string federation;
    std::vector<std::string> units;
    std::string rti;
    double time_limit = 60; ///< [s]
};

/// Options of `rubato run`.
struct RunOptions {
    ScenarioOptions scenario;
    FederationOptions hla;
    std::vector<std::filesystem::path> results; ///< empty: as the scenario says
    bool no_record = false;
    bool profile = false;
    std::optional<double> real_time; ///< simulated seconds per second
    bool explain = false;
    bool quiet = false;
    bool verbose = false;
    bool trust = false;
    bool reference = false;
    bool force = false;
};

/// Runs a scenario in this process, or together with others (null: it is alone). Returns the exit
/// code. `federation`: the same processes, if federates have claimed their units.
int run_scenario(const RunOptions& options, engine::Processes* processes,
                 distributed::Federation* federation = nullptr);

/// --federation, --rti and --time-limit.
void add_federation_options(Command& command, FederationOptions& options);
/// Runs a scenario as the master of a federation. Returns the exit code.
int run_as_master(const RunOptions& options);

} // namespace rubato::cli
