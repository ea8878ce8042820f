// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>

namespace rubato {

/// A length of simulated time, in seconds.
struct Duration {
    double seconds = 0;
    friend constexpr auto operator<=>(Duration, Duration) = default;
    // By one comparison; by <=> it would be three.
    friend constexpr bool operator<(Duration a, Duration b) { return a.seconds < b.seconds; }
    friend constexpr bool operator>(Duration a, Duration b) { return a.seconds > b.seconds; }
    friend constexpr bool operator<=(Duration a, Duration b) { return a.seconds <= b.seconds; }
    friend constexpr bool operator>=(Duration a, Duration b) { return a.seconds >= b.seconds; }
    friend constexpr Duration operator*(double factor, Duration d) { return {factor * d.seconds}; }
};

/// A point in simulated time, in seconds.
struct Time {
    double seconds = 0;
    friend constexpr auto operator<=>(Time, Time) = default;
    // By one comparison; by <=> it would be three.
    friend constexpr bool operator<(Time a, Time b) { return a.seconds < b.seconds; }
    friend constexpr bool operator>(Time a, Time b) { return a.seconds > b.seconds; }
    friend constexpr bool operator<=(Time a, Time b) { return a.seconds <= b.seconds; }
    friend constexpr bool operator>=(Time a, Time b) { return a.seconds >= b.seconds; }
    friend constexpr Time operator+(Time t, Duration d) { return {t.seconds + d.seconds}; }
    friend constexpr Duration operator-(Time a, Time b) { return {a.seconds - b.seconds}; }
};

} // namespace rubato
