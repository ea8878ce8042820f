// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/assembly.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// Units and what they exchange.
struct UnitGraph {
    /// Between two units, in both directions.
    struct Edge {
        std::uint32_t from = 0, to = 0; ///< from < to
        std::uint32_t bytes = 0;        ///< per exchange
    };
    std::vector<double> costs; ///< of a step, by unit, relative to each other
    std::vector<Edge> edges;
};
UnitGraph unit_graph(const Assembly& assembly);

/// Divides a graph in parts of equal costs that exchange little: parts, by unit.
using Partition =
    std::function<std::vector<std::uint32_t>(const UnitGraph& graph, std::uint32_t parts)>;

/// Ranks, by unit: which of `processes` has which unit. Every process has one at least; units that
/// the scenario places are there. Throws InputError.
std::vector<std::uint32_t> placement_of(const Assembly& assembly, const UnitGraph& graph,
                                        std::uint32_t processes, const Partition& partition);

/// What a step of each unit costs, relative to the mean: measured in a run of so many communication
/// steps, in this process. Throws what a run throws.
std::vector<double> measured_costs(const Assembly& assembly, unit::Library& library, int steps);

/// What a placement makes of a step.
struct PlacementForecast {
    std::vector<std::uint32_t> units; ///< by rank
    std::vector<double> costs;        ///< by rank
    double imbalance = 1;             ///< largest cost of a rank over their mean
    std::size_t messages = 0;         ///< per exchange of all values: pairs of ranks, by direction
    std::uint64_t bytes = 0;          ///< per exchange
};
PlacementForecast forecast(const UnitGraph& graph, std::span<const std::uint32_t> ranks,
                           std::uint32_t processes);

/// What processes must agree on before they run a scenario together, as text: the program, the
/// scenario, and the contents of all files that it uses, a line for each.
std::vector<std::string> fingerprint_of(const Assembly& assembly, const unit::Library& library);

} // namespace rubato::pipeline
