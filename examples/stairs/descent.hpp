// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/simulation.hpp>
#include <rubato/scenario/overrides.hpp>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace rubato::examples {

/// What the staircase has decided, from a time on.
struct Decision {
    double time = 0;
    int stair = 0;
    bool contact = false;

    bool same_as(const Decision& other) const {
        return stair == other.stair && contact == other.contact;
    }
};

/// A ball's way down the stairs, row by row: of rows at one time the last.
struct Descent {
    static constexpr const char* names[] = {"x", "y", "v_x", "v_y"};

    std::vector<double> times;
    std::array<std::vector<double>, 4> motion; ///< x, y, v_x and v_y
    std::vector<Decision> decisions;           ///< the first one, and every other one
    std::vector<Time> points;                  ///< of communication
    engine::Summary summary;
};

/// How a scenario is run.
struct Settings {
    std::vector<scenario::Override> overrides;
    std::vector<Time> points; ///< of communication; empty: as the scenario says
    std::function<void(scenario::Scenario&)> change = [](scenario::Scenario&) {};
};

/// Runs a scenario that records x, y, v_x, v_y, stair and contact in this order.
Descent descend(const std::string& file, const Settings& settings = {});

/// The rows of a run as points of communication for another one.
std::vector<Time> as_points(const Descent& descent);

/// The largest difference of each of x, y, v_x and v_y, beside the range of `reference`, which has
/// the same rows.
std::array<double, 4> errors(const Descent& descent, const Descent& reference);
double largest_error(const Descent& descent, const Descent& reference);

/// Whether both have made the same decisions in the same order.
bool same_decisions(const Descent& one, const Descent& other);

} // namespace rubato::examples
