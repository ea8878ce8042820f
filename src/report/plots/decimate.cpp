// SPDX-License-Identifier: Apache-2.0
#include "decimate.hpp"

#include <algorithm>
#include <array>

namespace rubato::report {
namespace {

/// Appends what is to be seen of points[first, last), which share a pixel column.
void append_column(std::vector<Point>& out, const std::vector<Point>& points, std::size_t first,
                   std::size_t last) {
    std::size_t lowest = first;
    std::size_t highest = first;
    for (std::size_t i = first; i < last; ++i) {
        if (points[i].y < points[lowest].y) lowest = i;
        if (points[i].y > points[highest].y) highest = i;
    }
    std::array<std::size_t, 4> kept = {first, lowest, highest, last - 1};
    std::sort(kept.begin(), kept.end());
    const auto* const end = std::unique(kept.begin(), kept.end());
    for (const auto* index = kept.begin(); index != end; ++index) out.push_back(points[*index]);
}

} // namespace

std::vector<Point> decimate(const std::vector<Point>& points) {
    std::vector<Point> out;
    std::size_t first = 0;
    while (first < points.size()) {
        if (is_gap(points[first])) {
            out.push_back(points[first++]);
            continue;
        }
        std::size_t last = first + 1;
        while (last < points.size() && !is_gap(points[last]) &&
               std::floor(points[last].x) == std::floor(points[first].x))
            ++last;
        append_column(out, points, first, last);
        first = last;
    }
    return out;
}

} // namespace rubato::report
