// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/private/format.hpp>

#include <unordered_set>
#include <utility>

namespace rubato::scenario {

namespace {

/// Which inputs a contract is about. Empty: there are none, which has been reported.
std::vector<PortId> find_inputs(Resolver& resolver,
                                const ConfigurationSettings::Contract& contract) {
    const auto unit = resolver.find_unit(contract.unit);
    if (!unit) {
        resolver.report_unknown_unit(contract.where, contract.unit);
        return {};
    }
    std::vector<PortId> ports = resolver.find_ports(*unit, contract.input, Direction::input);
    if (ports.empty()) {
        resolver.report_unknown_variable(
            contract.where, *unit, contract.input, "input",
            [](const Variable& v) { return v.causality == Causality::input; });
    }
    return ports;
}

} // namespace

std::optional<PortId> find_compared(Resolver& resolver, const Condition& condition) {
    const auto unit = resolver.find_unit(condition.unit);
    if (!unit) {
        resolver.report_unknown_unit(condition.where, condition.unit);
        return std::nullopt;
    }
    const auto ports = resolver.find_ports(*unit, condition.output, Direction::output);
    if (ports.empty()) {
        resolver.report_unknown_variable(
            condition.where, *unit, condition.output, "output",
            [](const Variable& v) { return v.causality == Causality::output; });
        return std::nullopt;
    }
    const Port& port = resolver.system.port(ports.front());
    const bool is_text = storage_of(port.type) == Storage::string;
    if (is_text || ports.size() > 1 || port.part.count > 1) {
        resolver.diagnostics.error(
            condition.where,
            format("{}.{} is {}, which a condition cannot compare", condition.unit,
                   condition.output, is_text ? "text" : "an array"),
            is_text ? "use a boolean or numeric output" : "name an element of it");
        return std::nullopt;
    }
    return ports.front();
}

namespace {

void settle_condition(Resolver& resolver, const ConfigurationSettings& settings,
                      Configuration& configuration) {
    const bool is_first = resolver.system.configurations.empty();
    if (is_first && (settings.from || settings.when)) {
        resolver.diagnostics.error(
            settings.where,
            format("configuration \"{}\" is the first and has a condition", settings.name),
            "the first one is in force when no other is: give the condition to the others");
    }
    if (settings.from) configuration.from = Time{*settings.from};
    if (!settings.when) return;
    if (const auto output = find_compared(resolver, *settings.when))
        configuration.when = {*output, settings.when->relation, settings.when->value};
}

Configuration make_configuration(Resolver& resolver, const ConfigurationSettings& settings) {
    Configuration configuration;
    configuration.name = settings.name;
    configuration.procedure = settings.procedure;
    std::unordered_set<PortId> seen;
    for (const ConfigurationSettings::Contract& contract : settings.contracts) {
        for (const PortId input : find_inputs(resolver, contract)) {
            if (seen.insert(input).second) {
                configuration.contracts.push_back({input, contract.reactivity});
                continue;
            }
            resolver.diagnostics.error(contract.where,
                                       format("configuration \"{}\" has two contracts for {}.{}",
                                              settings.name, contract.unit,
                                              resolver.system.port(input).name),
                                       "remove one");
        }
    }
    const bool is_as_ever = settings.connections == resolver.scenario.connections;
    const System& system = resolver.system;
    Wires wires = is_as_ever ? Wires{system.links, system.event_links, system.clock_links}
                             : resolve_links(resolver, settings.connections);
    configuration.links = std::move(wires.links);
    configuration.event_links = std::move(wires.event_links);
    configuration.clock_links = std::move(wires.clock_links);
    settle_condition(resolver, settings, configuration);
    return configuration;
}

} // namespace

void make_configurations(Resolver& resolver) {
    const Scenario& scenario = resolver.scenario;
    resolver.system.largest_step = scenario.largest_step;
    if (scenario.largest_step < 1) {
        resolver.diagnostics.error(
            {scenario.file.string(), 0, 0},
            format("the largest step is {}: it must be at least 1", scenario.largest_step));
    }
    std::unordered_set<std::string_view> names;
    for (const ConfigurationSettings& settings : scenario.configurations) {
        if (!names.insert(settings.name).second) {
            resolver.diagnostics.error(
                settings.where, format("configuration \"{}\" is described twice", settings.name));
        }
        resolver.system.configurations.push_back(make_configuration(resolver, settings));
    }
}

} // namespace rubato::scenario
