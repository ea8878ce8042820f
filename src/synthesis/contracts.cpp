// SPDX-License-Identifier: Apache-2.0
#include "contracts.hpp"

#include "operation_graph.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::synthesis {

using scenario::Origin;
using scenario::Port;
using scenario::Reactivity;
using scenario::System;

namespace {

void assign(System& system, PortId input, Reactivity wanted, std::string_view hint,
            Diagnostics& diagnostics) {
    Port& port = system.port(input);
    if (port.is_sampled) return; // delayed, whatever the algorithm is
    if (port.reactivity_origin == Origin::scenario) {
        if (port.reactivity != wanted) {
            diagnostics.error(
                port.where,
                format("input \"{}\" is declared {}, but the algorithm needs it to be {}",
                       system.name_of(input), to_string(port.reactivity), to_string(wanted)),
                std::string(hint));
        }
        return;
    }
    port.reactivity = wanted;
    port.reactivity_origin = Origin::recipe;
}

/// By port: the strongly connected component of the step graph that its operation lies in, if that
/// component steps a unit.
std::vector<std::optional<std::size_t>> stepping_component_of(const System& system) {
    const OperationGraph operations = value_graph(system);
    std::vector<std::optional<std::size_t>> component_of(system.ports.size());
    const auto components = strongly_connected_components(operations.graph);
    for (std::size_t c = 0; c < components.size(); ++c) {
        const auto is_step = [&](Graph::Node node) {
            return operations.operations[node].kind == Operation::Kind::step;
        };
        if (components[c].size() == 1 || std::ranges::none_of(components[c], is_step)) continue;
        for (const Graph::Node node : components[c]) {
            if (!is_step(node)) component_of[operations.operations[node].port.value] = c;
        }
    }
    return component_of;
}

/// Whether what is exchanged moves between events, on both sides.
bool is_continuous(const System& system, const scenario::Link& link) {
    return system.port(link.from).is_continuous &&
           storage_of(system.port(link.to).type) == Storage::real;
}

std::vector<std::string> give_up_late_feedthrough(System& system) {
    const auto component_of = stepping_component_of(system);
    std::vector<std::string> remarks;
    for (std::size_t p = 0; p < system.ports.size(); ++p) {
        if (!component_of[p]) continue;
        std::string late;
        std::erase_if(system.ports[p].feedthrough, [&](PortId input) {
            const bool is_late = component_of[input.value] == component_of[p] &&
                                 system.port(input).reactivity == Reactivity::delayed;
            if (is_late) late += (late.empty() ? "" : ", ") + system.name_of(input);
            return is_late;
        });
        if (!late.empty()) {
            remarks.push_back(format("{} is propagated before {} can be known: it is computed from "
                                     "the unit's own approximation of that input",
                                     system.name_of(nth<PortId>(p)), late));
        }
    }
    return remarks;
}

} // namespace

std::vector<std::size_t> places_of(std::span<const UnitId> order) {
    std::vector<std::size_t> places(order.size());
    for (std::size_t place = 0; place < order.size(); ++place) places[order[place].value] = place;
    return places;
}

void make_all_delayed(System& system, Diagnostics& diagnostics) {
    for (const scenario::Link& link : system.links) {
        assign(system, link.to, Reactivity::delayed,
               "use gauss-seidel with its source earlier in the order, or an iterated algorithm",
               diagnostics);
    }
}

std::vector<std::string> make_iterated(System& system, Diagnostics& diagnostics) {
    const bool has_continuous = std::ranges::any_of(
        system.links, [&](const scenario::Link& link) { return is_continuous(system, link); });
    std::string held;
    for (const scenario::Link& link : system.links) {
        const bool is_iterated = !has_continuous || is_continuous(system, link);
        const bool is_declared = system.port(link.to).reactivity_origin == Origin::scenario;
        if (is_iterated)
            assign(system, link.to, Reactivity::reactive, "use jacobi or gauss-seidel",
                   diagnostics);
        else if (!is_declared)
            assign(system, link.to, Reactivity::delayed, {}, diagnostics);
        if (is_iterated || is_declared) continue;
        held += format("{}{} -> {}", held.empty() ? "" : ", ", system.name_of(link.from),
                       system.name_of(link.to));
    }
    auto remarks = give_up_late_feedthrough(system);
    if (!held.empty())
        remarks.push_back(format("not iterated, but exchanged at the end of a step, because the "
                                 "values are discrete: {}",
                                 held));
    return remarks;
}

std::vector<std::string> make_waveform(System& system, Diagnostics& diagnostics) {
    for (const scenario::Link& link : system.links) {
        const bool iterated = is_continuous(system, link);
        assign(system, link.to, iterated ? Reactivity::reactive : Reactivity::delayed,
               iterated ? "use jacobi or gauss-seidel" : "use an iterated algorithm", diagnostics);
    }
    return give_up_late_feedthrough(system);
}

std::vector<std::string> make_sequential(System& system, std::span<const UnitId> order,
                                         Diagnostics& diagnostics) {
    const auto place = places_of(order);
    for (const scenario::Link& link : system.links) {
        const bool source_first =
            place[system.port(link.from).unit.value] < place[system.port(link.to).unit.value];
        assign(system, link.to, source_first ? Reactivity::reactive : Reactivity::delayed,
               "change the order of the units", diagnostics);
    }
    return give_up_late_feedthrough(system);
}

} // namespace rubato::synthesis
