// SPDX-License-Identifier: Apache-2.0
#include "exposure.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <utility>

namespace rubato::composite {

using scenario::Causality;
using scenario::ExposedVariable;
using scenario::Variable;

namespace {

/// "an input", for messages.
std::string_view role_of(Causality causality) {
    switch (causality) {
    case Causality::input: return "an input";
    case Causality::output: return "an output";
    default: return "a parameter";
    }
}

} // namespace

Exposure::Exposure(const scenario::Scenario& inner, const scenario::System& system,
                   std::span<const scenario::UnitDescription> descriptions,
                   Diagnostics& diagnostics)
    : inner_(inner), system_(system), descriptions_(descriptions), diagnostics_(diagnostics),
      ports_(descriptions.size()) {
    for (std::size_t p = 0; p < system.ports.size(); ++p)
        ports_[system.ports[p].unit.value][system.ports[p].variable].push_back(nth<PortId>(p));
    note_connected(system.links, system.event_links);
    for (const scenario::Configuration& each : system.configurations)
        note_connected(each.links, each.event_links);
}

std::vector<Exposed> Exposure::find() {
    inner_.interface ? expose(*inner_.interface) : expose_all();
    return std::move(found_);
}

void Exposure::note_connected(const std::vector<scenario::Link>& links,
                              const std::vector<scenario::Link>& event_links) {
    for (const auto* list : {&links, &event_links})
        for (const scenario::Link& link : *list) source_of_.emplace(link.to, link.from);
}

std::string Exposure::name_of(const InnerVariable& inner) const {
    return inner_.units[inner.unit.value].name + "." + variable(inner).name;
}

void Exposure::expose(const scenario::InterfaceSettings& settings) {
    for (const ExposedVariable& each : settings.inputs) expose(each, Causality::input);
    for (const ExposedVariable& each : settings.outputs) expose(each, Causality::output);
    for (const ExposedVariable& each : settings.parameters) expose(each, Causality::parameter);
}

void Exposure::expose_all() {
    for (const Causality causality : {Causality::input, Causality::output, Causality::parameter})
        for (std::size_t u = 0; u < descriptions_.size(); ++u)
            for (std::uint32_t v = 0; v < descriptions_[u].variables.size(); ++v)
                expose_by_default({nth<UnitId>(u), v}, causality);
}

void Exposure::expose_by_default(const InnerVariable& inner, Causality causality) {
    const Variable& variable = this->variable(inner);
    if (variable.causality != causality || !obstacle(inner).empty()) return;
    if (causality == Causality::input && source_of(inner)) return;
    found_.push_back({name_of(inner), causality, {inner}});
}

void Exposure::expose(const ExposedVariable& exposed, Causality causality) {
    if (causality == Causality::output && exposed.of.size() != 1) {
        diagnostics_.error(
            exposed.where,
            format("interface.outputs.{} stands for {} variables", exposed.name, exposed.of.size()),
            "an output is one variable: give each its own name");
        return;
    }
    if (!names_.insert(exposed.name).second) {
        diagnostics_.error(exposed.where,
                           format("the interface has two variables \"{}\"", exposed.name),
                           "give one of them another name");
        return;
    }
    std::vector<InnerVariable> all;
    for (const std::string& name : exposed.of)
        if (const auto found = find(exposed, name, causality)) all.push_back(*found);
    if (all.size() == exposed.of.size() && are_alike(exposed, all))
        found_.push_back({exposed.name, causality, std::move(all)});
}

/// nullopt: it cannot be exposed, which has been reported.
std::optional<InnerVariable> Exposure::find(const ExposedVariable& exposed, const std::string& name,
                                            Causality causality) {
    const auto port = scenario::split_port_name(name);
    if (!port) return std::nullopt; // reported when it was read
    const auto unit = std::ranges::find(inner_.units, port->unit, &scenario::Unit::name);
    if (unit == inner_.units.end()) {
        std::vector<std::string> names;
        for (const scenario::Unit& each : inner_.units) names.push_back(each.name);
        diagnostics_.error(exposed.where,
                           format("interface: \"{}\" is {} of unit \"{}\", which does not exist",
                                  exposed.name, role_of(causality), port->unit),
                           suggest(port->unit, names, "units"));
        return std::nullopt;
    }
    const auto id = nth<UnitId>(static_cast<std::size_t>(unit - inner_.units.begin()));
    const auto index = descriptions_[id.value].find_variable(port->port);
    if (!index) {
        report_unknown(exposed, *port, id, causality);
        return std::nullopt;
    }
    const InnerVariable inner{id, *index};
    return check(exposed, inner, causality) ? std::optional(inner) : std::nullopt;
}

void Exposure::report_unknown(const ExposedVariable& exposed, const scenario::PortName& port,
                              UnitId unit, Causality causality) {
    std::vector<std::string> names;
    for (const Variable& each : descriptions_[unit.value].variables)
        if (each.causality == causality) names.push_back(each.name);
    diagnostics_.error(
        exposed.where,
        format("interface: unit \"{}\" has no variable \"{}\"", port.unit, port.port),
        suggest(port.port, names, "those of this kind"));
}

bool Exposure::check(const ExposedVariable& exposed, const InnerVariable& inner,
                     Causality causality) {
    const Variable& variable = this->variable(inner);
    const auto report = [&](const std::string& problem, std::string hint) {
        diagnostics_.error(
            exposed.where,
            format("interface: \"{}\": {} {}", exposed.name, name_of(inner), problem),
            std::move(hint));
        return false;
    };
    const bool fits = causality == Causality::parameter ? scenario::is_parameter(variable.causality)
                                                        : variable.causality == causality;
    if (!fits)
        return report(format("is not {}", role_of(causality)),
                      format("its causality is {}", to_string(variable.causality)));
    if (const std::string_view why = obstacle(inner); !why.empty())
        return report(std::string(why), "connect it within the inner scenario");
    if (causality == Causality::input && source_of(inner))
        return report(format("is connected to {} within the inner scenario",
                             system_.name_of(*source_of(inner))),
                      "an input has one source: remove the connection, or the interface's "
                      "input");
    if (causality != Causality::output && !taken_.insert({inner.unit, inner.variable}).second)
        return report("is already set by another variable of the interface",
                      "let one variable stand for it");
    return true;
}

std::string_view Exposure::obstacle(const InnerVariable& inner) const {
    const Variable& variable = this->variable(inner);
    if (variable.type == ValueType::clock) return "is a clock, which cannot be exposed yet";
    if (!variable.clocks.empty()) return "is clocked, which cannot be exposed yet";
    if (variable.causality == Causality::structural_parameter)
        return "sets the sizes of arrays, which are settled when the scenario is read";
    if (variable.causality == Causality::input && variable.derivative_of)
        return "carries the derivative of another input";
    return {};
}

std::optional<PortId> Exposure::source_of(const InnerVariable& inner) const {
    for (const PortId port : ports_of(inner)) {
        const auto found = source_of_.find(port);
        if (found != source_of_.end()) return found->second;
    }
    return std::nullopt;
}

std::vector<PortId> Exposure::ports_of(const InnerVariable& inner) const {
    const auto& ports = ports_[inner.unit.value];
    const auto found = ports.find(inner.variable);
    return found == ports.end() ? std::vector<PortId>() : found->second;
}

/// What stands for several variables gives all of them the same value.
bool Exposure::are_alike(const ExposedVariable& exposed, const std::vector<InnerVariable>& all) {
    const Variable& first = variable(all.front());
    for (const InnerVariable& inner : all) {
        const Variable& other = variable(inner);
        std::string difference;
        if (other.type != first.type)
            difference =
                format("are of types {} and {}", to_string(first.type), to_string(other.type));
        else if (other.element_count() != first.element_count())
            difference = "are arrays of different sizes";
        else if (other.unit != first.unit)
            difference = format("are in \"{}\" and \"{}\"", first.unit, other.unit);
        if (difference.empty()) continue;
        diagnostics_.error(exposed.where,
                           format("interface: \"{}\" stands for {} and {}, which {}", exposed.name,
                                  name_of(all.front()), name_of(inner), difference),
                           "give each its own variable of the interface");
        return false;
    }
    return true;
}

} // namespace rubato::composite
