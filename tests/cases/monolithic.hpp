// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>

#include <cmath>
#include <vector>

namespace rubato::test {

/// x' = f(x) as one system, at the given times, of which the first is that of `initial`. Classical
/// Runge-Kutta in steps of at most 1e-3 s: for what is tested here, exact to 1e-10.
template <class State, class RightSide>
std::vector<State> solve_as_one(const RightSide& f, State x, const std::vector<double>& times) {
    constexpr double longest = 1e-3;
    std::vector<State> states = {x};
    for (std::size_t i = 1; i < times.size(); ++i) {
        const double span = times[i] - times[i - 1];
        const double count = std::max(1.0, std::ceil(span / longest));
        const double h = span / count;
        for (double n = 0; n < count; ++n) {
            const State k1 = f(x);
            const State k2 = f(x + h / 2 * k1);
            const State k3 = f(x + h / 2 * k2);
            const State k4 = f(x + h * k3);
            x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
        states.push_back(x);
    }
    return states;
}

} // namespace rubato::test
