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

/// The ports that an end of a connection names: more than one if it is an array of which elements
/// are connected singly. Empty: there are none, which has been reported.
std::vector<PortId> find_end(Resolver& resolver, const End& end) {
    const auto unit = resolver.find_unit(end.unit);
    if (!unit) {
        resolver.report_unknown_unit(end.where, end.unit);
        return {};
    }
    const auto part = resolver.find_part(*unit, end.port);
    if (!part) {
        resolver.report_unknown_variable(
            end.where, *unit, end.port, to_string(end.causality),
            [&](const Variable& variable) { return variable.causality == end.causality; });
        return {};
    }
    const Variable& variable = resolver.variable(*unit, part->variable);
    const bool is_tuned = end.causality == Causality::input && is_tunable_parameter(variable);
    if (variable.causality != end.causality && !is_tuned) {
        report_wrong_role(resolver, end, variable);
        return {};
    }
    std::vector<PortId> ports = resolver.ports_of(*unit, *part);
    if (ports.empty()) {
        resolver.diagnostics.error(
            end.where, format("{}.{} {}", end.unit, end.port, obstacle_to_port(variable)));
    }
    return ports;
}

void check_scaling(Resolver& resolver, const Connection& connection, Storage from, Storage to) {
    if (connection.factor == 1 && connection.offset == 0) return;
    if (from == Storage::string || (from == Storage::boolean && to == Storage::boolean)) {
        resolver.diagnostics.error(connection.where,
                                   format("{} has a factor or an offset, but carries a {}",
                                          text_of(connection), to_string(from)),
                                   "only numbers can be scaled");
    } else if (!std::isfinite(connection.factor) || !std::isfinite(connection.offset)) {
        resolver.diagnostics.error(
            connection.where,
            format("factor and offset of {} must be finite", text_of(connection)));
    } else if (to == Storage::integer && !connection.to_type &&
               (std::trunc(connection.factor) != connection.factor ||
                std::trunc(connection.offset) != connection.offset)) {
        resolver.diagnostics.error(connection.where,
                                   format("{} carries integers, but its factor or offset is not "
                                          "whole",
                                          text_of(connection)),
                                   "use whole numbers, or say how to round: {convert: round}");
    }
}

bool makes_booleans(TypeConversion conversion) {
    return conversion == TypeConversion::nonzero || conversion == TypeConversion::threshold;
}

/// How values of one storage may be converted to another: nothing has to be said where nothing is
/// lost.
struct Convertibility {
    bool without_saying = false;
    bool by_rounding = false;
    bool by_comparing = false;
};

Convertibility convertibility(Storage from, Storage to) {
    if (from == Storage::string || to == Storage::string) return {.without_saying = from == to};
    switch (to) {
    case Storage::real: return {.without_saying = true};
    case Storage::integer:
        return {.without_saying = from != Storage::real, .by_rounding = from != Storage::boolean};
    default: break;
    }
    const bool is_boolean = from == Storage::boolean;
    return {.without_saying = is_boolean, .by_comparing = !is_boolean};
}

std::string_view hint_for(const Convertibility& possible) {
    if (possible.by_rounding && possible.without_saying) return "leave convert out, or round";
    if (possible.by_rounding)
        return "say how: {convert: round}, floor, ceiling or truncate; factor and offset come "
               "first";
    if (possible.by_comparing)
        return "say how: {convert: nonzero}, or {threshold: 0.5} for true above 0.5";
    return possible.without_saying ? "leave convert out: nothing has to be rounded or compared"
                                   : "texts cannot be converted: connect ports of one kind";
}

void check_types(Resolver& resolver, const Connection& connection, const Port& from,
                 const Port& to) {
    const Storage source = storage_of(from.type);
    const Storage target = storage_of(to.type);
    const Convertibility possible = convertibility(source, target);
    const auto& how = connection.to_type;
    const bool is_possible = !how                   ? possible.without_saying
                             : makes_booleans(*how) ? possible.by_comparing
                                                    : possible.by_rounding;
    if (!is_possible) {
        resolver.diagnostics.error(
            connection.where,
            format("{} connects {} ({}) to {} ({}){}", text_of(connection), to_string(from.type),
                   to_string(source), to_string(to.type), to_string(target),
                   how ? format(", which convert: {} does not do", to_string(*how))
                       : std::string()),
            std::string(hint_for(possible)));
        return;
    }
    check_scaling(resolver, connection, source, target);
    if (to.approximation == Approximation::constant || source == target) return;
    resolver.diagnostics.error(
        connection.where,
        format("{} carries {}s, which hold between communication points, to an input whose "
               "approximation is {}",
               text_of(connection), to_string(source), to_string(to.approximation)),
        format("use constant for {}.{}", connection.to_unit, connection.to_port));
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

/// Notes what feeds the inputs. False: one of them is fed already, which has been reported.
bool claim(Resolver& resolver, const Connection& connection, const std::vector<PortId>& inputs,
           Sources& sources) {
    for (const PortId input : inputs) {
        const auto [first, is_new] = sources.emplace(input, &connection);
        if (is_new) continue;
        resolver.diagnostics.error(
            connection.where,
            format("input {} has two sources: {}.{} and {}.{}", resolver.system.name_of(input),
                   first->second->from_unit, first->second->from_port, connection.from_unit,
                   connection.from_port),
            format("the other is at {}: remove one", to_string(first->second->where)));
        return false;
    }
    return true;
}

/// How many values an end of a connection has, as its author sees it: `3`, `2 x 3`.
std::string shape_of(const Resolver& resolver, const std::vector<PortId>& ports) {
    const Port& port = resolver.system.port(ports.front());
    if (ports.size() == 1 && port.part.count == 1) return "one value";
    return format("an array of {}",
                  fmt::join(sizes_of(resolver.variable(port.unit, port.variable)), " x "));
}

/// The links that a connection stands for. Empty: none, which has been reported.
std::vector<Link> links_of(Resolver& resolver, const Connection& connection, Sources& sources) {
    const auto from = find_end(resolver, {connection.where, connection.from_unit,
                                          connection.from_port, Causality::output});
    const auto to = find_end(
        resolver, {connection.where, connection.to_unit, connection.to_port, Causality::input});
    if (from.empty() || to.empty()) return {};
    const Port& source = resolver.system.port(from.front());
    const Port& target = resolver.system.port(to.front());
    const std::string shape = shape_of(resolver, from);
    if (shape != shape_of(resolver, to)) {
        resolver.diagnostics.error(
            connection.where,
            format("{} connects {} to {}", text_of(connection), shape, shape_of(resolver, to)),
            "connect arrays of one shape, or elements: unit.array[1]");
        return {};
    }
    if (!claim(resolver, connection, to, sources)) return {};
    check_types(resolver, connection, source, target);
    const Conversion unit = find_conversion(resolver, connection, source, target);
    std::vector<Link> links;
    for (std::size_t i = 0; i < to.size(); ++i) {
        links.push_back({from[i], to[i], connection.factor * unit.factor,
                         connection.factor * unit.offset + connection.offset, connection.to_type,
                         connection.threshold});
    }
    const std::string change = type_conversion_text(links.front(), source.type, target.type);
    if (!change.empty())
        resolver.diagnostics.note(connection.where,
                                  format("{} converts {}", text_of(connection), change));
    return links;
}

bool is_assigned(const Unit& unit, const std::string& variable) {
    return std::ranges::find(unit.start, variable, &Assignment::variable) != unit.start.end();
}

bool is_clocked(const Scenario& scenario, const Connection& connection) {
    return scenario.clocks &&
           (scenario.clocks->is_clocked(connection.from_unit, connection.from_port) ||
            scenario.clocks->is_clocked(connection.to_unit, connection.to_port));
}

/// Whether values can cross at events only: what is clocked changes only there, and discrete inputs
/// of a unit with event mode are set only there.
bool carries_events(const Resolver& resolver, const Link& link) {
    const Port& from = resolver.system.port(link.from);
    const Port& to = resolver.system.port(link.to);
    const auto has_event_mode = [&](const Port& port) {
        return resolver.descriptions[port.unit.value].capabilities.event_mode;
    };
    const Variable& source = resolver.variable(from.unit, from.variable);
    return (has_event_mode(from) && !source.clocks.empty()) ||
           (has_event_mode(to) && !to.is_continuous);
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
    std::set<std::string_view> received;
    for (const HlaAttribute& each : scenario.hla.inputs) received.insert(each.variable);
    const auto is_known = [&](const Unit& unit, const std::string& name) {
        return connected.contains({unit.name, name}) || is_assigned(unit, name) ||
               resolver.is_exposed(&InterfaceSettings::inputs, unit.name + "." + name) ||
               received.contains(unit.name + "." + name);
    };
    for (const SystemUnit& unit : resolver.system.units) {
        for (const PortId input : unit.inputs) {
            const Port& port = resolver.system.port(input);
            const Unit& author = resolver.unit(port.unit);
            const Variable& variable = resolver.variable(port.unit, port.variable);
            if (is_known(author, port.name) || is_known(author, variable.name)) continue;
            const auto& start = variable.start;
            resolver.diagnostics.note(
                author.where,
                format("input {}.{} is not connected: it keeps its start value{}", author.name,
                       port.name,
                       start ? " " + rubato::to_string(*start, variable.type) : std::string()));
        }
    }
}

} // namespace

Wires resolve_links(Resolver& resolver, const std::vector<Connection>& connections) {
    Sources sources;
    sources.reserve(connections.size());
    Wires wires;
    wires.links.reserve(connections.size());
    for (const Connection& connection : connections) {
        if (connects_clocks(resolver, connection)) {
            if (const auto link = make_clock_link(resolver, connection))
                wires.clock_links.push_back(*link);
            continue;
        }
        const std::vector<Link> made = links_of(resolver, connection, sources);
        if (made.empty() || is_clocked(resolver.scenario, connection)) continue;
        auto& links = carries_events(resolver, made.front()) ? wires.event_links : wires.links;
        links.insert(links.end(), made.begin(), made.end());
    }
    return wires;
}

void make_links(Resolver& resolver) {
    Wires wires = resolve_links(resolver, resolver.scenario.connections);
    resolver.system.links = std::move(wires.links);
    resolver.system.event_links = std::move(wires.event_links);
    resolver.system.clock_links = std::move(wires.clock_links);
    note_unconnected(resolver);
    note_idle_clocks(resolver);
}

} // namespace rubato::scenario
