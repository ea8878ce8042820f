// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "point.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace rubato::report {

inline bool is_gap(Point point) { return !std::isfinite(point.x) || !std::isfinite(point.y); }

/// Looks the same with fewer points: of neighbours that share a pixel column the first, the lowest,
/// the highest and the last stay. Gaps stay gaps.
std::vector<Point> decimate(const std::vector<Point>& points);

} // namespace rubato::report
