// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/constraints.hpp>

#include <vector>

namespace rubato::scenario {

/// The residual of a constraint is the sum over its levels of the difference of the two outputs
/// times its weight C(n-1, k) / T^(n-1-k), where n is the number of levels and T the time constant:
/// a residual of 0 lets a deviation decay as exp(-t/T) (Baumgarte 1972). With more than one level
/// the constraint must have a time constant.
std::vector<double> level_weights(const Constraint& constraint);

} // namespace rubato::scenario
