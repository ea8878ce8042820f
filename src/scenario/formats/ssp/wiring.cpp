// SPDX-License-Identifier: Apache-2.0
#include "formats/ssp/wiring.hpp"

#include "formats/foreign.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::scenario::formats::ssp {

namespace {

constexpr std::size_t most_segments = 1000;

/// The kind of a connector, or of the FMU's variable where the file has no connector.
std::optional<ConnectorKind> kind_of(const Element& element, const std::string& connector) {
    if (const Connector* declared = element.find_connector(connector)) return declared->kind;
    if (element.kind == Element::Kind::dictionary_reference) return ConnectorKind::inout;
    const Variable* variable = variable_of(element, connector);
    if (!variable) return std::nullopt;
    if (variable->variability == Variability::constant) return ConnectorKind::constant;
    switch (variable->causality) {
    case Causality::input: return ConnectorKind::input;
    case Causality::parameter: return ConnectorKind::parameter;
    case Causality::structural_parameter: return ConnectorKind::structural_parameter;
    case Causality::calculated_parameter: return ConnectorKind::calculated_parameter;
    case Causality::output: return ConnectorKind::output;
    default: return ConnectorKind::local;
    }
}

std::string name_of(const Element& system, const End& end) {
    return end.element == &system ? end.connector + end.indices
                                  : end.element->name + "." + end.connector + end.indices;
}

/// The system that defines the dictionary of a reference: the nearest one around it.
const Element* find_dictionary(const Element& reference) {
    for (const Element* system = reference.parent; system; system = system->parent)
        if (std::ranges::find(system->dictionaries, reference.dictionary) !=
            system->dictionaries.end())
            return system;
    return nullptr;
}

} // namespace

const Variable* variable_of(const Element& component, const std::string& connector) {
    return find_variable(component.description, connector);
}

Wiring::Wiring(const Element& root, Diagnostics& diagnostics)
    : root_(root), diagnostics_(diagnostics) {
    read_links(root);
}

void Wiring::read_links(const Element& system) {
    for (const Link& link : system.links) add_link(system, link);
    for (const auto& element : system.elements)
        if (element->kind == Element::Kind::system) read_links(*element);
}

std::optional<End> Wiring::find_end(const Element& system, const Link& link,
                                    const std::string& element, const std::string& connector,
                                    const std::string& indices) {
    const Element* const owner = element.empty() ? &system : system.find_element(element);
    if (!owner) {
        std::vector<std::string> names;
        for (const auto& each : system.elements) names.push_back(each->name);
        diagnostics_.error(link.where,
                           format("system \"{}\" has no element \"{}\"", system.name, element),
                           suggest(element, names, "its elements"));
        return std::nullopt;
    }
    if (!kind_of(*owner, connector)) {
        std::vector<std::string> names;
        for (const Connector& each : owner->connectors) names.push_back(each.name);
        diagnostics_.error(link.where,
                           format("\"{}\" has no connector \"{}\"", owner->name, connector),
                           suggest(connector, names, "its connectors"));
        return std::nullopt;
    }
    const bool is_component = owner->kind == Element::Kind::component;
    if (!indices.empty() && !is_component) {
        diagnostics_.error(link.where,
                           format("elements of the array \"{}\" of \"{}\" are connected singly",
                                  connector, owner->name),
                           "Rubato knows that for components only: connect the whole array");
        return std::nullopt;
    }
    return End{owner, connector, indices};
}

std::optional<Wiring::Role> Wiring::role_of(const Element& system, const End& end) const {
    const auto kind = kind_of(*end.element, end.connector);
    if (!kind) return std::nullopt;
    const bool is_inside = end.element == &system; // seen from within, inputs give values
    switch (*kind) {
    case ConnectorKind::input:
    case ConnectorKind::parameter:
    case ConnectorKind::structural_parameter: return is_inside ? Role::source : Role::sink;
    case ConnectorKind::inout:
    case ConnectorKind::unspecified: return Role::either;
    default: return is_inside ? Role::sink : Role::source;
    }
}

void Wiring::add_link(const Element& system, const Link& link) {
    const auto start =
        find_end(system, link, link.start_element, link.start_connector, link.start_indices);
    const auto end = find_end(system, link, link.end_element, link.end_connector, link.end_indices);
    if (!start || !end) return;
    const auto first = role_of(system, *start), second = role_of(system, *end);
    if (first == second && first != Role::either) {
        diagnostics_.error(link.where,
                           format("\"{}\" cannot be connected to \"{}\": both {}",
                                  name_of(system, *start), name_of(system, *end),
                                  first == Role::source ? "give values" : "take values"),
                           "see \"Allowed Connections\" of the SSP standard");
        return;
    }
    // The ends have no order: the kinds of connectors say which way values go.
    const bool is_reversed = first == Role::sink || second == Role::source;
    if (is_reversed)
        add_inbound(*end, *start, link);
    else
        add_inbound(*start, *end, link);
}

std::optional<Wiring::Key> Wiring::key_of(const End& end, const Link& link) {
    if (end.element->kind != Element::Kind::dictionary_reference)
        return Key{end.element, end.connector + end.indices};
    const Element* const system = find_dictionary(*end.element);
    if (!system) {
        diagnostics_.error(link.where,
                           format("\"{}\" refers to the signal dictionary \"{}\", which no system "
                                  "around it has",
                                  end.element->name, end.element->dictionary));
        return std::nullopt;
    }
    return Key{&system->dictionaries, end.element->dictionary + "." + end.connector};
}

void Wiring::add_inbound(const End& from, const End& to, const Link& link) {
    const auto key = key_of(to, link);
    if (!key || !key_of(from, link)) return;
    const auto [first, is_new] = inbound_.emplace(*key, Inbound{from, &link});
    if (!is_new) {
        diagnostics_.error(
            link.where,
            format("\"{}.{}{}\" has two sources", to.element->name, to.connector, to.indices),
            format("the other is at {}: remove one", to_string(first->second.link->where)));
        return;
    }
    const bool is_output_of_root = to.element == &root_;
    if (to.element->kind == Element::Kind::component || is_output_of_root) sinks_.push_back(to);
}

std::optional<Flow> Wiring::trace(const End& target, const Inbound& last) {
    Flow flow{last.from, target, {{target, last.link}}};
    while (flow.source.element->kind != Element::Kind::component) {
        const auto key = key_of(flow.source, *flow.segments.back().link);
        const auto before = key ? inbound_.find(*key) : inbound_.end();
        if (before == inbound_.end()) break;
        if (flow.segments.size() > most_segments) {
            diagnostics_.error(last.link->where, format("\"{}.{}\" is connected with itself",
                                                        target.element->name, target.connector));
            return std::nullopt;
        }
        flow.segments.push_back({flow.source, before->second.link});
        flow.source = before->second.from;
    }
    std::ranges::reverse(flow.segments);
    return flow;
}

std::vector<Flow> Wiring::flows() {
    std::vector<Flow> all;
    for (const End& sink : sinks_) {
        const auto last = inbound_.find(Key{sink.element, sink.connector + sink.indices});
        if (auto flow = trace(sink, last->second)) all.push_back(std::move(*flow));
    }
    return all;
}

std::optional<Flow> flow_from(const Flow& flow, const Element* element,
                              const std::string& connector) {
    for (std::size_t i = 0; i + 1 < flow.segments.size(); ++i) {
        const End& end = flow.segments[i].to;
        if (end.element != element || end.connector != connector) continue;
        Flow rest{
            end,
            flow.target,
            {flow.segments.begin() + static_cast<std::ptrdiff_t>(i) + 1, flow.segments.end()}};
        return rest;
    }
    if (flow.source.element == element && flow.source.connector == connector) return flow;
    return std::nullopt;
}

} // namespace rubato::scenario::formats::ssp
