// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace rubato::scenario {

/// How an input is continued between communication points: a polynomial through its last samples.
enum class Approximation { constant, linear, quadratic };
std::string_view to_string(Approximation approximation);

/// Which way: beyond its last sample, or between the last two (then its source has advanced).
enum class ApproximationMode { extrapolate, interpolate };
std::string_view to_string(ApproximationMode mode);

/// How an extrapolated piece continues the one before: it starts at the new sample, or where the
/// last piece has ended, to meet the same value at the end of the step.
enum class Join { jump, continuous };
std::string_view to_string(Join join);

} // namespace rubato::scenario
