// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <stdexcept>

namespace rubato::scenario {

std::string text_of(const Connection& connection) {
    return format("{}.{} -> {}.{}", connection.from_unit, connection.from_port, connection.to_unit,
                  connection.to_port);
}

Resolver::Resolver(const Scenario& scenario_, std::span<const UnitDescription> descriptions_,
                   Diagnostics& diagnostics_, bool is_nested_)
    : scenario(scenario_), descriptions(descriptions_), diagnostics(diagnostics_),
      is_nested(is_nested_) {
    for (std::size_t u = 0; u < scenario.units.size(); ++u) {
        const Unit& unit = scenario.units[u];
        const auto [first, is_new] = unit_ids_.emplace(unit.name, nth<UnitId>(u));
        if (!is_new) {
            diagnostics.error(unit.where, format("unit \"{}\" is described twice", unit.name));
        }
        UnitIndex& index = units.emplace_back();
        const auto& variables = descriptions[u].variables;
        index.variables.reserve(variables.size());
        for (std::uint32_t v = 0; v < variables.size(); ++v)
            index.variables.emplace(variables[v].name, v);
        index.ports.resize(variables.size());
        index.is_split.resize(variables.size());
    }
}

std::optional<UnitId> Resolver::find_unit(std::string_view name) const {
    const auto found = unit_ids_.find(name);
    if (found == unit_ids_.end()) return std::nullopt;
    return found->second;
}

std::optional<std::uint32_t> Resolver::find_variable(UnitId unit, std::string_view name) const {
    const auto& variables = units[unit.value].variables;
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
}

std::optional<VariablePart> Resolver::find_part(UnitId unit, std::string_view name) const {
    return scenario::find_part(descriptions[unit.value].variables, name,
                               [&](std::string_view whole) { return find_variable(unit, whole); });
}

std::vector<PortId> Resolver::ports_of(UnitId unit, const VariablePart& part) const {
    const UnitIndex& index = units[unit.value];
    const auto first = index.ports[part.variable];
    if (!first) return {};
    if (!index.is_split[part.variable]) return {*first};
    if (part.element) return {nth<PortId>(first->value + *part.element)};
    std::vector<PortId> ports;
    for (std::uint32_t e = 0; e < system.port(*first).part.size; ++e)
        ports.push_back(nth<PortId>(first->value + e));
    return ports;
}

std::vector<PortId> Resolver::find_ports(UnitId unit, std::string_view name,
                                         Direction direction) const {
    const auto part = find_part(unit, name);
    std::vector<PortId> ports = part ? ports_of(unit, *part) : std::vector<PortId>();
    if (!ports.empty() && system.port(ports.front()).direction != direction) ports.clear();
    return ports;
}

std::string Resolver::hint(std::string_view name, std::span<const std::string> candidates,
                           std::string_view what) {
    if (suggestions_left_ == 0) return {};
    --suggestions_left_;
    return suggest(name, candidates, what);
}

void Resolver::report_unknown_unit(const Location& where, const std::string& name) {
    std::vector<std::string> names;
    if (suggestions_left_ > 0) {
        for (const Unit& unit : scenario.units) names.push_back(unit.name);
    }
    diagnostics.error(where, format("the scenario has no unit \"{}\"", name),
                      hint(name, names, "its units"));
}

void Resolver::report_unknown_variable(const Location& where, UnitId unit_id,
                                       const std::string& name, std::string_view role,
                                       const std::function<bool(const Variable&)>& has_role) {
    const auto array = find_variable(unit_id, std::string_view(name).substr(0, name.rfind('[')));
    if (name.ends_with(']') && array && variable(unit_id, *array).is_array()) {
        diagnostics.error(
            where, format("unit \"{}\" has no {} \"{}\"", unit(unit_id).name, role, name),
            format("{} is an array of {}; subscripts count from 1", variable(unit_id, *array).name,
                   fmt::join(sizes_of(variable(unit_id, *array)), " x ")));
        return;
    }
    std::vector<std::string> names;
    if (suggestions_left_ > 0) {
        for (const Variable& variable : descriptions[unit_id.value].variables) {
            if (has_role(variable)) names.push_back(variable.name);
        }
    }
    diagnostics.error(where, format("unit \"{}\" has no {} \"{}\"", unit(unit_id).name, role, name),
                      hint(name, names, format("its {}s", role)));
}

std::vector<std::uint64_t> sizes_of(const Variable& variable) {
    std::vector<std::uint64_t> sizes;
    for (const Dimension& dimension : variable.dimensions) sizes.push_back(dimension.size);
    return sizes;
}

bool Resolver::is_exposed(std::vector<ExposedVariable> InterfaceSettings::*list,
                          const std::string& name) const {
    if (!is_nested) return false;
    if (!scenario.interface) return true;
    return std::ranges::any_of(*scenario.interface.*list, [&](const ExposedVariable& each) {
        return std::ranges::find(each.of, name) != each.of.end();
    });
}

std::string role_of(const Variable& variable) {
    if (variable.variability == Variability::constant) return "a constant";
    switch (variable.causality) {
    case Causality::input:
    case Causality::output: return format("an {}", to_string(variable.causality));
    case Causality::local: return "a local variable";
    case Causality::independent: return "the independent variable";
    default: return format("a {}", to_string(variable.causality));
    }
}

System resolve(const Scenario& scenario, std::span<const UnitDescription> descriptions,
               Diagnostics& diagnostics, bool is_nested) {
    if (descriptions.size() != scenario.units.size()) {
        throw std::logic_error("resolve wants one description per unit");
    }
    Resolver resolver(scenario, descriptions, diagnostics, is_nested);
    check_declared(resolver);
    check_interfaces(resolver);
    split_arrays(resolver);
    make_ports(resolver);
    settle_contracts(resolver);
    check_values(resolver);
    make_links(resolver);
    make_bonds(resolver);
    make_configurations(resolver);
    check_own_steps(resolver);
    check_clocks(resolver);
    check_experiment(scenario, is_nested, diagnostics);
    check_declared_energies(resolver);
    check_algorithm(resolver);
    check_loops(resolver.scenario, resolver.diagnostics);
    check_step_control(resolver);
    check_step_limits(resolver);
    map_attributes(resolver);
    choose_watched(resolver);
    choose_observed(resolver);
    return std::move(resolver.system);
}

} // namespace rubato::scenario
