// SPDX-License-Identifier: Apache-2.0
#include <rubato/report/compare.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace rubato::report {
namespace {

/// What a variable that should be zero may be.
constexpr double least_tolerance = 1e-9;

struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

/// One variable of the reference over time.
class Curve {
public:
    Curve(std::span<const double> times, std::span<const double> values)
        : times_(times), values_(values) {}

    double at(double time) const {
        const auto next = std::ranges::upper_bound(times_, time);
        if (next == times_.begin()) return values_.front();
        const auto i = static_cast<std::size_t>(next - times_.begin()) - 1;
        if (next == times_.end()) return values_[i];
        const double fraction = (time - times_[i]) / (times_[i + 1] - times_[i]);
        return values_[i] + fraction * (values_[i + 1] - values_[i]);
    }

    /// All values from one time to another.
    Extent between(double from, double to) const {
        Extent extent;
        extent.include(at(from));
        extent.include(at(to));
        const auto first = std::ranges::lower_bound(times_, from) - times_.begin();
        const auto last = std::ranges::upper_bound(times_, to) - times_.begin();
        for (auto i = first; i < last; ++i) extent.include(values_[static_cast<std::size_t>(i)]);
        return extent;
    }

    double tolerance(double part) const {
        Extent all;
        for (const double value : values_) all.include(value);
        const double range = all.high - all.low;
        const double size = std::max(std::abs(all.low), std::abs(all.high));
        // A range that is only rounding is that of a constant.
        const double scale = range > 1e-6 * size ? range : size;
        return std::max(part * scale, least_tolerance);
    }

private:
    std::span<const double> times_, values_;
};

double longest_step(std::span<const double> times) {
    double longest = 0;
    for (std::size_t i = 1; i < times.size(); ++i)
        longest = std::max(longest, times[i] - times[i - 1]);
    return longest;
}

std::optional<Mismatch> find_mismatch(const std::string& name, std::span<const double> times,
                                      std::span<const double> values, const Curve& reference,
                                      double tolerance, double time_tube) {
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Extent near = reference.between(times[i] - time_tube, times[i] + time_tube);
        const bool is_near =
            values[i] >= near.low - tolerance && values[i] <= near.high + tolerance;
        if (!is_near) return Mismatch{name, times[i], values[i], reference.at(times[i])};
    }
    return std::nullopt;
}

bool is_comparable(const Table::Column& column, const Table& other) {
    const auto index = other.find(column.name);
    return index && column.why_not_numeric.empty() &&
           other.columns()[*index].why_not_numeric.empty();
}

} // namespace

Comparison compare(const Table& results, const Table& reference, const Tube& tube) {
    Comparison comparison;
    const std::vector<double>& times = results.columns().front().values;
    const std::vector<double>& known = reference.columns().front().values;
    if (times.empty() || known.empty()) return comparison;
    const double time_tube =
        std::max(tube.time * (known.back() - known.front()), longest_step(times));
    if (times.back() < known.back() - time_tube) comparison.ends_too_soon = times.back();

    const auto from = std::ranges::lower_bound(times, known.front() - time_tube) - times.begin();
    const auto to = std::ranges::upper_bound(times, known.back() + time_tube) - times.begin();
    const auto part = [&](const std::vector<double>& all) {
        return std::span(all).subspan(static_cast<std::size_t>(from),
                                      static_cast<std::size_t>(to - from));
    };
    for (const Table::Column& column : std::span(reference.columns()).subspan(1)) {
        if (!is_comparable(column, results)) continue;
        comparison.compared.push_back(column.name);
        const Curve curve(known, column.values);
        const auto found =
            find_mismatch(column.name, part(times), part(results.values(column.name)), curve,
                          curve.tolerance(tube.value), time_tube);
        if (found && (!comparison.mismatch || found->time < comparison.mismatch->time))
            comparison.mismatch = found;
    }
    return comparison;
}

} // namespace rubato::report
