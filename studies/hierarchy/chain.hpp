// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/scenario.hpp>

#include <string>
#include <vector>

namespace rubato::studies::hierarchy {

/// A chain of oscillators, of which the first ones are slow and the others fast, a machine for each
/// part.
struct Chain {
    std::size_t slow = 2, fast = 2;
    double slow_stiffness = 1, fast_stiffness = 100;
    double coupling = 1, damping = 0.1; ///< between neighbours
    double stop = 2;
    std::size_t displaced = 0; ///< the mass that starts at 1 m
};

/// How it is transformed and run.
struct Setting {
    double step = 0.1;       ///< between machines
    double small_step = 0.1; ///< within a machine
    int order = 0;           ///< of extrapolation between machines
    int inner_order = 2;     ///< of extrapolation within a machine
    bool iterate = false;
};

/// The scenario, not transformed.
scenario::Scenario scenario_of(const Chain& chain, const Setting& setting);

/// Positions at the end: of the scenario that is transformed and run, and exactly.
std::vector<double> simulated(const Chain& chain, const Setting& setting);
std::vector<double> exact(const Chain& chain);

/// The largest difference of two positions.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

} // namespace rubato::studies::hierarchy
