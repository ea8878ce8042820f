// SPDX-License-Identifier: Apache-2.0
#include "check_probe.hpp"
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "platform.hpp"
#include "run_summary.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"
#include "words.hpp"

#include <rubato/core/text.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <iterator>
#include <memory>

namespace rubato::cli {
namespace {

struct CheckOptions {
    ScenarioOptions scenario;
    bool probe = false;
};

using report::Align;
using report::TextTable;
using scenario::System;

void print_block(const Style& style, std::string_view title, const std::string& content) {
    print(stdout, format("{}\n{}\n", style.bold(title), content));
}

std::string source_of(const scenario::Declared&) { return ""; }
std::string source_of(const scenario::FmuFile& fmu) { return fmu.file.filename().string(); }
std::string source_of(const scenario::NativeModel& model) { return model.name; }
std::string source_of(const scenario::Links&) { return "constraints"; }
std::string source_of(const scenario::TableFile& table) { return table.file.filename().string(); }
std::string source_of(const scenario::NestedScenario& nested) {
    return nested.file.empty() ? "inline" : nested.file.filename().string();
}

std::string source_of(const scenario::Unit& unit) {
    return std::visit([](const auto& kind) { return source_of(kind); }, unit.origin);
}

std::string units_text(const pipeline::Assembly& assembly) {
    TextTable table({{"name"},
                     {"source"},
                     {"kind"},
                     {"inputs", Align::right},
                     {"outputs", Align::right},
                     {"capabilities"}});
    const System& system = assembly.orchestration.system;
    for (std::size_t i = 0; i < system.units.size(); ++i) {
        const scenario::SystemUnit& unit = system.units[i];
        const scenario::Unit& written = assembly.scenario.units[i];
        const scenario::UnitDescription& description = assembly.descriptions[i];
        std::string abilities = capabilities_text(description.capabilities);
        if (unit.can_reject_step)
            abilities += format(", reject a step ({})", origin_text(unit.can_reject_origin));
        if (written.step)
            abilities +=
                format("{}own step {} s", abilities.empty() ? "" : ", ", shortest(*written.step));
        table.add({unit.name, source_of(written), description.kind,
                   std::to_string(unit.inputs.size()), std::to_string(unit.outputs.size()),
                   abilities});
    }
    return table.to_string();
}

std::string scaling_text(const scenario::Link& link) {
    std::string text;
    if (link.factor != 1) text += "× " + shortest(link.factor);
    if (link.offset != 0)
        text += format("{}{} {}", text.empty() ? "" : " ", link.offset < 0 ? "−" : "+",
                       shortest(std::abs(link.offset)));
    return text;
}

/// Scaling, then the conversion of the type.
std::string conversion_text(const System& system, const scenario::Link& link) {
    const std::string scaling = scaling_text(link);
    const std::string change =
        type_conversion_text(link, system.port(link.from).type, system.port(link.to).type);
    return scaling + (scaling.empty() || change.empty() ? "" : ", ") + change;
}

std::string connections_text(const pipeline::Assembly& assembly) {
    const System& system = assembly.orchestration.system;
    TextTable table({{""}, {""}, {""}});
    for (const scenario::Link& link : system.links)
        table.add({system.name_of(link.from), "→ " + system.name_of(link.to),
                   conversion_text(system, link)});
    for (const scenario::Link& link : system.event_links) {
        const std::string scaling = conversion_text(system, link);
        table.add({system.name_of(link.from), "→ " + system.name_of(link.to),
                   scaling + (scaling.empty() ? "" : ", ") + "at events"});
    }
    for (const scenario::Link& link : system.clock_links)
        table.add({system.name_of(link.from), "→ " + system.name_of(link.to), "clock"});
    return table.empty() ? "  none\n" : table.to_string();
}

std::string source_of(const System& system, PortId input) {
    for (const auto* links : {&system.links, &system.event_links}) {
        const auto link = std::ranges::find(*links, input, &scenario::Link::to);
        if (link != links->end()) return "from " + system.name_of(link->from);
    }
    return "not connected";
}

std::string inputs_text(const System& system) {
    TextTable table({{"input"}, {"type"}, {"source"}, {"contract"}, {"approximation"}});
    for (std::size_t i = 0; i < system.ports.size(); ++i) {
        const PortId id = nth<PortId>(i);
        const scenario::Port& port = system.port(id);
        if (port.direction != scenario::Direction::input || port.is_clock()) continue;
        const bool interpolates = port.reactivity == scenario::Reactivity::reactive &&
                                  port.approximation != scenario::Approximation::constant;
        table.add(
            {system.name_of(id), std::string(to_string(port.type)), source_of(system, id),
             format("{} ({})", to_string(port.reactivity), origin_text(port.reactivity_origin)),
             format("{}{}", to_string(port.approximation), interpolates ? ", interpolating" : "")});
    }
    return table.empty() ? "  none\n" : table.to_string();
}

std::string names_of(const System& system, const std::vector<PortId>& ports) {
    std::string names;
    for (const PortId id : ports) names += (names.empty() ? "" : ", ") + system.port(id).name;
    return names.empty() ? "nothing" : names;
}

std::string outputs_text(const System& system) {
    TextTable table({{"output"}, {"type"}, {"feed-through from"}, {"at initialization"}, {""}});
    for (std::size_t i = 0; i < system.ports.size(); ++i) {
        const PortId id = nth<PortId>(i);
        const scenario::Port& port = system.port(id);
        if (port.direction != scenario::Direction::output || port.is_clock()) continue;
        table.add({system.name_of(id), std::string(to_string(port.type)),
                   names_of(system, port.feedthrough), names_of(system, port.feedthrough_initial),
                   format("({})", origin_text(port.feedthrough_origin))});
    }
    return table.empty() ? "  none\n" : table.to_string();
}

void collect_loops(const algorithm::Body& body, std::vector<const algorithm::FixedPoint*>& loops) {
    for (const algorithm::Op& op : body) {
        if (const auto* loop = std::get_if<algorithm::FixedPoint>(&op)) {
            loops.push_back(loop);
            collect_loops(loop->iterate, loops);
        } else if (const auto* negotiation = std::get_if<algorithm::Negotiate>(&op)) {
            collect_loops(negotiation->iterate, loops);
        } else if (const auto* section = std::get_if<algorithm::Parallel>(&op)) {
            for (const algorithm::Body& branch : section->bodies) collect_loops(branch, loops);
        }
    }
}

std::string loops_text(const System& system, std::string_view when, const algorithm::Body& body) {
    std::vector<const algorithm::FixedPoint*> loops;
    collect_loops(body, loops);
    if (loops.empty()) return format("  {}: none\n", when);
    std::string text;
    for (const algorithm::FixedPoint* loop : loops) {
        std::string names;
        for (const PortId id : loop->ports)
            names += (names.empty() ? "" : ", ") + system.name_of(id);
        const auto& until = loop->until;
        const std::string how =
            until.iterations
                ? format("iterated {}",
                         report::plural(static_cast<std::uint64_t>(*until.iterations), "time"))
                : format("iterated until converged, at most {}",
                         report::plural(static_cast<std::uint64_t>(until.limit), "time"));
        text += format("  {}: {} ({})\n", when, names, how);
    }
    return text;
}

std::string all_loops_text(const System& system, const algorithm::Algorithm& algorithm) {
    std::string text = loops_text(system, "at initialization", algorithm.initialization);
    const bool is_only = algorithm.steps.size() == 1;
    for (const algorithm::Procedure& step : algorithm.steps)
        text += loops_text(system, is_only ? "in each step" : "in step " + step.name, step.body);
    for (const algorithm::Procedure& event : algorithm.events)
        text += loops_text(
            system, algorithm.events.size() == 1 ? "at events" : "at events in " + event.name,
            event.body);
    return text;
}

std::string remarks_text(const std::vector<std::string>& remarks) {
    std::string text;
    for (const std::string& remark : remarks) text += format("  {}\n", remark);
    return text;
}

/// Uses a separate library with a silent log: messages of units about trial values would mislead.
/// The findings name the reason if a unit fails.
void probe_units(const pipeline::Assembly& assembly) {
    unit::Library library(silent_log());
    pipeline::add_native_models(library);
    check_by_probing(assembly, library);
}

/// What acts on what at once, of a scenario that is a unit.
std::string paths_text(const composite::Interface& interface) {
    std::string text;
    for (const composite::FeedthroughPath& path : interface.feedthrough)
        text += format("  feeds through: {}\n", path.text);
    return text.empty() ? "  no input feeds through to an output\n" : text;
}

void print_parts(const pipeline::Assembly& assembly, const Style& style) {
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    const System& system = orchestration.system;
    print_block(style, "Units", units_text(assembly));
    print_block(style, "Connections", connections_text(assembly));
    print_block(style, "Inputs", inputs_text(system));
    print_block(style, "Outputs", outputs_text(system));
    print_block(style, "Algebraic loops", all_loops_text(system, orchestration.algorithm));
    if (!orchestration.remarks.empty())
        print_block(style, "Derivations and assumptions", remarks_text(orchestration.remarks));
}

void print_nested(const pipeline::Assembly& assembly, const Style& style) {
    for (const auto& nested : assembly.nested) {
        if (!nested) continue;
        const pipeline::Assembly& inner = nested->assembly;
        const scenario::Experiment& experiment = inner.scenario.experiment;
        print(stdout,
              format("{} in {}, by {}\n\n", style.bold(inner.path.substr(0, inner.path.size() - 1)),
                     experiment.open.step ? std::string("one step for each step of the whole")
                                          : format("steps of {} s", shortest(experiment.step)),
                     algorithm_name(inner)));
        print_block(style, "Feed-through", paths_text(nested->interface));
        print_parts(inner, style);
        print_nested(inner, style);
    }
}

void print_assembly(const pipeline::Assembly& assembly) {
    const scenario::Experiment& experiment = assembly.scenario.experiment;
    const Style style(stdout);
    print(stdout,
          format("{} from {} to {} s in steps of {} s, by {}\n\n",
                 style.bold(assembly.scenario.name), shortest(experiment.start),
                 shortest(experiment.stop), shortest(experiment.step), algorithm_name(assembly)));
    if (const std::string text = to_text(assembly.assumed); !text.empty())
        print_block(style, "Assumptions about the experiment", "  " + text + "\n");
    print_parts(assembly, style);
    print_nested(assembly, style);
}

/// Why units of a correct scenario cannot run on this machine.
std::vector<std::string> obstacles_to_run(const pipeline::Assembly& assembly) {
    std::vector<std::string> obstacles;
    for (const auto& nested : assembly.nested)
        if (nested)
            std::ranges::copy(obstacles_to_run(nested->assembly), std::back_inserter(obstacles));
    for (std::size_t u = 0; u < assembly.scenario.units.size(); ++u) {
        const scenario::Unit& unit = assembly.scenario.units[u];
        const scenario::UnitDescription& description = assembly.descriptions[u];
        if (unit.is_only_declared())
            obstacles.push_back(format("unit \"{}\" is only declared; give it an FMU or a native "
                                       "model",
                                       assembly.path + unit.name));
        else if (std::holds_alternative<scenario::FmuFile>(unit.origin) && !runs_here(description))
            obstacles.push_back(format("the FMU of unit \"{}\" has no binary for this machine; it "
                                       "has {}",
                                       assembly.path + unit.name,
                                       description.platforms.empty()
                                           ? std::string("none")
                                           : format("{}", fmt::join(description.platforms, ", "))));
    }
    return obstacles;
}

int check(const CheckOptions& options) {
    ConsoleLog log(LogLevel::warning);
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    const pipeline::Assembly assembly = load_scenario(options.scenario, library, LogLevel::info);
    print_assembly(assembly);
    if (options.probe) probe_units(assembly);
    const std::vector<std::string> obstacles = obstacles_to_run(assembly);
    if (obstacles.empty()) print(stdout, format("{} can be run\n", options.scenario.file));
    for (const std::string& obstacle : obstacles)
        print(stdout, format("{} cannot be run: {}\n", options.scenario.file, obstacle));
    return exit_code::success;
}

} // namespace

void add_check(Command& program, int& exit_code) {
    auto options = std::make_shared<CheckOptions>();
    Command& command =
        program.add_command("check", "Show how Rubato reads a scenario, and every error in it");
    add_scenario_options(command, options->scenario);
    add_experiment_options(command, options->scenario);
    command
        .add_flag("--probe", options->probe,
                  "load and initialize the units and run up to 100 steps; change each input, show "
                  "which outputs change at once, and compare with the declared contracts")
        ->group(group::accuracy);
    command.manual.sections = {override_section()};
    command.manual.examples = {
        {"rubato check crane.yaml", "Show units, connections, contracts, loops and errors."},
        {"rubato check crane.yaml --probe", "Test the declared feed-through with the FMUs."},
        {"rubato check crane.yaml --algorithm iterated-gauss-seidel",
         "Check the scenario for another algorithm."}};
    command.manual.exit_codes = {
        {"0", "no errors"},
        {"2", "the scenario has errors, or --probe found that a contract is wrong"},
        {"3", "it is not decided whether the algorithm is correct"}};
    command.callback([options, &exit_code] { exit_code = check(*options); });
}

} // namespace rubato::cli
