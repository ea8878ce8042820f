// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <set>
#include <utility>

/// Connections between clocks of units that bring them along.
namespace rubato::scenario {

namespace {

/// The clock that an end of a connection names; nullopt: there is no such unit or variable, or it
/// is no clock.
std::optional<ClockLink::End> find_clock(const Resolver& resolver, const std::string& unit,
                                         const std::string& name) {
    const auto id = resolver.find_unit(unit);
    const auto variable = id ? resolver.find_variable(*id, name) : std::nullopt;
    if (!variable || resolver.variable(*id, *variable).type != ValueType::clock)
        return std::nullopt;
    return ClockLink::End{*id, *variable};
}

/// nullopt: it is none of the direction, which has been reported.
std::optional<ClockLink::End> find_end(Resolver& resolver, const Connection& connection,
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

bool connects_clocks(const Resolver& resolver, const Connection& connection) {
    return find_clock(resolver, connection.from_unit, connection.from_port) ||
           find_clock(resolver, connection.to_unit, connection.to_port);
}

std::optional<ClockLink> make_clock_link(Resolver& resolver, const Connection& connection) {
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
    return ClockLink{*from, *to};
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
