// SPDX-License-Identifier: Apache-2.0
#include "timed_unit.hpp"

#include <rubato/pipeline/placement.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace rubato::pipeline {

std::vector<double> measured_costs(const Assembly& assembly, unit::Library& library, int steps) {
    std::map<std::string, UnitTime> times; // units of scenarios within are part of their unit
    for (const scenario::Unit& unit : assembly.scenario.units) times[unit.name] = {};
    const auto wrap = [&](std::unique_ptr<unit::Unit> unit) -> std::unique_ptr<unit::Unit> {
        const auto found = times.find(unit->name());
        if (found == times.end()) return unit;
        return std::make_unique<TimedUnit>(std::move(unit), found->second);
    };
    engine::Simulation simulation = build(assembly, library, silent_log(), {.wrap = wrap});
    simulation.initialize();
    if (!simulation.has_ended()) simulation.step(); // the first one often takes longer
    for (auto& [name, time] : times) time = {};
    for (int i = 0; i < steps && !simulation.has_ended(); ++i) simulation.step();
    constexpr double shortest = 1e-9; // none is free
    std::vector<double> costs;
    for (const scenario::Unit& unit : assembly.scenario.units)
        costs.push_back(std::max(shortest, times[unit.name].seconds));
    simulation.terminate();
    const double mean = std::accumulate(costs.begin(), costs.end(), 0.0) /
                        static_cast<double>(std::max<std::size_t>(1, costs.size()));
    for (double& cost : costs) cost /= mean;
    return costs;
}

} // namespace rubato::pipeline
