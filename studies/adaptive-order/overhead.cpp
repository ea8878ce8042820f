// SPDX-License-Identifier: Apache-2.0
#include "study.hpp"

#include <algorithm>
#include <ctime>

namespace rubato::studies::adaptive_order {

namespace {

using scenario::OrderEstimator;

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Of one run over all sets.
double time_of(Experiment& experiment, const std::vector<Parameters>& sets, const Method& method) {
    const double start = cpu_seconds();
    for (const Parameters& set : sets) (void)experiment.run(set, method);
    return (cpu_seconds() - start) / static_cast<double>(sets.size());
}

} // namespace

Overhead measure_overhead(const std::vector<Parameters>& sets) {
    constexpr int rounds = 9; // of which the least disturbed counts
    const std::array<Method, 3> methods = {Method{}, Method{First::msd1, OrderEstimator::input},
                                           Method{First::msd1, OrderEstimator::power}};
    Experiment experiment;
    std::array<double, 3> least = {1e9, 1e9, 1e9};
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < methods.size(); ++i)
            least[i] = std::min(least[i], time_of(experiment, sets, methods[i]));
    const auto adaptive = [&](double run) {
        return Overhead::Adaptive{run, (run - least[0]) / (point_count - 1)};
    };
    return {least[0], adaptive(least[1]), adaptive(least[2])};
}

} // namespace rubato::studies::adaptive_order
