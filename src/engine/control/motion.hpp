// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>

#include <array>
#include <limits>
#include <optional>

namespace rubato::engine {

inline constexpr double unbounded = std::numeric_limits<double>::infinity(); ///< no time ahead

/// A number at the last communication points, and how it will go on: on the line through the last
/// two, and on the parabola through the last three.
class Motion {
public:
    /// What was before says nothing of what comes.
    void restart(Time now, double value);
    void add(Time now, double value);
    double value() const { return points_[0].value; }

    /// The largest change that line and parabola predict for a time ahead; nullopt: there is one
    /// point only.
    std::optional<double> change_after(Duration ahead) const;

    /// When line and parabola reach a level, from now on; 0: they are there; infinite: not ahead.
    struct Arrival {
        double by_line, by_parabola;
        bool has_parabola; ///< else there are two points only, and it is the line
    };
    /// nullopt: there is one point only.
    std::optional<Arrival> time_to(double level) const;

private:
    struct Point {
        double time = 0, value = 0;
    };
    /// value + first · s + second · s²
    struct Polynomial {
        double first = 0, second = 0;
    };
    Polynomial line() const;
    Polynomial parabola() const;

    std::array<Point, 3> points_{}; ///< the newest first
    unsigned known_ = 0;
};

} // namespace rubato::engine
