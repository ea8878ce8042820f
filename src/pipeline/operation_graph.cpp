// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/pipeline/operation_graph.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/operation_diagram.hpp>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace rubato::pipeline {
namespace {

using scenario::System;

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

synthesis::GraphChoice choose(const System& system, const GraphChoice& wanted) {
    using Procedure = synthesis::GraphChoice::Procedure;
    static const std::vector<std::string> procedures = {"step", "initialization", "event"};
    if (std::ranges::find(procedures, wanted.of) == procedures.end())
        throw InputError(format("there is no graph of \"{}\"", wanted.of),
                         suggest(wanted.of, procedures, "there are graphs of"));
    synthesis::GraphChoice choice;
    if (wanted.configuration)
        choice.configuration = find_configuration(system, *wanted.configuration);
    if (wanted.of == "step") return choice;
    choice.procedure = wanted.of == "event" ? Procedure::event : Procedure::initialization;
    if (choice.procedure == Procedure::initialization && choice.configuration != 0)
        throw InputError(
            format("configuration \"{}\" has no initialization", *wanted.configuration),
            format("the system is initialized in the first configuration, \"{}\"",
                   system.configurations.front().name));
    return choice;
}

System configured(const System& system, synthesis::GraphChoice choice) {
    if (system.configurations.empty()) return system;
    return in_configuration(system, system.configurations[choice.configuration]);
}

std::string subtitle(const Assembly& assembly, const GraphChoice& wanted,
                     synthesis::GraphChoice choice) {
    const System& system = assembly.orchestration.system;
    const scenario::AlgorithmSettings& settings = assembly.scenario.algorithm;
    std::string text = format("operations of {}, {}",
                              wanted.of == "step"    ? "a step"
                              : wanted.of == "event" ? "an event"
                                                     : wanted.of,
                              to_string(settings.recipe));
    if (settings.recipe == scenario::Recipe::synthesized)
        text += format(" with {} reduction", to_string(settings.reduction));
    if (!system.configurations.empty())
        text += format(", configuration {}", system.configurations[choice.configuration].name);
    return text;
}

} // namespace

OperationGraph draw_graph(const Assembly& assembly, const GraphChoice& wanted) {
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    const synthesis::GraphChoice choice = choose(orchestration.system, wanted);
    System system = configured(orchestration.system, choice);
    synthesis::GraphView view =
        synthesis::view_graph(orchestration.system, orchestration.options, choice);
    report::Diagram diagram = report::draw_operations(view, system);
    diagram.title = assembly.scenario.name;
    diagram.subtitle = subtitle(assembly, wanted, choice);
    return {std::move(system), std::move(view), std::move(diagram)};
}

report::Diagram draw_system(const Assembly& assembly) {
    report::Diagram diagram;
    diagram.title = assembly.scenario.name;
    diagram.subtitle = "units and connections";
    const System& system = assembly.orchestration.system;
    for (std::size_t u = 0; u < system.units.size(); ++u)
        diagram.boxes.push_back({.label = system.units[u].name,
                                 .caption = assembly.descriptions[u].model,
                                 .hover = assembly.descriptions[u].kind});
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::string>> pairs;
    for (const auto* links : {&system.links, &system.event_links, &system.clock_links})
        for (const scenario::Link& link : *links)
            pairs[{system.port(link.from).unit.value, system.port(link.to).unit.value}].push_back(
                format("{} → {}", system.name_of(link.from), system.name_of(link.to)));
    for (const auto& [pair, names] : pairs)
        diagram.arrows.push_back(
            {.from = pair.first, .to = pair.second, .hover = format("{}", fmt::join(names, "\n"))});
    return diagram;
}

} // namespace rubato::pipeline
