// SPDX-License-Identifier: Apache-2.0
#include "order_setup.hpp"

#include <algorithm>

namespace rubato::pipeline {

using engine::OrderControl;

namespace {

OrderControl::Input input_error(const scenario::Port& port, PortId id, const scenario::Unit& unit) {
    OrderControl::Input input{.input = id, .gain = 0, .weight = 1 / port.nominal};
    const auto settings = std::ranges::find(unit.inputs, port.name, &scenario::InputSettings::name);
    if (settings == unit.inputs.end()) return input;
    input.gain = settings->error_gain.value_or(input.gain);
    input.weight = settings->error_weight.value_or(input.weight);
    return input;
}

/// Names have been checked.
OrderControl::Energy energy_of(const scenario::Unit& unit,
                               const scenario::UnitDescription& description) {
    const auto find = [&](const std::string& name) { return *description.find_variable(name); };
    OrderControl::Energy energy;
    for (const std::string& name : unit.energy) energy.parts.push_back(find(name));
    for (const scenario::LossSettings& loss : unit.losses)
        energy.losses.push_back({find(loss.effort), find(loss.displacement)});
    return energy;
}

} // namespace

std::optional<OrderControl> order_control(const Assembly& assembly) {
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    if (orchestration.orders.size() < 2) return std::nullopt;
    OrderControl control;
    control.settings = assembly.scenario.algorithm.order_settings();
    control.orders = orchestration.orders;
    const scenario::System& system = orchestration.system;
    for (const scenario::Link& link : system.links) {
        const scenario::Port& port = system.port(link.to);
        if (storage_of(port.type) != Storage::real ||
            storage_of(system.port(link.from).type) != Storage::real)
            continue;
        control.inputs.push_back(
            input_error(port, link.to, assembly.scenario.units[port.unit.value]));
    }
    const std::vector<scenario::Unit>& units = assembly.scenario.units;
    if (std::ranges::any_of(units, &std::vector<std::string>::empty, &scenario::Unit::energy))
        return control;
    for (std::size_t u = 0; u < units.size(); ++u)
        control.energies.push_back(energy_of(units[u], assembly.descriptions[u]));
    return control;
}

} // namespace rubato::pipeline
