// SPDX-License-Identifier: Apache-2.0
#include "tune/trace.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace rubato::pipeline {
namespace {

/// One variable of the reference.
class Curve {
public:
    Curve(const Trace& trace, std::size_t column) : trace_(trace), column_(column) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (std::size_t row = 0; row < trace.times.size(); ++row) {
            low = std::min(low, y(row));
            high = std::max(high, y(row));
        }
        constexpr double rounding = 1e-9;
        const double size = std::max(std::abs(low), std::abs(high));
        scale_ = high - low > rounding * size ? high - low : (size > 0 ? size : 1);
    }

    /// How far a value at a time is from it. `interval` is the one that holds the time.
    double distance(double time, double value, std::size_t interval) const {
        const std::size_t last = trace_.times.size() - 1;
        if (interval >= last) return std::abs(value - y(last)) / scale_;
        const double before = y(interval), after = y(interval + 1);
        if (jumps_after(interval)) {
            const auto [low, high] = std::minmax(before, after);
            return std::max({0.0, low - value, value - high}) / scale_;
        }
        return std::abs(value - between(time, interval)) / scale_;
    }

private:
    double y(std::size_t row) const { return trace_.value(row, column_); }

    bool jumps_after(std::size_t row) const {
        constexpr double jump = 0.2; // of the range from one point to the next
        return std::abs(y(row + 1) - y(row)) > jump * scale_;
    }

    /// Lagrange's polynomial through the points around the interval; a line next to a jump.
    double between(double time, std::size_t interval) const {
        const std::size_t count = std::min<std::size_t>(4, trace_.times.size());
        std::size_t first = interval > 0 ? interval - 1 : 0;
        first = std::min(first, trace_.times.size() - count);
        for (std::size_t i = first; i + 1 < first + count; ++i) {
            if (!jumps_after(i)) continue;
            const double part = (time - trace_.times[interval]) /
                                (trace_.times[interval + 1] - trace_.times[interval]);
            return y(interval) + part * (y(interval + 1) - y(interval));
        }
        double sum = 0;
        for (std::size_t i = first; i < first + count; ++i) {
            double weight = 1;
            for (std::size_t j = first; j < first + count; ++j)
                if (j != i)
                    weight *= (time - trace_.times[j]) / (trace_.times[i] - trace_.times[j]);
            sum += weight * y(i);
        }
        return sum;
    }

    const Trace& trace_;
    std::size_t column_;
    double scale_ = 1;
};

bool ends_with(const Trace& trace, const Trace& reference) {
    if (trace.times.empty() || reference.times.size() < 2) return false;
    const double span = reference.times.back() - reference.times.front();
    return std::abs(trace.times.back() - reference.times.back()) <= 1e-6 * span;
}

} // namespace

TraceError error_of(const Trace& trace, const Trace& reference) {
    if (!ends_with(trace, reference)) return {HUGE_VAL, "the end of the run"};
    TraceError worst;
    for (std::size_t column = 0; column < trace.names.size(); ++column) {
        const auto same = std::ranges::find(reference.names, trace.names[column]);
        if (same == reference.names.end()) continue;
        const Curve curve(reference, static_cast<std::size_t>(same - reference.names.begin()));
        std::size_t interval = 0;
        for (std::size_t row = 0; row < trace.times.size(); ++row) {
            const double time = trace.times[row];
            while (interval + 1 < reference.times.size() && reference.times[interval + 1] <= time)
                ++interval;
            double distance = curve.distance(time, trace.value(row, column), interval);
            if (std::isnan(distance)) distance = HUGE_VAL;
            if (distance > worst.relative) worst = {distance, trace.names[column]};
        }
    }
    return worst;
}

} // namespace rubato::pipeline
