// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/scenario/overrides.hpp>
#include <rubato/unit/library.hpp>

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace rubato::cli {

/// A scenario file and what the command line changes in it.
struct ScenarioOptions {
    std::string file;
    std::vector<scenario::Override> overrides; ///< of options that have names of their own
    std::vector<std::string> settings;         ///< of --set, as typed
    pipeline::Verification verification = pipeline::Verification::perform;
    bool ignore_written = false; ///< derive an algorithm even where the scenario has one
    unit::Strictness strictness = unit::Strictness::lenient; ///< with FMUs
};

/// The file, --set and --strict.
void add_scenario_options(CLI::App& command, ScenarioOptions& options);
/// --step and others of the experiment and the algorithm.
void add_experiment_options(CLI::App& command, ScenarioOptions& options);

/// --strict.
void add_strict_option(CLI::App& command, unit::Strictness& strictness);

/// Text as a YAML scalar that means nothing but itself.
std::string yaml_quoted(std::string_view text);

/// Reads the file and assembles it. All errors together become one InputError; without errors, the
/// warnings and, where `least` lets them, the notes are printed on standard error.
pipeline::Assembly load_scenario(const ScenarioOptions& options, unit::Library& library,
                                 LogLevel least);

} // namespace rubato::cli
