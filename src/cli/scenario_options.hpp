// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "command.hpp"

#include <rubato/core/log.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/scenario/overrides.hpp>
#include <rubato/unit/library.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace rubato::cli {

/// A scenario file and the settings that the command line overrides.
struct ScenarioOptions {
    std::string file;
    std::string variant;                                ///< of an SSP package; empty: the default
    std::vector<scenario::Override> overrides;          ///< of options such as --step
    std::vector<std::string> settings;                  ///< of --set, as typed
    std::vector<std::filesystem::path> parameters = {}; ///< files of values
    pipeline::Verification verification = pipeline::Verification::perform;
    bool flatten = false;        ///< units of scenarios within it become its own
    bool ignore_written = false; ///< synthesize an algorithm even if the scenario contains one
    unit::Strictness strictness = unit::Strictness::lenient; ///< with FMUs
};

/// The file, --set, --parameters and --strict.
void add_scenario_options(Command& command, ScenarioOptions& options);
/// The groups Experiment, Algorithm and Accuracy.
void add_experiment_options(Command& command, ScenarioOptions& options);

/// Explains how options and scenario file work together.
Section override_section();

/// --strict.
void add_strict_option(Command& command, unit::Strictness& strictness);

/// Text as a quoted YAML scalar.
std::string yaml_quoted(std::string_view text);

/// Reads a scenario and applies the overrides. Throws all errors as one InputError.
scenario::Scenario read_scenario(const ScenarioOptions& options, unit::Library& library);
/// The same; warnings and notes go to `diagnostics`.
scenario::Scenario read_scenario(const ScenarioOptions& options, unit::Library& library,
                                 Diagnostics& diagnostics);

/// Reads and assembles a scenario. Throws all errors as one InputError. Without errors, prints the
/// warnings, and the notes if `least` allows, to standard error.
pipeline::Assembly load_scenario(const ScenarioOptions& options, unit::Library& library,
                                 LogLevel least);

} // namespace rubato::cli
