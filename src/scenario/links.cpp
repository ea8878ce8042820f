// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace rubato::scenario {

namespace {

std::string text_of(const Connection& connection) {
    return format("{}.{} -> {}.{}", connection.from_unit, connection.from_port, connection.to_unit,
                  connection.to_port);
}

/// One end of a connection as its author names it.
struct End {
    const Location& where;
    const std::string& unit;
    const std::string& port;
    Causality causality;
};

void report_wrong_role(Resolver& resolver, const End& end, const Variable& variable) {
    const bool is_source = end.causality == Causality::output;
    const bool is_reversed =
        variable.causality == Causality::input || variable.causality == Causality::output;
    resolver.diagnostics.error(
        end.where,
        format("{}.{} is {}: a connection {} an {}", end.unit, end.port, role_of(variable),
               is_source ? "starts at" : "leads to", to_string(end.causality)),
        is_reversed ? "is the connection the wrong way round? write unit.output -> unit.input"
                    : "");
}

/// The port that an end of a connection names. nullopt: there is none, which has been reported.
std::optional<PortId> find_end(Resolver& resolver, const End& end) {
    const auto unit = resolver.find_unit(end.unit);
    if (!unit) {
        resolver.report_unknown_unit(end.where, end.unit);
        return std::nullopt;
    }
    const auto index = resolver.find_variable(*unit, end.port);
    if (!index) {
        resolver.report_unknown_variable(
            end.where, *unit, end.port, to_string(end.causality),
            [&](const Variable& variable) { return variable.causality == end.causality; });
        return std::nullopt;
    }
    const Variable& variable = resolver.variable(*unit, *index);
    if (variable.causality != end.causality) {
        report_wrong_role(resolver, end, variable);
        return std::nullopt;
    }
    const auto port = resolver.units[unit->value].ports[*index];
    if (!port) {
        resolver.diagnostics.error(
            end.where, format("{}.{} {}", end.unit, end.port, obstacle_to_port(variable)));
    }
    return port;
}

void check_types(Resolver& resolver, const Connection& connection, const Port& from,
                 const Port& to) {
    const Storage storage = storage_of(from.type);
    if (storage != storage_of(to.type)) {
        resolver.diagnostics.error(connection.where,
                                   format("{} connects {} ({}) to {} ({})", text_of(connection),
                                          to_string(from.type), to_string(storage),
                                          to_string(to.type), to_string(storage_of(to.type))),
                                   "connect ports of one kind");
        return;
    }
    if (connection.factor == 1 && connection.offset == 0) return;
    if (storage == Storage::boolean || storage == Storage::string) {
        resolver.diagnostics.error(connection.where,
                                   format("{} has a factor or an offset, but carries a {}",
                                          text_of(connection), to_string(storage)),
                                   "only numbers can be scaled");
    } else if (!std::isfinite(connection.factor) || !std::isfinite(connection.offset)) {
        resolver.diagnostics.error(
            connection.where,
            format("factor and offset of {} must be finite", text_of(connection)));
    } else if (storage == Storage::integer &&
               (std::trunc(connection.factor) != connection.factor ||
                std::trunc(connection.offset) != connection.offset)) {
        resolver.diagnostics.error(connection.where,
                                   format("{} carries integers, but its factor or offset is not "
                                          "whole",
                                          text_of(connection)),
                                   "use whole numbers");
    }
}

/// How the source is brought into the target's unit of measure.
Conversion find_conversion(Resolver& resolver, const Connection& connection, const Port& from,
                           const Port& to) {
    const Variable& source = resolver.variable(from.unit, from.variable);
    const Variable& target = resolver.variable(to.unit, to.variable);
    if (!connection.convert || source.unit.empty() || target.unit.empty()) return {};
    for (const auto& [variable, name] :
         {std::pair(&source, connection.from_unit), std::pair(&target, connection.to_unit)}) {
        if (variable->measure || source.unit == target.unit) continue;
        resolver.diagnostics.warning(
            connection.where,
            format("{} connects \"{}\" to \"{}\" as they are: nothing says what \"{}\" of "
                   "{}.{} is",
                   text_of(connection), source.unit, target.unit, variable->unit, name,
                   variable->name),
            "write factor and offset where they are needed, and convert: false");
    }
    if (!source.measure || !target.measure) return {};
    const auto found = conversion(*source.measure, *target.measure);
    if (!found) {
        resolver.diagnostics.error(
            connection.where,
            format("{} connects \"{}\" ({}) to \"{}\" ({})", text_of(connection), source.unit,
                   rubato::to_string(source.measure->dimension), target.unit,
                   rubato::to_string(target.measure->dimension)),
            "they measure different things; convert: false connects them all the same");
        return {};
    }
    if (*found != Conversion{}) {
        resolver.diagnostics.note(
            connection.where,
            format("{} converts {} to {}: {}·x{}", text_of(connection), source.unit, target.unit,
                   shortest(found->factor),
                   found->offset == 0 ? std::string() : " + " + shortest(found->offset)));
    }
    return *found;
}

/// By input: the connection that feeds it.
using Sources = std::unordered_map<PortId, const Connection*>;

/// nullopt: it makes none, which has been reported.
std::optional<Link> make_link(Resolver& resolver, const Connection& connection, Sources& sources) {
    const auto from = find_end(resolver, {connection.where, connection.from_unit,
                                          connection.from_port, Causality::output});
    const auto to = find_end(
        resolver, {connection.where, connection.to_unit, connection.to_port, Causality::input});
    if (!from || !to) return std::nullopt;
    if (resolver.system.port(*from).unit == resolver.system.port(*to).unit) {
        resolver.diagnostics.error(connection.where,
                                   format("{} connects a unit to itself", text_of(connection)),
                                   "a connection joins two units");
        return std::nullopt;
    }
    const auto [first, is_new] = sources.emplace(*to, &connection);
    if (!is_new) {
        resolver.diagnostics.error(
            connection.where,
            format("input {}.{} has two sources: {}.{} and {}.{}", connection.to_unit,
                   connection.to_port, first->second->from_unit, first->second->from_port,
                   connection.from_unit, connection.from_port),
            format("the other is at {}: remove one", to_string(first->second->where)));
        return std::nullopt;
    }
    check_types(resolver, connection, resolver.system.port(*from), resolver.system.port(*to));
    const Conversion unit = find_conversion(resolver, connection, resolver.system.port(*from),
                                            resolver.system.port(*to));
    return Link{*from, *to, connection.factor * unit.factor,
                connection.factor * unit.offset + connection.offset};
}

bool is_assigned(const Unit& unit, const std::string& variable) {
    return std::ranges::find(unit.start, variable, &Assignment::variable) != unit.start.end();
}

bool is_clocked(const Scenario& scenario, const Connection& connection) {
    return scenario.clocks &&
           (scenario.clocks->is_clocked(connection.from_unit, connection.from_port) ||
            scenario.clocks->is_clocked(connection.to_unit, connection.to_port));
}

/// Inputs that no connection leads to, whatever the configuration.
void note_unconnected(Resolver& resolver) {
    const Scenario& scenario = resolver.scenario;
    std::set<std::pair<std::string_view, std::string_view>> connected;
    const auto add = [&](const std::vector<Connection>& connections) {
        for (const Connection& c : connections) connected.emplace(c.to_unit, c.to_port);
    };
    add(scenario.connections);
    for (const ConfigurationSettings& configuration : scenario.configurations)
        add(configuration.connections);
    for (const SystemUnit& unit : resolver.system.units) {
        for (const PortId input : unit.inputs) {
            const Port& port = resolver.system.port(input);
            const Unit& author = resolver.unit(port.unit);
            if (connected.contains({author.name, port.name}) || is_assigned(author, port.name))
                continue;
            const auto& start = resolver.variable(port.unit, port.variable).start;
            resolver.diagnostics.note(
                author.where,
                format("input {}.{} is not connected: it keeps its start value{}", author.name,
                       port.name, start ? " " + rubato::to_string(*start) : std::string()));
        }
    }
}

} // namespace

std::vector<Link> resolve_links(Resolver& resolver, const std::vector<Connection>& connections) {
    Sources sources;
    sources.reserve(connections.size());
    std::vector<Link> links;
    links.reserve(connections.size());
    for (const Connection& connection : connections) {
        const auto link = make_link(resolver, connection, sources);
        if (link && !is_clocked(resolver.scenario, connection)) links.push_back(*link);
    }
    return links;
}

void make_links(Resolver& resolver) {
    resolver.system.links = resolve_links(resolver, resolver.scenario.connections);
    note_unconnected(resolver);
}

} // namespace rubato::scenario
