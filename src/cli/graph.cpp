// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/core/text.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/operation_graph.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <CLI/Validators.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace rubato::cli {
namespace {

using scenario::System;
using synthesis::GraphView;

struct GraphOptions {
    ScenarioOptions scenario;
    pipeline::GraphChoice choice;
    std::filesystem::path output;
};

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
    const pipeline::OperationGraph drawn = pipeline::draw_graph(assembly, options.choice);
    std::filesystem::path output = options.output;
    if (output.empty()) output = assembly.scenario.name + "-graph.svg";
    report::write_diagram(drawn.diagram, output);
    print_summary(drawn.view, drawn.system, output);
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
        command.add_option("--of", options->choice.of, "procedure to draw")->option_text("WHICH");
    of->default_str(options->choice.of)->group(group::output);
    command.restrict_to(of, {"step", "initialization", "event"});
    command
        .add_flag_callback(
            "--event", [options] { options->choice.of = "event"; }, "the same as --of event")
        ->group(group::output);
    command.add_option("--configuration", options->choice.configuration, "configuration to draw")
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
