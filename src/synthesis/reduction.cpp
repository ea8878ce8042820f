// SPDX-License-Identifier: Apache-2.0
#include "reduction.hpp"

#include "contracts.hpp"
#include "fewest_guesses.hpp"
#include "guess_blocks.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rubato::synthesis {

using Node = Graph::Node;
using Kind = Operation::Kind;

namespace {

/// A set that takes its value from a get in the component.
bool is_candidate(const OperationGraph& operations, const Component& component, Node n) {
    const auto source = operations.source_of[component[n]];
    return source && std::ranges::binary_search(component, *source);
}

/// By arc: the best of what is tried.
std::vector<bool> fewest_broken(const ArcGraph& graph) {
    BlockOrder as_written(graph.blocks());
    std::iota(as_written.begin(), as_written.end(), ArcGraph::Block{0});
    std::vector<bool> best;
    for (BlockOrder order : {greedy_order(graph), std::move(as_written)}) {
        improve(graph, order);
        std::vector<bool> broken = broken_arcs(graph, order);
        if (best.empty() || std::ranges::count(broken, true) < std::ranges::count(best, true))
            best = std::move(broken);
    }
    return best;
}

/// By position: a set that the unit's step comes before.
std::vector<bool> delayed_sets(const OperationGraph& operations, const Component& component) {
    std::vector<bool> delayed(component.size());
    for (const Node node : component) {
        if (operations.operations[node].kind != Kind::step) continue;
        for (const Node next : operations.graph.successors(node)) {
            const auto found = std::ranges::lower_bound(component, next);
            if (found == component.end() || *found != next) continue;
            if (operations.operations[next].kind != Kind::set) continue;
            delayed[static_cast<std::size_t>(found - component.begin())] = true;
        }
    }
    return delayed;
}

constexpr std::size_t most_candidates = 36; // of an exact search

Guesses guess_in_order(const OperationGraph& operations, const Component& component,
                       std::vector<bool> guessed, const std::vector<std::size_t>& place) {
    for (Node n = 0; n < component.size(); ++n) {
        if (!is_candidate(operations, component, n)) continue;
        const Operation& source = operations.operations[*operations.source_of[component[n]]];
        const UnitId unit = operations.operations[component[n]].unit;
        if (place[source.unit.value] >= place[unit.value]) guessed[n] = true;
    }
    return {std::move(guessed), true};
}

/// Clocks order operations in ways that blocks do not know of: where there are too many inputs for
/// an exact search, they are guessed by the order of the units.
Guesses guess_with_clocks(const OperationGraph& operations, const Component& component,
                          std::vector<bool> guessed) {
    std::size_t candidates = 0;
    for (Node n = 0; n < component.size(); ++n)
        candidates += is_candidate(operations, component, n) ? 1 : 0;
    if (candidates <= most_candidates) {
        const std::vector<bool> none_delayed(component.size());
        auto fewest = find_fewest_guesses(operations, component, guessed, none_delayed, 1);
        if (fewest) return {std::move(*fewest), true};
    }
    std::vector<std::size_t> place(operations.backtracked.size());
    std::iota(place.begin(), place.end(), std::size_t{0});
    Guesses result = guess_in_order(operations, component, std::move(guessed), place);
    result.are_fewest = false;
    return result;
}

Guesses guess_fewest(const OperationGraph& operations, const Component& component,
                     std::vector<bool> guessed, const std::vector<bool>& delayed) {
    const GuessBlocks blocks(operations, component, guessed, delayed);
    const std::size_t least = disjoint_cycles(blocks.graph);
    if (blocks.graph.arcs() <= most_candidates) {
        auto fewest = find_fewest_guesses(operations, component, guessed, delayed, least);
        if (fewest) return {std::move(*fewest), true};
    }
    const std::vector<bool> broken = fewest_broken(blocks.graph);
    for (std::size_t arc = 0; arc < broken.size(); ++arc) {
        if (broken[arc]) guessed[blocks.inputs[arc]] = true;
    }
    const auto count = static_cast<std::size_t>(std::ranges::count(broken, true));
    return {std::move(guessed), count == least};
}

/// And of the delayed inputs, which take part where they feed through, as few as open the rest.
Guesses guess_most(const OperationGraph& operations, const Component& component,
                   std::vector<bool> guessed, const std::vector<bool>& delayed) {
    for (Node n = 0; n < component.size(); ++n) {
        if (is_candidate(operations, component, n) && !delayed[n]) guessed[n] = true;
    }
    Guesses result = guess_fewest(operations, component, std::move(guessed), delayed);
    result.are_fewest = true; // they are not meant to be
    return result;
}

} // namespace

Opening opening_of(const scenario::System& system, const SynthesisOptions& options) {
    Opening result{options.reduction, places_of(options.order), {}};
    if (!options.hints.empty()) result.hinted.resize(system.ports.size());
    for (const PortId port : options.hints) result.hinted[port.value] = true;
    return result;
}

Guesses choose_guesses(const OperationGraph& operations, const Component& component,
                       const Opening& opening) {
    std::vector<bool> guessed(component.size());
    for (Node n = 0; n < component.size(); ++n) {
        const PortId port = operations.operations[component[n]].port;
        const bool is_hinted = port.value < opening.hinted.size() && opening.hinted[port.value];
        if (is_hinted && is_candidate(operations, component, n)) guessed[n] = true;
    }
    const bool has_clocks =
        !operations.is_clock.empty() &&
        std::ranges::any_of(component, [&](Node node) { return operations.is_clock[node]; });
    if (has_clocks) return guess_with_clocks(operations, component, std::move(guessed));
    if (!opening.place.empty())
        return guess_in_order(operations, component, std::move(guessed), opening.place);
    const std::vector<bool> delayed = delayed_sets(operations, component);
    const auto guess =
        opening.reduction == scenario::Reduction::maximum ? guess_most : guess_fewest;
    return guess(operations, component, std::move(guessed), delayed);
}

} // namespace rubato::synthesis
