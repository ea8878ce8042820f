// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "descent.hpp"

#include <string>
#include <vector>

namespace rubato::examples {

/// A co-simulation, and the monolithic solution at its points.
struct Comparison {
    std::string recipe;
    double tolerance = 0; ///< of divergence
    Descent run, reference;
};

/// Draws the paper's Figures 3 and 5, and the way down the stairs. Returns the files.
std::vector<std::string> draw(const Comparison& comparison, const std::string& folder);

} // namespace rubato::examples
