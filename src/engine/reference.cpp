// SPDX-License-Identifier: Apache-2.0
#include <rubato/engine/reference.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::engine {

void Series::begin(std::span<const Column> columns) {
    for (const Column& column : columns)
        if (column.type == ValueType::float64 || column.type == ValueType::float32)
            columns_.push_back(column);
}

void Series::record(Time time) {
    if (!times_.empty() && times_.back() == time.seconds) {
        values_.resize(values_.size() - columns_.size());
    } else {
        const std::size_t row = times_.size();
        if (like_ && (row == like_->times_.size() || like_->times_[row] != time.seconds)) return;
        times_.push_back(time.seconds);
    }
    for (const Column& column : columns_)
        values_.push_back(*static_cast<const double*>(column.value));
}

std::vector<Time> refined(std::span<const Time> points, unsigned parts) {
    std::vector<Time> result;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Duration step = points[i + 1] - points[i];
        for (unsigned n = 0; n < parts; ++n)
            result.push_back(points[i] + (static_cast<double>(n) / parts) * step);
    }
    if (!points.empty()) result.push_back(points.back());
    return result;
}

namespace {

/// Differences of one variable between runs.
struct Differences {
    double squares_of_first = 0;
    double squares_of_second = 0;
    double magnitude = 0;
};

/// Beside the size of the values: what is smaller is rounding, or the units' own solvers.
constexpr double noise = 1e-13;

bool shows_order(const Differences& d, double rows) {
    const double first = std::sqrt(d.squares_of_first / rows);
    const double second = std::sqrt(d.squares_of_second / rows);
    constexpr double least_ratio = 1.2;
    return second > noise * d.magnitude && first > least_ratio * second;
}

} // namespace

std::vector<RefinedError> extrapolated_errors(const Series& coarse, const Series& half,
                                              const Series& quarter) {
    std::vector<RefinedError> errors;
    const std::size_t rows =
        std::min({coarse.times().size(), half.times().size(), quarter.times().size()});
    for (std::size_t c = 0; c < coarse.columns().size(); ++c) {
        Differences sum;
        double least = HUGE_VAL;
        double most = -HUGE_VAL;
        for (std::size_t r = 0; r < rows; ++r) {
            const double value = coarse.value(r, c);
            const double first = value - half.value(r, c);
            const double second = half.value(r, c) - quarter.value(r, c);
            sum.squares_of_first += first * first;
            sum.squares_of_second += second * second;
            sum.magnitude = std::max(sum.magnitude, std::abs(value));
            least = std::min(least, value);
            most = std::max(most, value);
        }
        RefinedError& error = errors.emplace_back();
        error.name = coarse.columns()[c].name;
        error.unit = coarse.columns()[c].unit;
        if (rows == 0) continue;
        error.range = most - least;
        error.has_order = shows_order(sum, static_cast<double>(rows));
        if (error.has_order)
            error.order = 0.5 * std::log2(sum.squares_of_first / sum.squares_of_second);
        const double factor = error.has_order ? 1 / (1 - std::exp2(-error.order)) : 1;
        for (std::size_t r = 0; r < rows; ++r) {
            const double first = std::abs(coarse.value(r, c) - half.value(r, c));
            const double second = std::abs(half.value(r, c) - quarter.value(r, c));
            error.final = factor * first + (error.has_order ? 0 : second);
            error.largest = std::max(error.largest, error.final);
        }
    }
    return errors;
}

} // namespace rubato::engine
