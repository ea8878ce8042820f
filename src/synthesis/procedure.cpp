// SPDX-License-Identifier: Apache-2.0
#include "procedure.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

namespace rubato::synthesis {

using algorithm::Body;
using Node = Graph::Node;
using Kind = Operation::Kind;

namespace {

/// The nodes of a directed acyclic graph in layers: a node stands one layer after the last of its
/// predecessors. Nodes on cycles, and behind them, are left out.
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

/// One node per component.
Graph condensed(const Graph& graph, const std::vector<Component>& components) {
    std::vector<Node> component_of(graph.size());
    for (Node c = 0; c < components.size(); ++c) {
        for (const Node node : components[c]) component_of[node] = c;
    }
    Graph result(components.size());
    for (Node node = 0; node < component_of.size(); ++node) {
        for (const Node next : graph.successors(node)) {
            if (component_of[node] != component_of[next]) {
                result.add_edge(component_of[node], component_of[next]);
            }
        }
    }
    return result;
}

class Deriver {
public:
    Deriver(const OperationGraph& operations, const Opening& opening,
            const algorithm::Convergence& until)
        : operations_(operations), opening_(opening), until_(until) {}

    Derived derive() {
        const auto components = strongly_connected_components(operations_.graph);
        for (auto& layer : layers_of(condensed(operations_.graph, components))) {
            sort_by_reading_order(layer, [&](Node c) { return components[c].front(); });
            for (const Node c : layer) emit(components[c]);
        }
        std::ranges::sort(updates_);
        for (const UnitId unit : updates_) result_.body.push_back(algorithm::Update{unit});
        return std::move(result_);
    }

private:
    const Operation& operation(Node node) const { return operations_.operations[node]; }

    template <class Representative>
    void sort_by_reading_order(std::vector<Node>& nodes, Representative&& node_of) const {
        std::ranges::sort(nodes, {}, [&](Node n) {
            const Operation& op = operation(node_of(n));
            return std::tuple(op.kind, op.unit, op.port);
        });
    }

    void emit(const Component& component) {
        const Operation& first = operation(component.front());
        if (first.kind == Kind::agreement) return;
        if (first.kind == Kind::update) {
            updates_.push_back(first.unit);
            return;
        }
        const bool negotiates =
            first.kind == Kind::step && operations_.backtracked[first.unit.value];
        if (negotiates) {
            emit_negotiation(component);
        } else if (component.size() == 1) {
            result_.body.push_back(plain(first));
        } else {
            save_units(component);
            result_.body.push_back(fixed_point(component));
        }
    }

    static algorithm::Op plain(const Operation& operation) {
        switch (operation.kind) {
        case Kind::get: return algorithm::Get{operation.port};
        case Kind::set: return algorithm::Set{operation.port};
        default: return algorithm::Step{operation.unit};
        }
    }

    /// Steps come first in the numbering, so also within a component.
    std::vector<UnitId> stepped_units(const Component& component) const {
        std::vector<UnitId> units;
        for (const Node node : component) {
            if (operation(node).kind == Kind::step) units.push_back(operation(node).unit);
        }
        return units;
    }

    void save_units(const Component& component) {
        for (const UnitId unit : stepped_units(component)) {
            result_.body.push_back(algorithm::Save{unit});
        }
    }

    Body restored_units(const Component& component) const {
        Body retry;
        for (const UnitId unit : stepped_units(component))
            retry.push_back(algorithm::Restore{unit});
        return retry;
    }

    void emit_negotiation(const Component& component) {
        save_units(component);
        algorithm::Negotiate loop;
        loop.units = stepped_units(component);
        loop.retry = restored_units(component);
        const std::vector<bool> nothing_guessed(component.size());
        const auto layers = layers_of(reduced(component, nothing_guessed));
        std::size_t ordered = 0;
        for (const auto& layer : layers) ordered += layer.size();
        if (ordered == component.size()) {
            loop.iterate = in_layers(component, layers, [](Node) { return false; });
            result_.loops.push_back({LoopKind::step_finding, loop.units, {}, {}, true});
        } else {
            loop.iterate.push_back(fixed_point(component));
            result_.loops.back().kind = LoopKind::nested;
        }
        result_.body.push_back(std::move(loop));
    }

    algorithm::FixedPoint fixed_point(const Component& component) {
        algorithm::FixedPoint loop;
        loop.until = until_;
        loop.retry = restored_units(component);
        for (const Node node : component) {
            if (operation(node).kind == Kind::get) loop.ports.push_back(operation(node).port);
        }
        std::ranges::sort(loop.ports);
        const Guesses guesses = choose_guesses(operations_, component, opening_);
        loop.iterate = iteration(component, guesses.guessed, loop.retry.empty());
        note_loop(component, loop, guesses);
        return loop;
    }

    void note_loop(const Component& component, const algorithm::FixedPoint& loop,
                   const Guesses& guesses) {
        Loop found{loop.retry.empty() ? LoopKind::feedthrough : LoopKind::reactivity,
                   stepped_units(component),
                   loop.ports,
                   {},
                   guesses.are_fewest};
        for (std::size_t n = 0; n < component.size(); ++n) {
            if (guesses.guessed[n]) found.guessed.push_back(operation(component[n]).port);
        }
        result_.loops.push_back(std::move(found));
    }

    std::optional<Node> position(const Component& component, Node node) const {
        const auto found = std::ranges::lower_bound(component, node);
        if (found == component.end() || *found != node) return std::nullopt;
        return static_cast<Node>(found - component.begin());
    }

    /// The component by positions, without binding edges and without the connections to guessed
    /// inputs.
    Graph reduced(const Component& component, const std::vector<bool>& guessed) const {
        Graph graph(component.size());
        for (Node n = 0; n < component.size(); ++n) {
            const Node node = component[n];
            for (const Node next : operations_.graph.successors(node)) {
                const auto to = position(component, next);
                if (!to || operations_.binds(node, next)) continue;
                const bool opened = operations_.source_of[next] == node && guessed[*to];
                if (!opened) graph.add_edge(n, *to);
            }
        }
        return graph;
    }

    /// Loops that roll back keep both what they started from and what they found: gets are
    /// tentative, and so are the sets that use them. Loops over one instant simply overwrite.
    Body iteration(const Component& component, const std::vector<bool>& guessed,
                   bool overwrite) const {
        const auto layers = layers_of(reduced(component, guessed));
        return in_layers(component, layers, [&](Node n) {
            const Node node = component[n];
            const auto source = operations_.source_of[node];
            const bool uses_tentative = source && position(component, *source) && !guessed[n];
            const bool tentative = operation(node).kind == Kind::get || uses_tentative;
            return tentative && !overwrite;
        });
    }

    template <class IsTentative>
    Body in_layers(const Component& component, std::vector<std::vector<Node>> layers,
                   IsTentative&& tentative) const {
        Body body;
        for (auto& layer : layers) {
            sort_by_reading_order(layer, [&](Node n) { return component[n]; });
            for (const Node n : layer) {
                algorithm::Op op = plain(operation(component[n]));
                const bool is_tentative = tentative(n);
                if (auto* get = std::get_if<algorithm::Get>(&op)) get->tentative = is_tentative;
                if (auto* set = std::get_if<algorithm::Set>(&op)) set->tentative = is_tentative;
                body.push_back(std::move(op));
            }
        }
        assert(body.size() == component.size() && "the guesses open every cycle");
        return body;
    }

    const OperationGraph& operations_;
    const Opening& opening_;
    const algorithm::Convergence& until_;
    Derived result_;
    std::vector<UnitId> updates_; ///< come last
};

} // namespace

Derived derive_procedure(const OperationGraph& operations, const Opening& opening,
                         const algorithm::Convergence& until) {
    return Deriver(operations, opening, until).derive();
}

} // namespace rubato::synthesis
