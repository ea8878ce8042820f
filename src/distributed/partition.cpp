// SPDX-License-Identifier: Apache-2.0
#include "module.hpp"

#include <rubato/distributed/partition.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rubato::distributed {

namespace {

/// Each edge is in the lists of both of its vertices.
struct Lists {
    std::vector<std::int32_t> begins, neighbours, weights, costs;

    explicit Lists(const pipeline::UnitGraph& graph) : begins(graph.costs.size() + 1) {
        for (const auto& edge : graph.edges) {
            ++begins[edge.from + 1];
            ++begins[edge.to + 1];
        }
        std::partial_sum(begins.begin(), begins.end(), begins.begin());
        neighbours.resize(2 * graph.edges.size());
        weights.resize(2 * graph.edges.size());
        std::vector<std::int32_t> next(begins.begin(), begins.end() - 1);
        const auto add = [&](std::uint32_t at, std::uint32_t other, std::uint32_t bytes) {
            const auto place = static_cast<std::size_t>(next[at]++);
            neighbours[place] = static_cast<std::int32_t>(other);
            weights[place] = static_cast<std::int32_t>(bytes);
        };
        for (const auto& [from, to, bytes] : graph.edges) {
            add(from, to, bytes);
            add(to, from, bytes);
        }
        weigh(graph.costs);
    }

    /// METIS wants integers: costs that are none become parts of a million.
    void weigh(const std::vector<double>& all) {
        constexpr double parts = 1e6, most = 1e9;
        const double sum = std::accumulate(all.begin(), all.end(), 0.0);
        const bool fits = sum <= most && std::ranges::all_of(all, [](double cost) {
                              return cost >= 1 && cost == std::floor(cost);
                          });
        const double scale = fits ? 1 : parts / sum;
        for (const double cost : all)
            costs.push_back(static_cast<std::int32_t>(std::max(1.0, std::round(cost * scale))));
    }
};

} // namespace

std::vector<std::uint32_t> partition(const pipeline::UnitGraph& graph, std::uint32_t parts) {
    if (parts <= 1) return std::vector<std::uint32_t>(graph.costs.size(), 0);
    const auto divide = reinterpret_cast<PartitionFunction>(files::module_function(
        mpi_module, "rubato_partition", "placing units on several processes"));
    const Lists lists(graph);
    std::vector<std::int32_t> found(graph.costs.size());
    const PartitionProblem problem{.vertices = static_cast<std::int32_t>(graph.costs.size()),
                                   .begins = lists.begins.data(),
                                   .neighbours = lists.neighbours.data(),
                                   .edge_weights = lists.weights.data(),
                                   .vertex_weights = lists.costs.data(),
                                   .parts = static_cast<std::int32_t>(parts)};
    if (!divide(problem, found.data()))
        throw Error("METIS cannot divide the units among the processes",
                    "say by placement in the scenario which rank has which unit");
    return {found.begin(), found.end()};
}

} // namespace rubato::distributed
