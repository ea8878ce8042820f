// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <vector>

namespace rubato::studies {

/// The two masses of all scenarios here, as one system. The first stands on a road.
///
///   m1 x1'' = c1 (r - x1) - d1 x1' + F       F = cc (x2 - x1) + dc (x2' - x1')
///   m2 x2'' = -c2 x2 - d2 x2' - F
struct TwoMasses {
    double m1 = 1, c1 = 1, d1 = 0;
    double m2 = 1, c2 = 1, d2 = 0;
    double cc = 1, dc = 1;
    double height = 0, begin = 0, length = 1; ///< of the bump in the road
    struct State {
        double x1 = 0, v1 = 0, x2 = 0, v2 = 0;
    };
    State initial;

    double force(const State& s) const { return cc * (s.x2 - s.x1) + dc * (s.v2 - s.v1); }

    double road(double time) const {
        constexpr double full_turn = 6.283185307179586;
        const double part = (time - begin) / length;
        return part > 0 && part < 1 ? height / 2 * (1 - std::cos(full_turn * part)) : 0;
    }

    State derivative(double time, const State& s) const {
        const double f = force(s);
        return {s.v1, (c1 * (road(time) - s.x1) - d1 * s.v1 + f) / m1, s.v2,
                (-c2 * s.x2 - d2 * s.v2 - f) / m2};
    }

    /// At the given times, of which the first is 0: classical Runge-Kutta in steps of at most
    /// 50 µs, which leaves an error below 1e-11 for all systems here.
    std::vector<State> at(const std::vector<double>& times) const {
        std::vector<State> states = {initial};
        for (std::size_t i = 1; i < times.size(); ++i)
            states.push_back(advanced(states.back(), times[i - 1], times[i]));
        return states;
    }

private:
    static State sum(const State& a, double h, const State& b) {
        return {a.x1 + h * b.x1, a.v1 + h * b.v1, a.x2 + h * b.x2, a.v2 + h * b.v2};
    }

    State advanced(State s, double from, double to) const {
        constexpr double longest = 5e-5;
        const double count = std::max(1.0, std::ceil((to - from) / longest));
        const double h = (to - from) / count;
        for (double n = 0; n < count; ++n) {
            const double t = from + n * h;
            const State k1 = derivative(t, s);
            const State k2 = derivative(t + h / 2, sum(s, h / 2, k1));
            const State k3 = derivative(t + h / 2, sum(s, h / 2, k2));
            const State k4 = derivative(t + h, sum(s, h, k3));
            s = sum(sum(sum(sum(s, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
        }
        return s;
    }
};

} // namespace rubato::studies
