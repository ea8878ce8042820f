// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace rubato::scenario {

namespace {

Variable declared_variable(const std::string& name, Causality causality, std::size_t index) {
    Variable variable;
    variable.name = name;
    variable.causality = causality;
    variable.reference = static_cast<ValueRef>(index);
    return variable;
}

std::vector<std::string> names_of(const System& system, const std::vector<PortId>& ports) {
    std::vector<std::string> names;
    for (const PortId port : ports) names.push_back(system.port(port).name);
    return names;
}

template <class Settings>
Settings& settings_of(std::vector<Settings>& all, const std::string& name) {
    const auto found = std::ranges::find(all, name, &Settings::name);
    if (found != all.end()) return *found;
    Settings settings;
    settings.name = name;
    return all.emplace_back(std::move(settings));
}

} // namespace

UnitDescription declared_description(const Unit& unit) {
    UnitDescription description;
    description.model = unit.name;
    description.kind = "declared unit";
    for (const InputSettings& input : unit.inputs) {
        description.variables.push_back(
            declared_variable(input.name, Causality::input, description.variables.size()));
    }
    for (const OutputSettings& output : unit.outputs) {
        description.variables.push_back(
            declared_variable(output.name, Causality::output, description.variables.size()));
    }
    description.capabilities.variable_step = true;
    description.capabilities.snapshots = true;
    return description;
}

Scenario with_contracts(Scenario scenario, const System& system) {
    for (std::size_t u = 0; u < scenario.units.size(); ++u) {
        Unit& unit = scenario.units[u];
        const SystemUnit& settled = system.units[u];
        unit.can_reject_step = settled.can_reject_step;
        for (const PortId id : settled.inputs) {
            const Port& port = system.port(id);
            settings_of(unit.inputs, port.name).contract = port.reactivity;
        }
        for (const PortId id : settled.outputs) {
            const Port& port = system.port(id);
            OutputSettings& output = settings_of(unit.outputs, port.name);
            output.feedthrough = names_of(system, port.feedthrough);
            output.feedthrough_initial = names_of(system, port.feedthrough_initial);
        }
    }
    const std::size_t configurations =
        std::min(scenario.configurations.size(), system.configurations.size());
    for (std::size_t c = 0; c < configurations; ++c)
        scenario.configurations[c].procedure = system.configurations[c].procedure;
    return scenario;
}

void check_declared(Resolver& resolver) {
    for (const Unit& unit : resolver.scenario.units) {
        if (!unit.is_only_declared()) continue;
        std::unordered_set<std::string_view> inputs;
        for (const InputSettings& input : unit.inputs) inputs.insert(input.name);
        for (const OutputSettings& output : unit.outputs) {
            if (!inputs.contains(output.name)) continue;
            resolver.diagnostics.error(
                output.where,
                format("\"{}\" is both an input and an output of unit \"{}\"", output.name,
                       unit.name),
                "rename one of them");
        }
    }
}

} // namespace rubato::scenario
