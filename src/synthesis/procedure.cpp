// SPDX-License-Identifier: Apache-2.0
#include "procedure.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

namespace rubato::synthesis {

using algorithm::Body;
using Node = Graph::Node;
using Component = std::vector<Node>;
using Kind = Operation::Kind;

namespace {

/// The nodes of a directed acyclic graph in layers: a node stands one layer after the last of its
/// predecessors. Nodes are 0 … size-1.
std::vector<std::vector<Node>> layers_of(const Graph& graph) {
    std::vector<std::size_t> waiting_for(graph.size());
    for (Node node = 0; node < graph.size(); ++node) {
        for (const Node next : graph.successors(node)) ++waiting_for[next];
    }
    std::vector<Node> ready;
    for (Node node = 0; node < graph.size(); ++node) {
        if (waiting_for[node] == 0) ready.push_back(node);
    }
    std::vector<std::vector<Node>> layers;
    while (!ready.empty()) {
        std::vector<Node> next_ready;
        for (const Node node : ready) {
            for (const Node next : graph.successors(node)) {
                if (--waiting_for[next] == 0) next_ready.push_back(next);
            }
        }
        layers.push_back(std::exchange(ready, std::move(next_ready)));
    }
    return layers;
}

class Deriver {
public:
    Deriver(const OperationGraph& operations, const LoopPolicy& policy)
        : operations_(operations), policy_(policy) {}

    Body derive() {
        const auto components = strongly_connected_components(operations_.graph);
        Body body;
        for (auto& layer : layers_of(condensed(components))) {
            sort_by_reading_order(layer, [&](Node c) { return components[c].front(); });
            for (const Node c : layer) emit(components[c], body);
        }
        return body;
    }

private:
    /// One node per component.
    Graph condensed(const std::vector<Component>& components) const {
        std::vector<Node> component_of(operations_.graph.size());
        for (Node c = 0; c < components.size(); ++c) {
            for (const Node node : components[c]) component_of[node] = c;
        }
        Graph graph(components.size());
        for (Node node = 0; node < component_of.size(); ++node) {
            for (const Node next : operations_.graph.successors(node)) {
                if (component_of[node] != component_of[next]) {
                    graph.add_edge(component_of[node], component_of[next]);
                }
            }
        }
        return graph;
    }

    template <class Representative>
    void sort_by_reading_order(std::vector<Node>& nodes, Representative&& node_of) const {
        std::ranges::sort(nodes, {}, [&](Node n) {
            const Operation& op = operations_.operations[node_of(n)];
            return std::tuple(op.kind, op.unit, op.port);
        });
    }

    void emit(const Component& component, Body& body) const {
        if (component.size() == 1) {
            body.push_back(plain(operations_.operations[component.front()]));
        } else {
            emit_loop(component, body);
        }
    }

    static algorithm::Op plain(const Operation& operation) {
        switch (operation.kind) {
        case Kind::get: return algorithm::Get{operation.port};
        case Kind::set: return algorithm::Set{operation.port};
        case Kind::step: break;
        }
        return algorithm::Step{operation.unit};
    }

    void emit_loop(const Component& component, Body& body) const {
        algorithm::FixedPoint loop;
        loop.until = policy_.until;
        for (const Node node : component) {
            const Operation& operation = operations_.operations[node];
            if (operation.kind == Kind::get) loop.ports.push_back(operation.port);
            if (operation.kind == Kind::step) {
                body.push_back(algorithm::Save{operation.unit});
                loop.retry.push_back(algorithm::Restore{operation.unit});
            }
        }
        loop.iterate = derive_iteration(component);
        body.push_back(std::move(loop));
    }

    bool is_guessed(Node node) const {
        const auto source = operations_.source_of[node];
        return source &&
               policy_.guess(operations_.operations[node], operations_.operations[*source]);
    }

    /// The component's operations once guessed inputs no longer wait for their sources.
    Body derive_iteration(const Component& component) const {
        const auto local = [&](Node node) -> std::optional<Node> {
            const auto found = std::ranges::lower_bound(component, node);
            if (found == component.end() || *found != node) return std::nullopt;
            return static_cast<Node>(found - component.begin());
        };
        Graph reduced(component.size());
        std::vector<bool> from_this_iteration(component.size());
        for (Node n = 0; n < component.size(); ++n) {
            const Node node = component[n];
            const auto source = operations_.source_of[node];
            from_this_iteration[n] = source && local(*source) && !is_guessed(node);
            for (const Node next : operations_.graph.successors(node)) {
                const bool opened = operations_.source_of[next] == node && is_guessed(next);
                if (const auto to = local(next); to && !opened) reduced.add_edge(n, *to);
            }
        }
        return ordered(component, reduced, from_this_iteration);
    }

    Body ordered(const Component& component, const Graph& reduced,
                 const std::vector<bool>& from_this_iteration) const {
        Body body;
        for (auto& layer : layers_of(reduced)) {
            sort_by_reading_order(layer, [&](Node n) { return component[n]; });
            for (const Node n : layer) {
                algorithm::Op op = plain(operations_.operations[component[n]]);
                if (auto* get = std::get_if<algorithm::Get>(&op)) get->tentative = true;
                if (auto* set = std::get_if<algorithm::Set>(&op))
                    set->tentative = from_this_iteration[n];
                body.push_back(std::move(op));
            }
        }
        assert(body.size() == component.size() && "the guesses must open every cycle");
        return body;
    }

    const OperationGraph& operations_;
    const LoopPolicy& policy_;
};

} // namespace

Body derive_procedure(const OperationGraph& operations, const LoopPolicy& policy) {
    return Deriver(operations, policy).derive();
}

} // namespace rubato::synthesis
