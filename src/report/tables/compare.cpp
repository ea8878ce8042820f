// SPDX-License-Identifier: Apache-2.0
#include <rubato/report/compare.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <span>

namespace rubato::report {
namespace {

constexpr double least_tolerance = 1e-9;
/// What a variable that should be zero may be: solvers keep their tolerance relative to something.
constexpr double tolerance_of_zero = 1e-6;

struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    /// False for NaN.
    bool includes(double value, double tolerance) const {
        return value >= low - tolerance && value <= high + tolerance;
    }
};

/// One variable over time, linear between its rows.
struct Curve {
    std::span<const double> times, values;

    double at(double time) const {
        const auto next = std::ranges::upper_bound(times, time);
        if (next == times.begin()) return values.front();
        const auto i = static_cast<std::size_t>(next - times.begin()) - 1;
        if (next == times.end()) return values[i];
        const double fraction = (time - times[i]) / (times[i + 1] - times[i]);
        return values[i] + fraction * (values[i + 1] - values[i]);
    }

    /// The rows from one time to another.
    Curve between(double from, double to) const {
        const auto first = std::ranges::lower_bound(times, from) - times.begin();
        const auto end = std::max(first, std::ranges::upper_bound(times, to) - times.begin());
        const auto part = [&](std::span<const double> all) {
            return all.subspan(static_cast<std::size_t>(first),
                               static_cast<std::size_t>(end - first));
        };
        return {part(times), part(values)};
    }
};

/// What a curve is around times that only grow. Linear in the number of rows and times: the least
/// and the greatest row of the window are the first ones of two queues.
class Surroundings {
public:
    Surroundings(const Curve& curve, double tube) : curve_(curve), tube_(tube) {}

    Extent at(double time) {
        const double from = time - tube_, to = time + tube_;
        for (; next_ < curve_.times.size() && curve_.times[next_] <= to; ++next_) {
            push(lows_, std::greater_equal<>());
            push(highs_, std::less_equal<>());
        }
        Extent extent;
        extent.include(curve_.at(from));
        extent.include(curve_.at(to));
        for (auto* rows : {&lows_, &highs_}) {
            while (!rows->empty() && curve_.times[rows->front()] < from) rows->pop_front();
            if (!rows->empty()) extent.include(curve_.values[rows->front()]);
        }
        return extent;
    }

private:
    /// Rows that the next one makes irrelevant go.
    template <class Relation>
    void push(std::deque<std::size_t>& rows, Relation is_outdone_by) {
        const double value = curve_.values[next_];
        if (std::isnan(value)) return;
        while (!rows.empty() && is_outdone_by(curve_.values[rows.back()], value)) rows.pop_back();
        rows.push_back(next_);
    }

    Curve curve_;
    double tube_;
    std::size_t next_ = 0;
    std::deque<std::size_t> lows_, highs_;
};

double tolerance_of(const Curve& reference, double part) {
    Extent all;
    for (const double value : reference.values)
        if (std::isfinite(value)) all.include(value);
    if (all.low > all.high) return tolerance_of_zero;
    const double range = all.high - all.low;
    const double size = std::max(std::abs(all.low), std::abs(all.high));
    if (size == 0) return tolerance_of_zero;
    // A range that is only rounding is that of a constant.
    const double scale = range > 1e-6 * size ? range : size;
    return std::max(part * scale, least_tolerance);
}

/// What most rows are apart.
double usual_interval(std::span<const double> times) {
    std::vector<double> intervals;
    for (std::size_t i = 1; i < times.size(); ++i)
        if (times[i] > times[i - 1]) intervals.push_back(times[i] - times[i - 1]);
    if (intervals.empty()) return 0;
    const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
    std::ranges::nth_element(intervals, middle);
    return *middle;
}

/// A column of results and the same of the reference.
struct Pair {
    const std::string& name;
    Curve results, reference;
    double tolerance = 0; ///< of values
    double tube = 0;      ///< of time
};

/// Whether the results, from their first row on, soon take the value that the reference begins
/// with.
bool begins_late(const Pair& pair) {
    const double start = pair.results.times.front();
    return Surroundings(pair.results, pair.tube)
        .at(start)
        .includes(pair.reference.at(start), pair.tolerance);
}

/// Whether a value is missing within so much time.
bool has_gap_near(const Curve& curve, double time, double tube) {
    const auto is_gap = [](double value) { return std::isnan(value); };
    return std::ranges::any_of(curve.between(time - tube, time + tube).values, is_gap);
}

/// Where the results leave the tube around the reference.
std::optional<Mismatch> find_stray(const Pair& pair, std::optional<Mismatch>& at_start) {
    Surroundings around(pair.reference, pair.tube);
    const double first = pair.reference.times.front(), last = pair.reference.times.back();
    const Curve rows = pair.results.between(first - pair.tube, last + pair.tube);
    for (std::size_t i = 0; i < rows.times.size(); ++i) {
        const double time = rows.times[i];
        if (around.at(time).includes(rows.values[i], pair.tolerance)) continue;
        const Mismatch found{pair.name, time, rows.values[i], pair.reference.at(time)};
        if (std::isnan(found.value) && has_gap_near(pair.reference, time, pair.tube)) continue;
        if (time != pair.results.times.front() || !begins_late(pair)) return found;
        if (!at_start) at_start = found;
    }
    return std::nullopt;
}

/// Where the reference leaves the tube around the results: what these have left out. It is twice as
/// wide: events between communication points need not have rows of their own. At the ends what
/// would be near may lie outside of the results.
std::optional<Mismatch> find_missed(const Pair& pair) {
    const double tolerance = 2 * pair.tolerance;
    Surroundings around(pair.results, pair.tube);
    const double first = pair.results.times.front(), last = pair.results.times.back();
    const Curve rows = pair.reference.between(first + pair.tube, last - pair.tube);
    for (std::size_t i = 0; i < rows.times.size(); ++i) {
        const double time = rows.times[i], value = rows.values[i];
        if (!std::isnan(value) && !around.at(time).includes(value, tolerance))
            return Mismatch{pair.name, time, pair.results.at(time), value};
    }
    return std::nullopt;
}

bool is_comparable(const Table::Column& column, const Table& other) {
    const auto index = other.find(column.name);
    return index && column.why_not_numeric.empty() &&
           other.columns()[*index].why_not_numeric.empty();
}

double time_tube_of(std::span<const double> times, const Tube& tube) {
    constexpr double longest = 0.5; // of the span: a reference of few rows must not excuse anything
    const double span = times.back() - times.front();
    const double least = tube.spans_rows ? std::min(usual_interval(times), longest * span) : 0;
    return std::max(tube.time * span, least);
}

/// The first one in time.
std::optional<Mismatch> find_mismatch(const Pair& pair, std::optional<Mismatch>& at_start) {
    const std::optional<Mismatch> stray = find_stray(pair, at_start), missed = find_missed(pair);
    if (!stray || !missed) return stray ? stray : missed;
    return missed->time < stray->time ? missed : stray;
}

} // namespace

Comparison compare(const Table& results, const Table& reference, const Tube& tube) {
    Comparison comparison;
    const std::vector<double>& times = results.columns().front().values;
    const std::vector<double>& known = reference.columns().front().values;
    if (times.empty() || known.empty()) return comparison;
    const double time_tube = time_tube_of(known, tube);
    if (times.back() < known.back() - time_tube) comparison.ends_too_soon = times.back();
    for (const Table::Column& column : std::span(reference.columns()).subspan(1)) {
        if (!is_comparable(column, results)) continue;
        comparison.compared.push_back(column.name);
        const Curve expected{known, column.values};
        const Pair pair{column.name, Curve{times, results.values(column.name)}, expected,
                        tolerance_of(expected, tube.value), time_tube};
        const auto found = find_mismatch(pair, comparison.differs_at_start);
        if (!found) continue;
        comparison.outside.push_back(*found);
        if (!comparison.mismatch || found->time < comparison.mismatch->time)
            comparison.mismatch = found;
    }
    return comparison;
}

} // namespace rubato::report
