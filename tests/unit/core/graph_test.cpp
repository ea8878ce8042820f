// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/graph.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace rubato {
namespace {

using Components = std::vector<std::vector<Graph::Node>>;

std::vector<std::vector<bool>> reachability(const Graph& graph) {
    const std::size_t n = graph.size();
    std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n));
    for (Graph::Node from = 0; from < n; ++from) {
        reaches[from][from] = true;
        for (const Graph::Node to : graph.successors(from)) reaches[from][to] = true;
    }
    for (std::size_t via = 0; via < n; ++via) {
        for (std::size_t a = 0; a < n; ++a) {
            for (std::size_t b = 0; reaches[a][via] && b < n; ++b) {
                if (reaches[via][b]) reaches[a][b] = true;
            }
        }
    }
    return reaches;
}

std::vector<std::size_t> component_of_nodes(const Components& components, std::size_t n) {
    std::vector<std::size_t> component_of(n, components.size());
    for (std::size_t c = 0; c < components.size(); ++c) {
        for (const Graph::Node node : components[c]) component_of[node] = c;
    }
    return component_of;
}

Graph random_graph(std::mt19937& random, std::size_t n, std::size_t edges) {
    Graph graph(n);
    std::uniform_int_distribution<Graph::Node> node(0, static_cast<Graph::Node>(n - 1));
    for (std::size_t e = 0; e < edges; ++e) graph.add_edge(node(random), node(random));
    return graph;
}

TEST(StronglyConnectedComponents, OfAnEmptyGraphAreNone) {
    EXPECT_TRUE(strongly_connected_components(Graph(0)).empty());
}

TEST(StronglyConnectedComponents, ACycleIsOneAndWhatFollowsItComesLater) {
    Graph graph(4);
    graph.add_edge(2, 1);
    graph.add_edge(1, 0);
    graph.add_edge(0, 2);
    graph.add_edge(0, 3);
    EXPECT_EQ(strongly_connected_components(graph), (Components{{0, 1, 2}, {3}}));
}

TEST(StronglyConnectedComponents, ANodeWithAnEdgeToItselfStandsAlone) {
    Graph graph(2);
    graph.add_edge(1, 1);
    graph.add_edge(1, 0);
    EXPECT_EQ(strongly_connected_components(graph), (Components{{1}, {0}}));
}

TEST(StronglyConnectedComponents, AChainOfAHundredThousandNodesComesInOrder) {
    constexpr Graph::Node n = 100'000;
    Graph graph(n);
    for (Graph::Node node = n - 1; node > 0; --node) graph.add_edge(node, node - 1);
    const Components components = strongly_connected_components(graph);
    ASSERT_EQ(components.size(), n);
    for (Graph::Node i = 0; i < n; ++i)
        ASSERT_EQ(components[i], std::vector<Graph::Node>{n - 1 - i});
}

TEST(StronglyConnectedComponents, ARingOfAHundredThousandNodesIsOne) {
    constexpr Graph::Node n = 100'000;
    Graph graph(n);
    for (Graph::Node node = 0; node < n; ++node) graph.add_edge(node, (node + 1) % n);
    const Components components = strongly_connected_components(graph);
    ASSERT_EQ(components.size(), 1u);
    EXPECT_EQ(components[0].size(), n);
    EXPECT_TRUE(std::ranges::is_sorted(components[0]));
}

TEST(StronglyConnectedComponents, OfRandomGraphsAgreeWithReachability) {
    std::mt19937 random(1972);
    for (int round = 0; round < 300; ++round) {
        const std::size_t n = 1 + random() % 14;
        const Graph graph = random_graph(random, n, random() % (3 * n));
        const auto reaches = reachability(graph);
        const Components components = strongly_connected_components(graph);
        const auto component_of = component_of_nodes(components, n);
        for (std::size_t a = 0; a < n; ++a) {
            for (std::size_t b = 0; b < n; ++b) {
                const bool together = reaches[a][b] && reaches[b][a];
                ASSERT_EQ(component_of[a] == component_of[b], together);
                ASSERT_TRUE(!reaches[a][b] || component_of[a] <= component_of[b]);
            }
        }
    }
}

} // namespace
} // namespace rubato
