// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/state_archive.hpp"

#include <rubato/core/time.hpp>
#include <rubato/scenario/scenario.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace rubato::engine {

/// What is shorter than this part of a step comes of rounding.
inline constexpr double sliver = 1e-9;

/// A communication point, and how far it is from the one before it.
struct GridPoint {
    std::int64_t number = 1;
    Time time;
    Duration interval;
};

/// The communication points: start + n·step, the last one the stop time; or given ones. They may
/// begin anew at another time than the start.
class Grid {
public:
    /// `points` are given, from the start to the stop, or empty.
    explicit Grid(const scenario::Experiment& experiment, std::vector<Time> points = {})
        : start_{experiment.start}, stop_{experiment.stop}, step_{experiment.step},
          shortest_(shortest_of(start_, stop_, step_)), points_(std::move(points)) {
        begin_at(start_);
        if (!points_.empty()) count_ = static_cast<std::int64_t>(points_.size()) - 1;
    }

    /// From here on the points are origin + n·step; not for given ones.
    void begin_at(Time origin) {
        origin_ = origin;
        const double steps = (stop_ - origin).seconds / step_.seconds;
        const double rounding = shortest_.seconds / step_.seconds;
        count_ = static_cast<std::int64_t>(std::max(0.0, std::ceil(steps - rounding)));
        last_is_whole_ = std::abs(steps - static_cast<double>(count_)) <= rounding;
    }
    /// From here on the points are those of one span, which ends `by` later. Without a step of its
    /// own, or if that is longer, the span is one step, however short.
    void begin_span(Time from, Duration by, std::optional<Duration> step) {
        stop_ = end_of_span(from, by);
        step_ = step ? std::min(*step, by) : by;
        shortest_ = shortest_of(from, stop_, step_);
        span_ = by;
        if (step_ < by) {
            begin_at(from);
            // Its end is met exactly: others may begin a very short step there.
            const Duration missed = stop_ - (from + static_cast<double>(count_) * step_);
            last_is_whole_ = std::abs(missed.seconds) <= rounding_of(from, stop_);
            return;
        }
        origin_ = from;
        count_ = 1;
        last_is_whole_ = true;
    }
    bool is_given() const { return !points_.empty(); }
    void visit_state(StateArchive& archive) {
        archive(stop_, origin_, step_, shortest_, span_, count_, last_is_whole_);
    }

    Time point(std::int64_t n) const {
        if (n >= count_) return stop_;
        return points_.empty() ? origin_ + static_cast<double>(n) * step_
                               : points_[static_cast<std::size_t>(n)];
    }
    /// From point n to the next. A whole step is passed on as written, free of rounding.
    Duration interval(std::int64_t n) const {
        if (span_ && count_ == 1) return *span_;
        const bool whole = points_.empty() && (n + 1 < count_ || last_is_whole_);
        return whole ? step_ : point(n + 1) - point(n);
    }
    /// How many steps to point n and further are whole ones that `whole_point` knows.
    std::uint64_t whole_steps_from(std::int64_t n) const {
        return points_.empty() && n < count_ ? static_cast<std::uint64_t>(count_ - n) : 0;
    }
    /// The same as `point`, for those.
    Time whole_point(std::int64_t n) const { return origin_ + static_cast<double>(n) * step_; }
    Duration step() const { return step_; }
    Time start() const { return start_; }
    Time stop() const { return stop_; }
    /// What is shorter comes of rounding, that of steps or that of late times: no step ends so near
    /// before a point that it is to meet, and a unit that accepts no more accepts nothing.
    Duration shortest() const { return shortest_; }

private:
    static Duration shortest_of(Time start, Time stop, Duration step) {
        return {std::max(sliver * step.seconds, rounding_of(start, stop))};
    }
    static double rounding_of(Time start, Time stop) {
        constexpr double epsilon = std::numeric_limits<double>::epsilon();
        return 4 * epsilon * std::max(std::abs(start.seconds), std::abs(stop.seconds));
    }
    /// Whoever makes the spans computes their ends as start + n·by, most likely: so does this.
    Time end_of_span(Time from, Duration by) const {
        const double n = std::round((from - start_).seconds / by.seconds);
        return start_ + n * by == from ? start_ + (n + 1) * by : from + by;
    }

    Time start_, stop_, origin_;
    Duration step_, shortest_;
    std::optional<Duration> span_; ///< none: the points are those of the whole
    std::vector<Time> points_;
    std::int64_t count_ = 0;
    bool last_is_whole_ = true;
};

/// start + n·interval: when to record. Without an interval: never of itself.
class RecordingTimes {
public:
    RecordingTimes() = default;
    /// What is nearer than `rounding` has come.
    RecordingTimes(Time start, Duration interval, Duration rounding)
        : start_(start), interval_(interval), rounding_(rounding) {}

    explicit operator bool() const { return interval_ > Duration{}; }
    /// The next one.
    Time next() const { return start_ + static_cast<double>(n_) * interval_; }
    /// Whether it has come. Then the one after it is the next.
    bool pass(Time now) {
        if (now + rounding_ < next()) return false;
        ++n_;
        return true;
    }

private:
    Time start_;
    Duration interval_, rounding_;
    std::int64_t n_ = 1;
};

} // namespace rubato::engine
