// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/tune.hpp>

#include <string>
#include <vector>

namespace rubato::pipeline {

/// What the search needs to know of a scenario.
struct TunedSystem {
    std::vector<std::string> inputs; ///< continuous and connected, as `unit.input`
    unsigned highest_order = 0;      ///< of approximation that all units accept
    bool can_roll_back = false;      ///< all units
    bool has_bonds = false;
    std::size_t units = 0;
    scenario::Recipe recipe = scenario::Recipe::synthesized; ///< of the scenario
    double start = 0, stop = 1, step = 0.1;                  ///< of the scenario
    double longest_step() const;                             ///< that is tried
};
TunedSystem tuned_system(const Assembly& assembly);

/// Ways to run it whose step or tolerance is to be found; `size` is where to begin.
std::vector<TuneCandidate> first_ways(const TunedSystem& system, double tolerance);

/// What else may be changed about a good one.
std::vector<TuneCandidate> variations(const TuneCandidate& good, const TunedSystem& system);

/// The order of convergence that is expected.
double expected_order(const TuneCandidate& way);

} // namespace rubato::pipeline
