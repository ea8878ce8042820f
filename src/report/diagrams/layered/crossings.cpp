// SPDX-License-Identifier: Apache-2.0
#include "crossings.hpp"

#include <algorithm>
#include <utility>

namespace rubato::report::layered {
namespace {

/// Where a span meets the layers above and below it.
struct Ends {
    double upper = 0;
    double lower = 0;
    friend auto operator<=>(const Ends&, const Ends&) = default;
};

/// Pairs that are out of order; merge sort counts them on its way.
std::size_t count_inversions(std::vector<double>& values, std::size_t from, std::size_t to) {
    if (to - from < 2) return 0;
    const std::size_t middle = from + (to - from) / 2;
    std::size_t count =
        count_inversions(values, from, middle) + count_inversions(values, middle, to);
    std::size_t right = middle;
    for (std::size_t left = from; left < middle; ++left) {
        while (right < to && values[right] < values[left]) ++right;
        count += right - middle;
    }
    const auto begin = values.begin();
    std::inplace_merge(begin + static_cast<std::ptrdiff_t>(from),
                       begin + static_cast<std::ptrdiff_t>(middle),
                       begin + static_cast<std::ptrdiff_t>(to));
    return count;
}

Ends ends_of(const Layers& layers, const Span& span) {
    return {layers.vertices[span.upper].x + span.upper_offset,
            layers.vertices[span.lower].x + span.lower_offset};
}

enum class Direction : std::uint8_t { down, up };

/// The mean place of the neighbours above or below; where there are none, the vertex' own.
double barycentre(const Layers& layers, Index vertex, Direction direction) {
    const bool is_down = direction == Direction::down;
    const auto& spans = is_down ? layers.spans_above[vertex] : layers.spans_below[vertex];
    if (spans.empty()) return layers.vertices[vertex].x;
    double sum = 0;
    for (const Index s : spans) {
        const Span& span = layers.spans[s];
        sum += is_down ? ends_of(layers, span).upper - span.lower_offset
                       : ends_of(layers, span).lower - span.upper_offset;
    }
    return sum / static_cast<double>(spans.size());
}

void order_row(Layers& layers, std::vector<Index>& row, Direction direction) {
    std::vector<std::pair<double, Index>> keyed;
    keyed.reserve(row.size());
    for (const Index vertex : row)
        keyed.emplace_back(barycentre(layers, vertex, direction), vertex);
    std::ranges::stable_sort(keyed, {}, &std::pair<double, Index>::first);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = keyed[i].second;
    pack(layers, row);
}

void sweep(Layers& layers, Direction direction) {
    if (direction == Direction::down) {
        for (auto& row : layers.rows) order_row(layers, row, direction);
    } else {
        for (auto row = layers.rows.rbegin(); row != layers.rows.rend(); ++row)
            order_row(layers, *row, direction);
    }
}

} // namespace

std::size_t count_crossings(const Layers& layers) {
    std::size_t count = 0;
    for (const auto& row : layers.rows) {
        std::vector<Ends> ends;
        for (const Index vertex : row) {
            for (const Index s : layers.spans_below[vertex])
                ends.push_back(ends_of(layers, layers.spans[s]));
        }
        std::ranges::sort(ends);
        std::vector<double> lower;
        lower.reserve(ends.size());
        for (const Ends& end : ends) lower.push_back(end.lower);
        count += count_inversions(lower, 0, lower.size());
    }
    return count;
}

void reduce_crossings(Layers& layers) {
    constexpr int most_sweeps = 40;
    constexpr int patience = 6; ///< sweeps without gain
    for (const auto& row : layers.rows) pack(layers, row);
    auto best = layers.rows;
    std::size_t fewest = count_crossings(layers);
    int idle = 0;
    for (int i = 0; i < most_sweeps && idle < patience && fewest > 0; ++i, ++idle) {
        sweep(layers, i % 2 == 0 ? Direction::down : Direction::up);
        const std::size_t count = count_crossings(layers);
        if (count >= fewest) continue;
        fewest = count;
        best = layers.rows;
        idle = -1;
    }
    layers.rows = std::move(best);
    for (const auto& row : layers.rows) pack(layers, row);
}

} // namespace rubato::report::layered
