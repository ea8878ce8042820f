// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <set>
#include <utility>

/// Connections between clocks of units that bring them along.
namespace rubato::scenario {

namespace {

/// A clock: a variable of a unit.
struct ClockEnd {
    UnitId unit;
    std::uint32_t variable = 0; ///< index into the unit's description
};

/// The clock that an end of a connection names; nullopt: there is no such unit or variable, or it
/// is no clock.
std::optional<ClockEnd> find_clock(const Resolver& resolver, const std::string& unit,
                                   const std::string& name) {
    const auto id = resolver.find_unit(unit);
    const auto variable = id ? resolver.find_variable(*id, name) : std::nullopt;
    if (!variable || resolver.variable(*id, *variable).type != ValueType::clock)
        return std::nullopt;
    return ClockEnd{*id, *variable};
}

/// nullopt: it is none of the direction, which has been reported.
std::optional<ClockEnd> find_end(Resolver& resolver, const Connection& connection,
                                 Causality causality) {
    const bool is_source = causality == Causality::output;
    const std::string& unit = is_source ? connection.from_unit : connection.to_unit;
    const std::string& name = is_source ? connection.from_port : connection.to_port;
    const auto end = find_clock(resolver, unit, name);
    if (!end) {
        resolver.diagnostics.error(
            connection.where,
            format("{} connects a clock, but {}.{} is none", text_of(connection), unit, name),
            "connect clocks to clocks");
        return std::nullopt;
    }
    const Variable& clock = resolver.variable(end->unit, end->variable);
    if (clock.causality != causality) {
        resolver.diagnostics.error(connection.where,
                                   format("{}.{} is {}: a connection {} an {} clock", unit, name,
                                          role_of(clock), is_source ? "starts at" : "leads to",
                                          to_string(causality)),
                                   "is the connection the wrong way round?");
        return std::nullopt;
    }
    if (!resolver.descriptions[end->unit.value].capabilities.event_mode) {
        resolver.diagnostics.error(connection.where,
                                   format("clock {}.{} cannot be connected: the unit, {}, has no "
                                          "event mode",
                                          unit, name, resolver.descriptions[end->unit.value].kind),
                                   "run it by type: me, if it offers that: its clocks tick there");
        return std::nullopt;
    }
    return end;
}

/// Of a clock of a unit with event mode.
PortId port_of(const Resolver& resolver, const ClockEnd& clock) {
    const auto& clocks = resolver.system.unit(clock.unit).clocks;
    return *std::ranges::find(clocks, clock.variable,
                              [&](PortId id) { return resolver.system.port(id).variable; });
}

/// A local clock cannot be read or set: it is as good as an input that never ticks.
Port make_clock(UnitId unit, std::uint32_t index, const Variable& variable) {
    Port port;
    port.unit = unit;
    port.variable = index;
    port.direction = variable.causality == Causality::output ? Direction::output : Direction::input;
    port.name = variable.name;
    port.type = variable.type;
    port.reference = variable.reference;
    port.is_continuous = false;
    port.is_timed =
        variable.causality == Causality::input && variable.clock && is_timed(variable.clock->kind);
    return port;
}

void add_clocks_of(Resolver& resolver, UnitId id) {
    const auto& variables = resolver.descriptions[id.value].variables;
    SystemUnit& unit = resolver.system.units[id.value];
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
        if (variables[v].type != ValueType::clock) continue;
        unit.clocks.push_back(nth<PortId>(resolver.system.ports.size()));
        resolver.system.ports.push_back(make_clock(id, v, variables[v]));
        resolver.system.ports.back().where = unit.where;
    }
}

void note_what_is_clocked(Resolver& resolver, UnitId id) {
    const SystemUnit& unit = resolver.system.unit(id);
    for (const auto* ports : {&unit.inputs, &unit.outputs, &unit.clocks}) {
        for (const PortId p : *ports) {
            Port& port = resolver.system.port(p);
            for (const std::uint32_t clock : resolver.variable(id, port.variable).clocks)
                port.clocks.push_back(port_of(resolver, {id, clock}));
        }
    }
}

/// Whether one of its clocks is an output: then it takes part when that has ticked already.
bool follows_output_clock(const System& system, const Port& port) {
    return std::ranges::any_of(port.clocks, [&](PortId clock) {
        return system.port(clock).direction == Direction::output;
    });
}

/// What may make an output clock tick: inputs, all where the unit names none, and input clocks.
void settle_output_clock(Resolver& resolver, UnitId id, PortId clock) {
    const SystemUnit& unit = resolver.system.unit(id);
    const auto& dependencies = resolver.descriptions[id.value].dependencies;
    const auto declared = std::ranges::find(dependencies, resolver.system.port(clock).variable,
                                            &Dependencies::output);
    const auto depends_on = [&](PortId input) {
        if (declared == dependencies.end() || !declared->step) return true;
        return std::ranges::count(*declared->step, resolver.system.port(input).variable) > 0;
    };
    std::vector<PortId> causes;
    for (const PortId input : unit.inputs)
        if (depends_on(input) &&
            !follows_output_clock(resolver.system, resolver.system.port(input)))
            causes.push_back(input);
    for (const PortId other : unit.clocks)
        if (resolver.system.port(other).direction == Direction::input) causes.push_back(other);
    resolver.system.port(clock).feedthrough = std::move(causes);
}

using ClockKey = std::pair<std::uint32_t, std::uint32_t>;

void note_idle(Resolver& resolver, UnitId unit, const Variable& clock) {
    const bool has_event_mode = resolver.descriptions[unit.value].capabilities.event_mode;
    const std::string& name = resolver.unit(unit).name;
    if (is_timed(clock.clock->kind) && has_event_mode) return;
    if (!has_event_mode) {
        resolver.diagnostics.warning(
            resolver.unit(unit).where,
            format("clock {}.{} never ticks: the unit, {}, has no event mode", name, clock.name,
                   resolver.descriptions[unit.value].kind),
            "run it by type: me, if it offers that: its clocks tick there");
    } else {
        resolver.diagnostics.note(
            resolver.unit(unit).where,
            format("clock {}.{} is not connected: it never ticks", name, clock.name));
    }
}

} // namespace

void make_clocks(Resolver& resolver) {
    for (std::size_t u = 0; u < resolver.system.units.size(); ++u) {
        const auto id = nth<UnitId>(u);
        if (!resolver.system.unit(id).has_event_mode) continue;
        add_clocks_of(resolver, id);
        note_what_is_clocked(resolver, id);
        for (const PortId clock : resolver.system.unit(id).clocks)
            if (resolver.system.port(clock).direction == Direction::output)
                settle_output_clock(resolver, id, clock);
    }
}

bool connects_clocks(const Resolver& resolver, const Connection& connection) {
    return find_clock(resolver, connection.from_unit, connection.from_port) ||
           find_clock(resolver, connection.to_unit, connection.to_port);
}

std::optional<Link> make_clock_link(Resolver& resolver, const Connection& connection) {
    const auto from = find_end(resolver, connection, Causality::output);
    const auto to = find_end(resolver, connection, Causality::input);
    if (!from || !to) return std::nullopt;
    const Variable& target = resolver.variable(to->unit, to->variable);
    if (is_timed(target.clock->kind)) {
        resolver.diagnostics.error(connection.where,
                                   format("{} leads to a clock that time drives ({})",
                                          text_of(connection), to_string(target.clock->kind)),
                                   "only triggered input clocks can be connected");
        return std::nullopt;
    }
    return Link{port_of(resolver, *from), port_of(resolver, *to)};
}

void note_idle_clocks(Resolver& resolver) {
    std::set<ClockKey> connected;
    const auto add = [&](const std::vector<Connection>& connections) {
        for (const Connection& connection : connections) {
            if (const auto to = find_clock(resolver, connection.to_unit, connection.to_port))
                connected.emplace(to->unit.value, to->variable);
        }
    };
    add(resolver.scenario.connections);
    for (const ConfigurationSettings& configuration : resolver.scenario.configurations)
        add(configuration.connections);
    for (std::uint32_t u = 0; u < resolver.descriptions.size(); ++u) {
        const auto& variables = resolver.descriptions[u].variables;
        for (std::uint32_t v = 0; v < variables.size(); ++v) {
            const bool is_input_clock = variables[v].clock &&
                                        variables[v].causality == Causality::input &&
                                        !connected.contains({u, v});
            if (is_input_clock) note_idle(resolver, UnitId{u}, variables[v]);
        }
    }
}

} // namespace rubato::scenario
