// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace stairs {

/// Which stair a ball is above, and whether it touches it.
struct Decision {
    std::int32_t stair = 0;
    bool contact = false;

    friend bool operator==(const Decision&, const Decision&) = default;
};

/// How far beyond a boundary a ball is when that is noticed [m]: a crossing that is located to
/// rounding must not end on the boundary itself, where nothing is decided.
inline constexpr double margin = 1e-12;

/// How far the ball is beyond the edge of its stair, of which the first is `first`.
inline double beyond_edge(std::int32_t stair, std::int32_t first, double x) {
    return x - first + 1 + stair;
}

/// Algorithm 1 of the paper (README.md), repeated until it changes nothing.
inline Decision decide(Decision now, std::int32_t first, double x, double y) {
    while (beyond_edge(now.stair, first, x) > 0) --now.stair;
    if (y < now.stair)
        now.contact = true;
    else if (y > now.stair)
        now.contact = false;
    return now;
}

/// They change their signs where a decision changes.
inline std::array<double, 2> boundaries(Decision now, std::int32_t first, double x, double y) {
    return {y - now.stair + (now.contact ? -margin : margin),
            beyond_edge(now.stair, first, x) - margin};
}

} // namespace stairs
