// SPDX-License-Identifier: Apache-2.0
#include "scenario_options.hpp"

#include "problems.hpp"

#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/overrides.hpp>
#include <rubato/private/format.hpp>

namespace rubato::cli {
namespace {

std::vector<scenario::Override> all_overrides(const ScenarioOptions& options) {
    std::vector<scenario::Override> overrides = options.overrides;
    for (const std::string& text : options.settings)
        overrides.push_back(pipeline::parse_override(text));
    return overrides;
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

void add_scenario_options(CLI::App& command, ScenarioOptions& options) {
    command.add_option("scenario", options.file, "the scenario; - reads it from standard input")
        ->required()
        ->option_text("FILE.yaml|FILE.conf");
    command
        .add_option("--set", options.settings,
                    "change any setting: experiment.step=0.1, or a value of a unit: msd1.m=2")
        ->option_text("PATH=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    add_strict_option(command, options.strictness);
}

void add_strict_option(CLI::App& command, unit::Strictness& strictness) {
    command.add_flag_callback(
        "--strict", [&strictness] { strictness = unit::Strictness::strict; },
        "refuse FMUs that break the standard anywhere (see rubato validate), and stop at recorded "
        "values that are NaN or infinite");
}

void add_experiment_options(CLI::App& command, ScenarioOptions& options) {
    const auto add = [&](const char* name, const char* path, const char* help, const char* type) {
        auto* option = command.add_option_function<std::string>(
            name,
            [&options, path](const std::string& value) {
                options.overrides.push_back({path, value});
            },
            help);
        option->option_text(type)->group("Settings");
    };
    add("--algorithm", "algorithm.recipe",
        "synthesized, jacobi, gauss-seidel, iterated-jacobi, iterated-gauss-seidel, "
        "adaptive-gauss-seidel, waveform-jacobi or waveform-gauss-seidel",
        "RECIPE");
    add("--reduction", "algorithm.reduction",
        "inputs that a synthesized loop guesses: minimum or maximum", "WHICH");
    command
        .add_option_function<std::vector<std::string>>(
            "--order",
            [&options](const std::vector<std::string>& names) {
                options.overrides.push_back(
                    {"algorithm.order", format("[{}]", fmt::join(names, ", "))});
            },
            "units in the order in which Gauss-Seidel steps them")
        ->delimiter(',')
        ->option_text("A,B")
        ->allow_extra_args(false)
        ->group("Settings");
    add("--iterations", "algorithm.iterations", "iterate exactly so often", "N");
    add("--loops", "loops.method",
        "how loops are solved: automatic, plain, relaxed, aitken, iqn-ils or newton", "METHOD");
    add("--threads", "algorithm.threads",
        "let units that nothing orders step at the same time, on so many threads", "N");
    add("--step", "experiment.step", "communication step [s]", "H");
    add("--step-control", "step-control.controller",
        "adapt the step: fixed, richardson, predictor, energy or divergence", "CONTROLLER");
    add("--step-tolerance", "step-control.tolerance",
        "of step control: error of exchanged values beside their size", "R");
    add("--minimum-step", "experiment.minimum-step", "shortest step that units may force [s]", "H");
    add("--start", "experiment.start", "time at which to start [s]", "T");
    add("--stop", "experiment.stop", "time at which to stop [s]", "T");
    add("--tolerance", "experiment.tolerance", "relative tolerance for the units' own solvers",
        "R");
}

pipeline::Assembly load_scenario(const ScenarioOptions& options, unit::Library& library,
                                 LogLevel least) {
    Diagnostics diagnostics;
    const std::vector<scenario::Override> overrides = all_overrides(options);
    scenario::Scenario scenario = pipeline::read(options.file, diagnostics);
    if (options.ignore_written) scenario.written.reset();
    if (!scenario.units.empty()) pipeline::apply(overrides, scenario, library, diagnostics);
    throw_errors(diagnostics, options.file);
    pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics, options.verification);
    if (assembly.verdict && assembly.verdict->outcome() == algorithm::Outcome::not_decided)
        throw NotDecided(InputError(diagnostics.all()).what());
    throw_errors(diagnostics, options.file);
    print_remarks(diagnostics, least);
    return assembly;
}

} // namespace rubato::cli
