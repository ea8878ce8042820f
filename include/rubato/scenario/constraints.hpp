// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario {

/// How a constraint is kept (docs/explanation/transformation.md).
enum class ConstraintMethod {
    solve,     ///< Newton over the step, with rollback
    stabilize, ///< a correction after each step, without rollback
};
std::string_view to_string(ConstraintMethod method);

/// Outputs that are to be equal, although no connection can make them so, and the inputs by which
/// they are kept equal: `link: {equal: [left.x, right.x], by: {left.F: 1, right.F: -1}}`.
struct Constraint {
    /// Two outputs that are to be equal: the positions, or the velocities, or …
    struct Level {
        std::string name; ///< "x"; empty: the only one
        std::string first, second;
        friend bool operator==(const Level&, const Level&) = default;
    };
    /// An input that takes the multiplier times a factor.
    struct Effect {
        std::string input;
        double factor = 1;
        friend bool operator==(const Effect&, const Effect&) = default;
    };
    std::string name;
    std::vector<Level> levels; ///< each the derivative of the one before
    std::vector<Effect> by;
    std::optional<ConstraintMethod> method; ///< none: solve if the units can be rolled back
    /// In which a deviation of the lower levels decays [s]; none: the communication step.
    std::optional<double> time_constant;
    /// How the multiplier answers the residuals of all links of its unit; empty: not known yet.
    std::vector<double> gain;
    /// How often the residual must be differentiated for the multiplier to appear in it: 0 for
    /// voltages and currents, 2 for positions and forces. none: not known yet.
    std::optional<int> degree;
    Location where;
    friend bool operator==(const Constraint&, const Constraint&) = default;
};

} // namespace rubato::scenario
