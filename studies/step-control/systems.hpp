// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "two_masses.hpp"

#include <rubato/engine/reference.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/scenario/overrides.hpp>

#include <string>
#include <vector>

namespace rubato::studies {

/// A scenario of this folder, and what it should come to.
struct System {
    std::string name; ///< of the file, without .yaml
    TwoMasses exact;
    std::string masses; ///< the unit that gives x1 and v1
    std::string force;  ///< the unit that gives Fc
    double nominal_x1 = 1, nominal_v1 = 1, nominal_force = 1;
    std::vector<double> fixed_steps; ///< that span the errors of interest
};

std::vector<System> systems();

/// The columns of a finished run are x1, v1 and Fc.
struct Finished {
    engine::Series series;
    std::vector<Time> points; ///< of communication
    engine::Summary summary;
};

/// With communication `points`, if any are given, whatever the scenario says of steps.
Finished run(const System& system, const std::string& folder,
             std::vector<scenario::Override> overrides, const engine::Series* like = nullptr,
             std::vector<Time> points = {});

/// Overrides for a step controller.
std::vector<scenario::Override> controlled(const std::string& controller, double tolerance);

/// What a column should be in a row, and its nominal value.
struct Expected {
    double value = 0;
    double nominal = 1;
};
std::vector<std::vector<Expected>> expected(const System& system, const engine::Series& run);

/// The largest error of all columns, beside magnitude and nominal value.
double largest_error(const System& system, const engine::Series& run);

} // namespace rubato::studies
