// SPDX-License-Identifier: Apache-2.0
#include "procedure.hpp"

#include <rubato/synthesis/graph_view.hpp>

#include <array>

namespace rubato::synthesis {

using scenario::System;
using Kind = Operation::Kind;

std::string_view to_string(Rule rule) {
    static constexpr std::array<std::string_view, 9> names = {
        "connection",   "step before get", "reactive set before step", "step before delayed set",
        "feed-through", "same step",       "agreed step first",        "clock first",
        "update last"};
    return names.at(static_cast<std::size_t>(rule));
}

namespace {

/// Adds to a graph what became of its components.
class Viewer {
public:
    explicit Viewer(const OperationGraph& operations)
        : operations_(operations), component_of_(operations.operations.size()) {
        const auto components = strongly_connected_components(operations.graph);
        for (std::size_t c = 0; c < components.size(); ++c) {
            for (const Graph::Node node : components[c]) component_of_[node] = c;
        }
        loop_of_.resize(components.size());
        guessed_.resize(operations.operations.size());
    }

    GraphView view(std::vector<Loop> loops) && {
        for (std::size_t l = 0; l < loops.size(); ++l) enter(l, loops[l]);
        GraphView result;
        for (Graph::Node node = 0; node < component_of_.size(); ++node) {
            result.nodes.push_back({operations_.operations[node], loop_of_[component_of_[node]]});
            for (const Graph::Node next : operations_.graph.successors(node)) {
                result.edges.push_back(
                    {node, next, operations_.rule(node, next), is_guessed(node, next)});
            }
        }
        result.loops = std::move(loops);
        return result;
    }

private:
    /// Each loop has a component of its own, and a step or a get within it.
    void enter(std::size_t index, const Loop& loop) {
        const Graph::Node member =
            loop.units.empty() ? node_of(loop.ports.front()) : loop.units.front().value;
        loop_of_[component_of_[member]] = index;
        for (const PortId input : loop.guessed) guessed_[node_of(input)] = true;
    }

    bool is_guessed(Graph::Node from, Graph::Node to) const {
        return guessed_[to] && operations_.rule(from, to) == Rule::connection;
    }

    Graph::Node node_of(PortId port) const { return operations_.node_of[port.value].value(); }

    const OperationGraph& operations_;
    std::vector<std::size_t> component_of_;           ///< by node
    std::vector<std::optional<std::size_t>> loop_of_; ///< by component
    std::vector<bool> guessed_;                       ///< by node
};

System in_configuration(const System& system, std::size_t configuration) {
    if (system.configurations.empty()) return system;
    return scenario::in_configuration(system, system.configurations.at(configuration));
}

} // namespace

GraphView view_graph(const System& system, const SynthesisOptions& options, GraphChoice choice) {
    const auto operations = [&] {
        switch (choice.procedure) {
        case GraphChoice::Procedure::initialization: return initialization_graph(system);
        case GraphChoice::Procedure::event:
            return event_graph(in_configuration(system, choice.configuration));
        case GraphChoice::Procedure::step: break;
        }
        return step_graph(in_configuration(system, choice.configuration));
    }();
    const bool is_event = choice.procedure == GraphChoice::Procedure::event;
    const Opening opening = opening_of(system, is_event ? SynthesisOptions{} : options);
    Derived derived = derive_procedure(operations, opening, options.until);
    return Viewer(operations).view(std::move(derived.loops));
}

} // namespace rubato::synthesis
