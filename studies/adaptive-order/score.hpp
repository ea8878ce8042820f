// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "experiment.hpp"

namespace rubato::studies::adaptive_order {

/// How well an adaptive order has done beside the two that stay.
struct Score {
    double score = 0; ///< 1: always the best of the three errors, 0: always the worst
    // Shares of the transient in which its error was above both others, between them, below both.
    double worse = 0, between = 0, better = 0;
};

/// |v1 - v1_ref| at all communication points.
Trajectory errors(const Trajectory& v1, const Trajectory& reference);

/// Equation 9 of the paper, with 1e-8 added to the denominator as in its code; the transient ends
/// before the last point where an error exceeds 5e-4.
Score score(const Trajectory& adaptive, const Trajectory& msd1_first, const Trajectory& msd2_first);

} // namespace rubato::studies::adaptive_order
