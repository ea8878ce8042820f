// SPDX-License-Identifier: Apache-2.0
#include "reduction.hpp"

#include "contracts.hpp"

#include <algorithm>
#include <deque>
#include <tuple>
#include <utility>

namespace rubato::synthesis {

using Node = Graph::Node;
using Kind = Operation::Kind;

namespace {

/// The inputs of a component: an edge s → s' where the source of s' depends on s without another
/// connection between. Guessing an input takes the edges to it away.
class InputGraph {
public:
    InputGraph(const OperationGraph& operations, const Component& component)
        : operations_(operations), component_(component), guessed_(component.size()) {
        for (Node n = 0; n < component.size(); ++n) {
            if (is_candidate(n)) inputs_.push_back(n);
        }
        build_edges();
    }

    const std::vector<Node>& inputs() const { return inputs_; }
    const Operation& operation(Node n) const { return operations_.operations[component_[n]]; }
    const Operation& source(Node n) const {
        return operations_.operations[*operations_.source_of[component_[n]]];
    }
    void guess(Node n, bool yes = true) { guessed_[n] = yes; }
    std::vector<bool> take() { return std::move(guessed_); }

    /// Positions in `component` of the inputs on a shortest cycle through `start`; empty: there is
    /// none.
    std::vector<Node> shortest_cycle_through(Node start) const {
        std::vector<std::optional<Node>> reached_from(component_.size());
        std::deque<Node> queue{start};
        while (!queue.empty()) {
            const Node node = queue.front();
            queue.pop_front();
            for (const Node next : next_[node]) {
                if (guessed_[next]) continue;
                if (next == start) return path_back(node, start, reached_from);
                if (reached_from[next]) continue;
                reached_from[next] = node;
                queue.push_back(next);
            }
        }
        return {};
    }

    std::vector<Node> shortest_cycle() const {
        std::vector<Node> best;
        for (const Node start : inputs_) {
            if (guessed_[start]) continue;
            auto cycle = shortest_cycle_through(start);
            if (!cycle.empty() && (best.empty() || cycle.size() < best.size()))
                best = std::move(cycle);
        }
        return best;
    }

    /// Guesses the targets of the back edges of a depth-first search: every cycle has one.
    void guess_back_edge_targets() {
        enum class Mark : std::uint8_t { fresh, open, closed };
        std::vector<Mark> marks(component_.size(), Mark::fresh);
        struct Frame {
            Node node;
            std::size_t next = 0;
        };
        for (const Node root : inputs_) {
            if (guessed_[root] || marks[root] != Mark::fresh) continue;
            std::vector<Frame> stack{{root}};
            marks[root] = Mark::open;
            while (!stack.empty()) {
                Frame& frame = stack.back();
                if (frame.next == next_[frame.node].size()) {
                    marks[frame.node] = Mark::closed;
                    stack.pop_back();
                    continue;
                }
                const Node next = next_[frame.node][frame.next++];
                if (guessed_[next]) continue;
                if (marks[next] == Mark::open) guessed_[next] = true;
                if (marks[next] != Mark::fresh) continue;
                marks[next] = Mark::open;
                stack.push_back({next});
            }
        }
    }

private:
    bool is_candidate(Node n) const {
        const auto source_node = operations_.source_of[component_[n]];
        return source_node && std::ranges::binary_search(component_, *source_node);
    }

    std::optional<Node> position(Node node) const {
        const auto found = std::ranges::lower_bound(component_, node);
        if (found == component_.end() || *found != node) return std::nullopt;
        return static_cast<Node>(found - component_.begin());
    }

    /// From each input over what happens within its unit to the inputs that its outputs feed.
    void build_edges() {
        next_.resize(component_.size());
        std::vector<Node> visited_for(component_.size(), static_cast<Node>(component_.size()));
        std::vector<Node> pending;
        for (const Node input : inputs_) {
            pending = {input};
            while (!pending.empty()) {
                const Node from = pending.back();
                pending.pop_back();
                for (const Node node : operations_.graph.successors(component_[from])) {
                    const auto to = position(node);
                    if (!to || operations_.binds(component_[from], node)) continue;
                    if (operations_.source_of[node] == component_[from]) {
                        next_[input].push_back(*to);
                    } else if (std::exchange(visited_for[*to], input) != input) {
                        pending.push_back(*to);
                    }
                }
            }
        }
    }

    static std::vector<Node> path_back(Node from, Node start,
                                       const std::vector<std::optional<Node>>& reached_from) {
        std::vector<Node> path{start};
        for (Node node = from; node != start; node = *reached_from[node]) path.push_back(node);
        return path;
    }

    const OperationGraph& operations_;
    const Component& component_;
    std::vector<Node> inputs_;            ///< positions of the sets that can be guessed
    std::vector<std::vector<Node>> next_; ///< by position
    std::vector<bool> guessed_;
};

/// Iterative deepening over the number of guesses: some input of each cycle must be guessed, so
/// branching over a shortest one misses nothing.
class FewestGuesses {
public:
    FewestGuesses(InputGraph& graph, const std::vector<bool>& delayed)
        : graph_(graph), delayed_(delayed) {}

    /// Whether a solution was found within the budget; it is then in the graph.
    bool search() {
        for (std::size_t guesses = 0; budget_ > 0; ++guesses) {
            if (search(guesses)) return true;
        }
        return false;
    }

private:
    bool search(std::size_t guesses_left) {
        if (budget_ == 0) return false;
        --budget_;
        std::vector<Node> cycle = graph_.shortest_cycle();
        if (cycle.empty()) return true;
        if (guesses_left == 0) return false;
        std::ranges::sort(cycle, {}, [&](Node n) { return std::tuple(bool(delayed_[n]), n); });
        for (const Node input : cycle) {
            graph_.guess(input);
            if (search(guesses_left - 1)) return true;
            graph_.guess(input, false);
        }
        return false;
    }

    InputGraph& graph_;
    const std::vector<bool>& delayed_;
    std::size_t budget_ = 20'000; ///< nodes of the search tree
};

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

void guess_fewest(InputGraph& graph, const std::vector<bool>& delayed) {
    constexpr std::size_t most_candidates = 36;
    if (graph.inputs().size() <= most_candidates && FewestGuesses(graph, delayed).search()) return;
    graph.guess_back_edge_targets();
}

void guess_most(InputGraph& graph, const std::vector<bool>& delayed) {
    for (const Node input : graph.inputs()) {
        if (!delayed[input]) graph.guess(input);
    }
    graph.guess_back_edge_targets(); // cycles through delayed inputs that feed through
}

void guess_in_order(InputGraph& graph, const std::vector<std::size_t>& place) {
    for (const Node input : graph.inputs()) {
        const bool source_first =
            place[graph.source(input).unit.value] < place[graph.operation(input).unit.value];
        if (!source_first) graph.guess(input);
    }
}

} // namespace

Opening opening_of(const scenario::System& system, const SynthesisOptions& options) {
    Opening result{options.reduction, places_of(options.order), {}};
    if (!options.hints.empty()) result.hinted.resize(system.ports.size());
    for (const PortId port : options.hints) result.hinted[port.value] = true;
    return result;
}

std::vector<bool> choose_guesses(const OperationGraph& operations, const Component& component,
                                 const Opening& opening) {
    InputGraph graph(operations, component);
    for (const Node input : graph.inputs()) {
        const PortId port = graph.operation(input).port;
        if (port.value < opening.hinted.size() && opening.hinted[port.value]) graph.guess(input);
    }
    const std::vector<bool> delayed = delayed_sets(operations, component);
    if (!opening.place.empty()) {
        guess_in_order(graph, opening.place);
    } else if (opening.reduction == scenario::Reduction::maximum) {
        guess_most(graph, delayed);
    } else {
        guess_fewest(graph, delayed);
    }
    return graph.take();
}

} // namespace rubato::synthesis
