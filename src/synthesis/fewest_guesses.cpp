// SPDX-License-Identifier: Apache-2.0
#include "fewest_guesses.hpp"

#include <algorithm>
#include <deque>
#include <tuple>
#include <utility>

namespace rubato::synthesis {

using Node = Graph::Node;

namespace {

/// The inputs of a component: an edge s → s' where the source of s' depends on s without another
/// connection between. Guessing an input takes the edges to it away.
class InputGraph {
public:
    InputGraph(const OperationGraph& operations, const Component& component,
               std::vector<bool> guessed)
        : operations_(operations), component_(component), guessed_(std::move(guessed)) {
        for (Node n = 0; n < component.size(); ++n) {
            if (is_candidate(n)) inputs_.push_back(n);
        }
        build_edges();
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
    bool search_from(std::size_t least) {
        for (std::size_t guesses = least; budget_ > 0; ++guesses) {
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

} // namespace

std::optional<std::vector<bool>> find_fewest_guesses(const OperationGraph& operations,
                                                     const Component& component,
                                                     const std::vector<bool>& guessed,
                                                     const std::vector<bool>& delayed,
                                                     std::size_t least) {
    InputGraph graph(operations, component, guessed);
    if (!FewestGuesses(graph, delayed).search_from(least)) return std::nullopt;
    return graph.take();
}

} // namespace rubato::synthesis
