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
    double first = 0, second = 0; ///< root mean squares
    double magnitude = 0;
};

Convergence convergence_of(const Differences& d) {
    constexpr double noise = 1e-13; // relative to the size of the values: rounding
    constexpr double least_ratio = 1.2;
    if (std::max(d.first, d.second) <= noise * d.magnitude) return Convergence::no_change;
    if (d.second <= noise * d.magnitude) return Convergence::observed; // by far
    return d.first > least_ratio * d.second ? Convergence::observed : Convergence::none;
}

Differences differences(const Series& coarse, const Series& half, const Series& quarter,
                        std::size_t column, std::size_t rows) {
    Differences d;
    for (std::size_t r = 0; r < rows; ++r) {
        const double value = coarse.value(r, column);
        const double first = value - half.value(r, column);
        const double second = half.value(r, column) - quarter.value(r, column);
        d.first += first * first;
        d.second += second * second;
        d.magnitude = std::max(d.magnitude, std::abs(value));
    }
    d.first = std::sqrt(d.first / static_cast<double>(rows));
    d.second = std::sqrt(d.second / static_cast<double>(rows));
    return d;
}

double range_of(const Series& series, std::size_t column) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (std::size_t r = 0; r < series.times().size(); ++r) {
        least = std::min(least, series.value(r, column));
        most = std::max(most, series.value(r, column));
    }
    return most > least ? most - least : 0;
}

double largest_difference(const Series& a, const Series& b, std::size_t column) {
    double largest = 0;
    for (std::size_t r = 0; r < std::min(a.times().size(), b.times().size()); ++r)
        largest = std::max(largest, std::abs(a.value(r, column) - b.value(r, column)));
    return largest;
}

} // namespace

bool RefinedError::is_sure() const {
    constexpr double most_underestimate = 1.5;
    constexpr double least_order = 0.5; // below it the remainder of the series is most of the error
    return convergence == Convergence::observed && order >= least_order &&
           underestimate.value_or(1) <= most_underestimate;
}

std::vector<RefinedError> extrapolated_errors(const Series& coarse, const Series& half,
                                              const Series& quarter) {
    std::vector<RefinedError> errors;
    const std::size_t rows =
        std::min({coarse.times().size(), half.times().size(), quarter.times().size()});
    for (std::size_t c = 0; c < coarse.columns().size(); ++c) {
        RefinedError& error = errors.emplace_back();
        error.name = coarse.columns()[c].name;
        error.unit = coarse.columns()[c].unit;
        if (rows == 0) continue;
        const Differences d = differences(coarse, half, quarter, c, rows);
        error.range = range_of(coarse, c);
        error.convergence = convergence_of(d);
        const bool converges = error.convergence == Convergence::observed;
        constexpr double highest_order = 10;
        if (converges) error.order = std::min(highest_order, std::log2(d.first / d.second));
        const double factor = converges ? 1 / (1 - std::exp2(-error.order)) : 1;
        for (std::size_t r = 0; r < rows; ++r) {
            const double first = std::abs(coarse.value(r, c) - half.value(r, c));
            const double second = std::abs(half.value(r, c) - quarter.value(r, c));
            error.final = factor * first + (converges ? 0 : second);
            error.largest = std::max(error.largest, error.final);
        }
    }
    return errors;
}

CloseLook close_look(std::span<const Time> points, Time from) {
    constexpr std::ptrdiff_t most_steps = 8; // that are looked at
    constexpr std::size_t few = 1 << 12;     // steps that are made at least
    constexpr std::size_t many = 1 << 15;    // and at most
    constexpr unsigned most_parts = 1 << 12;
    CloseLook look;
    if (points.size() < 2) return look;
    const auto last = points.end() - 1;
    auto first = std::ranges::upper_bound(points, from);
    if (first != points.begin()) --first;
    first = std::min(first, last - std::min(most_steps, last - points.begin()));
    const auto end = first + std::min(most_steps, last - first);
    const auto steps = static_cast<std::size_t>(end - first);
    const std::size_t allowed = std::clamp(2 * (points.size() - 1), few, many);
    while (2 * look.parts * steps <= allowed && look.parts < most_parts) look.parts *= 2;
    look.from = *first;
    look.until = *end;
    const auto cut = [&](unsigned parts) {
        std::vector<Time> result(points.begin(), first);
        const std::vector<Time> middle = refined({first, end + 1}, parts);
        result.insert(result.end(), middle.begin(), middle.end());
        result.insert(result.end(), end + 1, points.end());
        return result;
    };
    look.coarse = cut(1);
    look.half = cut(2);
    look.quarter = cut(4);
    look.fine = cut(look.parts);
    return look;
}

Time first_difference(const Series& coarse, const Series& half) {
    constexpr double little = 0.01; // relative to the largest one
    const std::size_t rows = std::min(coarse.times().size(), half.times().size());
    if (rows == 0) return {};
    std::size_t first = rows;
    for (std::size_t c = 0; c < coarse.columns().size(); ++c) {
        const double largest = largest_difference(coarse, half, c);
        if (largest == 0) continue;
        for (std::size_t r = 0; r < first; ++r)
            if (std::abs(coarse.value(r, c) - half.value(r, c)) > little * largest) first = r;
    }
    return {coarse.times()[first == rows || first == 0 ? 0 : first - 1]};
}

/// In a system that converges, far shorter steps agree with the estimate to a few
/// percent. Where one variable does not, a coupling is faster than the steps, and no variable is
/// sure.
void compare(std::span<RefinedError> errors, const Series& coarse, const Series& half,
             const Series& quarter, const Series& fine) {
    constexpr double noise = 1e-9;      // relative to the range
    constexpr double least_part = 1e-3; // of the error of the whole run
    const std::vector<RefinedError> first = extrapolated_errors(coarse, half, quarter);
    std::optional<double> most;
    for (std::size_t c = 0; c < std::min(errors.size(), first.size()); ++c) {
        const double seen = largest_difference(coarse, fine, c);
        if (seen <= noise * errors[c].range || seen < least_part * errors[c].largest) continue;
        const double ratio = first[c].largest > 0 ? seen / first[c].largest : HUGE_VAL;
        most = std::max(most.value_or(0), ratio);
    }
    for (RefinedError& error : errors) error.underestimate = most;
}

} // namespace rubato::engine
