// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/core/text.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/operation_diagram.hpp>
#include <rubato/report/text_table.hpp>

#include <CLI/Validators.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace rubato::cli {
namespace {

using scenario::System;
using synthesis::GraphChoice;
using synthesis::GraphView;

struct GraphOptions {
    ScenarioOptions scenario;
    std::string of = "step";
    std::optional<std::string> configuration;
    std::filesystem::path output;
};

std::size_t find_configuration(const System& system, const std::string& name) {
    std::vector<std::string> names;
    for (const scenario::Configuration& configuration : system.configurations)
        names.push_back(configuration.name);
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    throw InputError(format("there is no configuration \"{}\"", name),
                     names.empty() ? "the scenario has no configurations: omit --configuration"
                                   : suggest(name, names, "its configurations"));
}

GraphChoice choose(const System& system, const GraphOptions& options) {
    GraphChoice choice;
    if (options.configuration)
        choice.configuration = find_configuration(system, *options.configuration);
    if (options.of == "step") return choice;
    if (options.of == "event") {
        choice.procedure = GraphChoice::Procedure::event;
        return choice;
    }
    choice.procedure = GraphChoice::Procedure::initialization;
    if (choice.configuration != 0)
        throw InputError(
            format("configuration \"{}\" has no initialization", *options.configuration),
            format("the system is initialized in the first configuration, \"{}\"",
                   system.configurations.front().name));
    return choice;
}

System configured(const System& system, GraphChoice choice) {
    if (system.configurations.empty()) return system;
    return in_configuration(system, system.configurations[choice.configuration]);
}

std::string subtitle(const pipeline::Assembly& assembly, const GraphOptions& options,
                     GraphChoice choice) {
    const System& system = assembly.orchestration.system;
    const scenario::AlgorithmSettings& settings = assembly.scenario.algorithm;
    std::string text = format("operations of {}, {}",
                              options.of == "step"    ? "a step"
                              : options.of == "event" ? "an event"
                                                      : options.of,
                              to_string(settings.recipe));
    if (settings.recipe == scenario::Recipe::synthesized)
        text += format(" with {} reduction", to_string(settings.reduction));
    if (!system.configurations.empty())
        text += format(", configuration {}", system.configurations[choice.configuration].name);
    return text;
}

void print_summary(const GraphView& view, const System& system,
                   const std::filesystem::path& output) {
    constexpr std::size_t easily_read = 200; // operations
    constexpr std::size_t most_loops = 12;
    if (output.extension() == ".svg" && view.nodes.size() > easily_read)
        print(stderr, format("{} operations are hard to read in one picture\n", view.nodes.size()));
    print(stdout, format("{} and {} in {}\n", report::plural(view.nodes.size(), "operation"),
                         report::plural(view.loops.size(), "loop"), output.string()));
    const std::size_t listed = std::min(view.loops.size(), most_loops);
    for (std::size_t i = 0; i < listed; ++i)
        print(stdout, format("  {}\n", describe(view.loops[i], system)));
    if (listed < view.loops.size())
        print(stdout, format("  and {} more\n", view.loops.size() - listed));
}

int graph(GraphOptions options) {
    ConsoleLog log(LogLevel::warning);
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    options.scenario.ignore_written = true;
    options.scenario.verification = pipeline::Verification::skip; // nothing is run
    const pipeline::Assembly assembly = load_scenario(options.scenario, library, LogLevel::warning);
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    const GraphChoice choice = choose(orchestration.system, options);
    const System system = configured(orchestration.system, choice);
    const GraphView view = view_graph(orchestration.system, orchestration.options, choice);

    report::Diagram diagram = report::draw_operations(view, system);
    diagram.title = assembly.scenario.name;
    diagram.subtitle = subtitle(assembly, options, choice);
    std::filesystem::path output = options.output;
    if (output.empty()) output = assembly.scenario.name + "-graph.svg";
    report::write_diagram(diagram, output);
    print_summary(view, system, output);
    return exit_code::success;
}

} // namespace

void add_graph(Command& program, int& exit_code) {
    auto options = std::make_shared<GraphOptions>();
    Command& command =
        program.add_command("graph", "Draw the operation graph of a step and its loops");
    add_scenario_options(command, options->scenario);
    command
        .add_option("-o,--output", options->output, "drawing (.svg) or input for Graphviz (.dot)")
        ->option_text("FILE.svg|FILE.dot")
        ->default_str("<name>-graph.svg")
        ->group(group::output);
    CLI::Option* const of =
        command.add_option("--of", options->of, "procedure to draw")->option_text("WHICH");
    of->default_str(options->of)->group(group::output);
    command.restrict_to(of, {"step", "initialization", "event"});
    command
        .add_flag_callback(
            "--event", [options] { options->of = "event"; }, "the same as --of event")
        ->group(group::output);
    command.add_option("--configuration", options->configuration, "configuration to draw")
        ->option_text("NAME")
        ->default_str("the first")
        ->group(group::output);
    add_experiment_options(command, options->scenario);
    command.manual.description = {
        "An arrow leads from an operation to an operation that depends on it. Operations that "
        "depend on each other form a loop; it has a frame in the colour of its kind. Dashed arrows "
        "lead to inputs that are guessed so that the loop can start."};
    command.manual.sections = {override_section()};
    command.manual.examples = {
        {"rubato graph crane.yaml -o crane.svg", "Draw the operations of a step."},
        {"rubato graph crane.yaml -o crane.svg --reduction maximum",
         "Draw them with every input of a loop guessed."},
        {"rubato graph crane.yaml -o start.dot --of initialization",
         "Write the graph of the initialization for Graphviz."},
        {"rubato graph clocked.yaml -o event.svg --event",
         "Draw what is exchanged in one instant of an event."}};
    command.callback([options, &exit_code] { exit_code = graph(*options); });
}

} // namespace rubato::cli
