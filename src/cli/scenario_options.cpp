// SPDX-License-Identifier: Apache-2.0
#include "scenario_options.hpp"

#include "problems.hpp"

#include <rubato/core/text.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/overrides.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/flatten.hpp>
#include <rubato/scenario/words.hpp>

#include <span>

namespace rubato::cli {
namespace {

/// Of options and --set, which override files of --parameters.
std::vector<scenario::Override> typed_overrides(const ScenarioOptions& options) {
    std::vector<scenario::Override> overrides = options.overrides;
    for (const std::string& text : options.settings)
        overrides.push_back(pipeline::parse_override(text));
    return overrides;
}

void apply_overrides(const ScenarioOptions& options, std::span<const scenario::Override> typed,
                     scenario::Scenario& scenario, unit::Library& library,
                     Diagnostics& diagnostics) {
    for (const std::filesystem::path& file : options.parameters)
        pipeline::apply(pipeline::read_parameters(file, scenario, library, diagnostics), scenario,
                        library, diagnostics);
    pipeline::apply(typed, scenario, library, diagnostics);
}

} // namespace

std::string yaml_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

void add_scenario_options(Command& command, ScenarioOptions& options) {
    command
        .add_option("scenario", options.file,
                    "scenario file, or a system of another tool; - reads it from standard input")
        ->required()
        ->option_text("FILE.yaml|.conf|.ssp|.ssd|.msim|.json|.xml");
    command
        .add_option("--set", options.settings,
                    "override any setting (experiment.step=0.1), or a parameter or start value of "
                    "a unit (msd1.m=2)")
        ->option_text("PATH=VALUE")
        ->take_all()
        ->allow_extra_args(false)
        ->group(group::experiment);
    command
        .add_option(
            "--parameters", options.parameters,
            "file of values for settings, parameters and start values, named as for --set: "
            "a map in YAML, rows name,value in CSV, or a parameter set of SSP; --set overrides "
            "it")
        ->option_text("FILE.yaml|.csv|.ssv")
        ->take_all()
        ->allow_extra_args(false)
        ->group(group::experiment);
    command
        .add_option("--variant", options.variant,
                    "description to read of an SSP package that has several")
        ->option_text("NAME.ssd")
        ->default_str("SystemStructure.ssd")
        ->group(group::experiment);
    add_strict_option(command, options.strictness);
}

void add_strict_option(Command& command, unit::Strictness& strictness) {
    command
        .add_flag_callback(
            "--strict", [&strictness] { strictness = unit::Strictness::strict; },
            "reject FMUs that violate the FMI standard (see rubato validate), and stop at recorded "
            "values that are NaN or infinite")
        ->group(group::accuracy);
}

namespace {

template <class Enum>
std::vector<std::string> choices() {
    std::vector<std::string> texts;
    for (const auto& word : scenario::words<Enum>()) texts.emplace_back(word.text);
    return texts;
}

/// Adds options that override a setting of the scenario.
class SettingOptions {
public:
    SettingOptions(Command& command, ScenarioOptions& options, const char* group)
        : command_(command), options_(options), group_(group) {}

    CLI::Option* add(const char* name, const char* path, const char* argument, const char* text,
                     const std::string& default_value) {
        auto* option = command_.add_option_function<std::string>(
            name,
            [&options = options_, path](const std::string& value) {
                options.overrides.push_back({path, value});
            },
            text);
        return option->option_text(argument)->default_str(default_value)->group(group_);
    }

    template <class Enum>
    void add_choice(const char* name, const char* path, const char* argument, const char* text,
                    Enum default_value) {
        const CLI::Option* const option =
            add(name, path, argument, text, std::string(to_string(default_value)));
        command_.set_choices(option, choices<Enum>());
    }

private:
    Command& command_;
    ScenarioOptions& options_;
    const char* group_;
};

void add_algorithm_options(Command& command, ScenarioOptions& options) {
    const scenario::AlgorithmSettings defaults;
    SettingOptions settings(command, options, group::algorithm);
    settings.add_choice("--algorithm", "algorithm.recipe", "RECIPE", "orchestration algorithm",
                        defaults.recipe);
    command
        .add_option_function<std::vector<std::string>>(
            "--order",
            [&options](const std::vector<std::string>& names) {
                options.overrides.push_back(
                    {"algorithm.order", format("[{}]", fmt::join(names, ", "))});
            },
            "order in which Gauss-Seidel steps the units")
        ->delimiter(',')
        ->option_text("A,B")
        ->allow_extra_args(false)
        ->default_str("derived from the connections")
        ->group(group::algorithm);
    settings.add("--iterations", "algorithm.iterations", "N", "fixed number of iterations per step",
                 "iterate until converged");
    settings.add_choice("--loops", "loops.method", "METHOD", "solver for loops between units",
                        scenario::LoopSettings().method);
    settings.add_choice("--reduction", "algorithm.reduction", "WHICH",
                        "number of inputs to guess in a synthesized loop", defaults.reduction);
    settings.add("--threads", "algorithm.threads", "N",
                 "number of threads for units that may step at the same time; the results do not "
                 "depend on it",
                 std::to_string(defaults.threads));
}

} // namespace

void add_experiment_options(Command& command, ScenarioOptions& options) {
    command
        .add_flag("--flatten", options.flatten,
                  "make the units of scenarios within this one its own, if their steps and "
                  "algorithms allow that")
        ->group(group::algorithm);
    const scenario::Experiment experiment;
    const scenario::StepControlSettings control;
    SettingOptions times(command, options, group::experiment);
    times.add("--start", "experiment.start", "T", "start time [s]",
              format("earliest that the FMUs suggest, else {}", shortest(experiment.start)));
    times.add("--stop", "experiment.stop", "T", "stop time [s]",
              format("latest that the FMUs suggest, else {}", shortest(experiment.stop)));
    times.add("--step", "experiment.step", "H", "communication step size [s]",
              format("smallest that the FMUs suggest, else {}", shortest(experiment.step)));
    add_algorithm_options(command, options);
    SettingOptions accuracy(command, options, group::accuracy);
    accuracy.add_choice("--step-control", "step-control.controller", "CONTROLLER",
                        "step size control", control.controller);
    accuracy.add("--step-tolerance", "step-control.tolerance", "R",
                 "tolerance of step size control: error of exchanged values relative to their size",
                 shortest(control.tolerance));
    accuracy.add("--minimum-step", "experiment.minimum-step", "H",
                 "smallest step size that units may force by rejecting steps [s]",
                 "1e-9 times the step size");
    accuracy.add("--tolerance", "experiment.tolerance", "R",
                 "relative tolerance for the solvers inside the units",
                 "smallest that the FMUs suggest");
}

Section override_section() {
    return {"Scenario file and options",
            {"Options of the groups Experiment, Algorithm and Accuracy override the scenario file. "
             "The defaults shown apply where the file does not set a value."},
            {}};
}

scenario::Scenario read_scenario(const ScenarioOptions& options, unit::Library& library) {
    Diagnostics diagnostics;
    return read_scenario(options, library, diagnostics);
}

scenario::Scenario read_scenario(const ScenarioOptions& options, unit::Library& library,
                                 Diagnostics& diagnostics) {
    const std::vector<scenario::Override> typed = typed_overrides(options);
    scenario::Scenario scenario =
        pipeline::read(options.file, diagnostics, {.variant = options.variant});
    if (options.ignore_written) scenario.written.reset();
    if (!scenario.units.empty()) apply_overrides(options, typed, scenario, library, diagnostics);
    throw_errors(diagnostics, options.file);
    return scenario;
}

pipeline::Assembly load_scenario(const ScenarioOptions& options, unit::Library& library,
                                 LogLevel least) {
    Diagnostics diagnostics;
    scenario::Scenario scenario = read_scenario(options, library, diagnostics);
    if (options.flatten) {
        scenario = scenario::flatten(scenario, diagnostics);
        throw_errors(diagnostics, options.file);
    }
    pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics, options.verification);
    if (assembly.verdict && assembly.verdict->outcome() == algorithm::Outcome::not_decided)
        throw NotDecided(InputError(diagnostics.all()).what());
    throw_errors(diagnostics, options.file);
    print_remarks(diagnostics, least);
    return assembly;
}

} // namespace rubato::cli
