// SPDX-License-Identifier: Apache-2.0
#include "formats/osp/system.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::scenario::formats::osp {

namespace {

Connection plain_connection(const System& system, const Wire& wire) {
    Connection connection;
    connection.from_unit = system.scenario.units[system.simulators.at(wire.from.owner).unit].name;
    connection.from_port = wire.from.name;
    connection.to_unit = system.scenario.units[system.simulators.at(wire.to.owner).unit].name;
    connection.to_port = wire.to.name;
    connection.where = wire.where;
    return connection;
}

/// What crosses a bond is continuous, whatever an FMU declares: exporters declare reals discrete.
void make_continuous(System& system, const Terminal& terminal, const Location& where) {
    const Simulator& simulator = system.simulators.at(terminal.owner);
    const Variable* const variable = find_variable(simulator.description, terminal.name);
    const bool is_discrete = variable && storage_of(variable->type) == Storage::real &&
                             variable->variability != Variability::continuous;
    Unit& unit = system.scenario.units[simulator.unit];
    const bool is_known = // from another bond
        std::ranges::find(unit.inputs, terminal.name, &InputSettings::name) != unit.inputs.end() ||
        std::ranges::find(unit.outputs, terminal.name, &OutputSettings::name) != unit.outputs.end();
    if (!is_discrete || is_known) return;
    if (variable->causality == Causality::input) {
        InputSettings input;
        input.name = terminal.name;
        input.variability = Variability::continuous;
        input.where = where;
        unit.inputs.push_back(std::move(input));
    } else {
        OutputSettings output;
        output.name = terminal.name;
        output.variability = Variability::continuous;
        output.where = where;
        unit.outputs.push_back(std::move(output));
    }
    system.diagnostics.note(where, format("\"{}.{}\" is continuous: it is part of a bond, although "
                                          "the FMU declares it discrete",
                                          terminal.owner, terminal.name));
}

} // namespace

void add_bond(System& system, const std::string& name, const Wire& wire,
              std::map<std::string, Connection>& halves) {
    if (wire.from.is_signal || wire.to.is_signal) return;
    make_continuous(system, wire.from, wire.where);
    make_continuous(system, wire.to, wire.where);
    const Connection connection = plain_connection(system, wire);
    const auto [other, is_first] = halves.emplace(name, connection);
    if (is_first) return;
    BondSettings bond;
    bond.name = plain_name(name);
    bond.effort = other->second;
    bond.flow = connection;
    bond.where = wire.where;
    system.scenario.bonds.push_back(std::move(bond));
}

} // namespace rubato::scenario::formats::osp
