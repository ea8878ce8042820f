// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace rubato::unit {

/// How far a unit may miss the ends of a step by rounding: FMUs add up their own short steps.
inline double reach_slack(Time from, Duration by) {
    constexpr double part_of_step = 1e-6;
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
    return part_of_step * by.seconds + rounding * std::abs(from.seconds);
}

/// Where a step has ended, from the time that a unit reports: its end, if it has been reached but
/// for rounding. nullopt: the time is not within the step.
inline std::optional<Time> reach_of(double reported, Time from, Duration by) {
    const double slack = reach_slack(from, by);
    const Time end = from + by;
    if (!(reported >= from.seconds - slack && reported <= end.seconds + slack)) return std::nullopt;
    if (reported >= end.seconds - slack) return end;
    return Time{std::max(reported, from.seconds)};
}

} // namespace rubato::unit
