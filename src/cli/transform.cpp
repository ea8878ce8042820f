// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "problems.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/core/text.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/results_target.hpp>
#include <rubato/pipeline/transform.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <memory>

namespace rubato::cli {
namespace {

namespace fs = std::filesystem;

struct TransformOptions {
    ScenarioOptions scenario;
    std::string target = "-";
    std::vector<std::string> only;
    bool explain = false;
    bool force = false;
};

std::vector<transform::Concern> chosen_concerns(const std::vector<std::string>& names) {
    std::vector<transform::Concern> concerns;
    for (const std::string& name : names.empty() ? transform::concern_names() : names) {
        const auto concern = transform::find_concern(name);
        if (!concern)
            throw InputError(format("--only: there is no concern \"{}\"", name),
                             suggest(name, transform::concern_names(), "the concerns"));
        concerns.push_back(*concern);
    }
    return concerns;
}

std::string explanation(const pipeline::Transformed& transformed) {
    std::string text;
    for (const pipeline::TransformStage& stage : transformed.stages) {
        text += format("{}\n", to_string(stage.transformation->concern));
        if (!stage.is_present) text += "  nothing to do\n";
        for (const std::string& line : stage.explanation) text += format("  {}\n", line);
        if (stage.is_present)
            text += format("  before: {}\n  after: {}\n", stage.transformation->precondition,
                           stage.transformation->postcondition);
    }
    const transform::Size &before = transformed.before, &after = transformed.after;
    text += format("size\n  units {}, artificial units {} -> {}, connections {} -> {}, levels {} "
                   "-> {}\n",
                   after.units, before.artificial, after.artificial, before.connections,
                   after.connections, before.levels, after.levels);
    return text;
}

/// Nothing is replaced that somebody may need.
void check_target(const TransformOptions& options) {
    std::error_code absent;
    if (!fs::exists(options.target, absent)) return;
    if (fs::equivalent(options.target, options.scenario.file, absent))
        throw InputError(format("{} is the scenario itself", options.target),
                         "write to another file");
    if (!options.force)
        throw InputError(format("{} exists already", options.target),
                         "give another name, or --force to replace it");
}

int transform_file(const TransformOptions& options) {
    const std::vector<transform::Concern> concerns = chosen_concerns(options.only);
    const bool to_standard_output = pipeline::is_standard_output(options.target);
    if (!to_standard_output) check_target(options);
    ConsoleLog log(LogLevel::warning);
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    Diagnostics diagnostics;
    const scenario::Scenario scenario = read_scenario(options.scenario, library);
    const auto transformed = pipeline::transform_scenario(scenario, library, concerns, diagnostics);
    throw_errors(diagnostics, options.scenario.file);
    const fs::path folder =
        to_standard_output ? fs::path() : fs::path(options.target).parent_path();
    const std::string text =
        pipeline::transformed_yaml(*transformed, options.scenario.file, folder);
    if (to_standard_output)
        print(stdout, text);
    else
        files::write_atomically(options.target, text);
    if (options.explain) print(to_standard_output ? stderr : stdout, explanation(*transformed));
    return exit_code::success;
}

} // namespace

void add_transform(Command& program, int& exit_code) {
    auto options = std::make_shared<TransformOptions>();
    Command& command = program.add_command(
        "transform", "Rewrite a scenario so that the simplest algorithm, Jacobi, suffices");
    add_scenario_options(command, options->scenario);
    add_experiment_options(command, options->scenario);
    command.add_option("-o,--output", options->target, "scenario to write; -: standard output")
        ->option_text("FILE.yaml")
        ->default_str(options->target)
        ->group(group::output);
    CLI::Option* const only =
        command.add_option("--only", options->only, "concerns to deal with, separated by commas");
    only->delimiter(',')->option_text("CONCERNS")->default_str("all")->group(group::output);
    command.set_choices(only, transform::concern_names());
    command.add_flag("--explain", options->explain, "print what was done and why")
        ->group(group::output);
    command.add_flag("--force", options->force, "replace a file that exists")->group(group::output);
    command.manual.description = {
        "The result is an ordinary scenario with the same results. Artificial units and composites "
        "do what the algorithm had to do before."};
    command.manual.sections = {
        {"Concerns",
         {"Each is dealt with if it is there, in this order."},
         {{"causality", "constraints become units that compute inputs"},
          {"loops", "the units of a loop become a composite that solves it"},
          {"accuracy", "step control becomes a unit that gives the communication step"},
          {"communication",
           "the units of a machine become a composite with small steps of its own"}}},
        override_section()};
    command.manual.examples = {
        {"rubato transform crane.yaml -o trivial.yaml", "Write the transformed scenario."},
        {"rubato transform crane.yaml --only loops --explain",
         "Lift loops only, print the scenario and what was done."}};
    command.callback([options, &exit_code] { exit_code = transform_file(*options); });
}

} // namespace rubato::cli
