// SPDX-License-Identifier: Apache-2.0
#include "motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato::engine {

namespace {

/// The smallest s, not negative, with first · s + second · s² = distance; what rests does not
/// arrive, wherever it is.
double first_arrival(double first, double second, double distance) {
    const auto ahead = [](double s) { return s > 0 ? s : unbounded; };
    const bool rests = first == 0 && second == 0;
    if (distance == 0 && !rests) return 0;
    if (second == 0) return first == 0 ? unbounded : ahead(distance / first);
    const double root = first * first + 4 * second * distance;
    if (root < 0) return unbounded;
    // The roots of second · s² + first · s - distance, none of them by cancellation.
    const double q = -0.5 * (first + std::copysign(std::sqrt(root), first));
    if (q == 0) return unbounded;
    return std::min(ahead(q / second), ahead(-distance / q));
}

} // namespace

void Motion::restart(Time now, double value) {
    points_[0] = {now.seconds, value};
    known_ = 1;
}

void Motion::add(Time now, double value) {
    if (known_ > 0 && !(now.seconds > points_[0].time)) return restart(now, value);
    std::shift_right(points_.begin(), points_.end(), 1);
    points_[0] = {now.seconds, value};
    known_ = std::min(known_ + 1, 3u);
}

Motion::Polynomial Motion::line() const {
    return {(points_[0].value - points_[1].value) / (points_[0].time - points_[1].time), 0};
}

/// Newton's form, at the newest point.
Motion::Polynomial Motion::parabola() const {
    const double slope = line().first;
    if (known_ < 3) return {slope, 0};
    const double before =
        (points_[1].value - points_[2].value) / (points_[1].time - points_[2].time);
    const double second = (slope - before) / (points_[0].time - points_[2].time);
    return {slope + second * (points_[0].time - points_[1].time), second};
}

std::optional<double> Motion::change_after(Duration ahead) const {
    if (known_ < 2) return std::nullopt;
    const double s = ahead.seconds;
    const Polynomial curve = parabola();
    return std::max(std::abs(line().first * s), std::abs(curve.first * s + curve.second * s * s));
}

std::optional<Motion::Arrival> Motion::time_to(double level) const {
    if (known_ < 2) return std::nullopt;
    const double distance = level - points_[0].value;
    const Polynomial curve = parabola();
    return Arrival{first_arrival(line().first, 0, distance),
                   first_arrival(curve.first, curve.second, distance), known_ == 3};
}

} // namespace rubato::engine
