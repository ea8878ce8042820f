// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/graph.hpp>

#include <algorithm>
#include <limits>

namespace rubato {

namespace {

class Tarjan {
public:
    explicit Tarjan(const Graph& graph)
        : graph_(graph), index_(graph.size(), unvisited), low_(graph.size()),
          on_stack_(graph.size()) {}

    std::vector<std::vector<Graph::Node>> run() {
        for (Graph::Node node = 0; node < graph_.size(); ++node) {
            if (index_[node] == unvisited) visit(node);
        }
        std::ranges::reverse(components_); // Tarjan finds sinks first
        return std::move(components_);
    }

private:
    struct Frame {
        Graph::Node node;
        std::size_t next_successor = 0;
    };

    void visit(Graph::Node root) {
        frames_.push_back({root});
        enter(root);
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            const auto& successors = graph_.successors(frame.node);
            if (frame.next_successor == successors.size()) {
                leave(frame.node);
                continue;
            }
            const Graph::Node next = successors[frame.next_successor++];
            if (index_[next] == unvisited) {
                frames_.push_back({next});
                enter(next);
            } else if (on_stack_[next]) {
                low_[frame.node] = std::min(low_[frame.node], index_[next]);
            }
        }
    }

    void enter(Graph::Node node) {
        index_[node] = low_[node] = counter_++;
        stack_.push_back(node);
        on_stack_[node] = true;
    }

    void leave(Graph::Node node) {
        frames_.pop_back();
        if (!frames_.empty()) {
            const Graph::Node parent = frames_.back().node;
            low_[parent] = std::min(low_[parent], low_[node]);
        }
        if (low_[node] == index_[node]) close_component(node);
    }

    void close_component(Graph::Node root) {
        std::vector<Graph::Node> component;
        Graph::Node node{};
        do {
            node = stack_.back();
            stack_.pop_back();
            on_stack_[node] = false;
            component.push_back(node);
        } while (node != root);
        std::ranges::sort(component);
        components_.push_back(std::move(component));
    }

    static constexpr std::uint32_t unvisited = std::numeric_limits<std::uint32_t>::max();
    const Graph& graph_;
    std::vector<std::uint32_t> index_;
    std::vector<std::uint32_t> low_;
    std::vector<bool> on_stack_;
    std::vector<Graph::Node> stack_;
    std::vector<Frame> frames_;
    std::uint32_t counter_ = 0;
    std::vector<std::vector<Graph::Node>> components_;
};

} // namespace

std::vector<std::vector<Graph::Node>> strongly_connected_components(const Graph& graph) {
    return Tarjan(graph).run();
}

} // namespace rubato
