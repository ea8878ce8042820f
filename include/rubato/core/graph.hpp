// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace rubato {

/// A directed graph over the nodes 0 … size-1.
class Graph {
public:
    using Node = std::uint32_t;

    explicit Graph(std::size_t size) : successors_(size) {}

    void add_edge(Node from, Node to) { successors_[from].push_back(to); }
    std::size_t size() const { return successors_.size(); }
    const std::vector<Node>& successors(Node node) const { return successors_[node]; }

private:
    std::vector<std::vector<Node>> successors_;
};

/// The strongly connected components in topological order: every edge between two components leads
/// from an earlier to a later one. Nodes within a component are sorted. Tarjan 1972, iterative.
std::vector<std::vector<Graph::Node>> strongly_connected_components(const Graph& graph);

} // namespace rubato
