// SPDX-License-Identifier: Apache-2.0
#include "score.hpp"

#include <algorithm>
#include <cmath>

namespace rubato::studies::adaptive_order {

namespace {

constexpr double negligible = 1e-8;
constexpr double transient_error = 5e-4;

} // namespace

Trajectory errors(const Trajectory& v1, const Trajectory& reference) {
    Trajectory result(v1.size());
    std::ranges::transform(v1, reference, result.begin(),
                           [](double value, double exact) { return std::abs(value - exact); });
    return result;
}

Score score(const Trajectory& adaptive, const Trajectory& msd1_first,
            const Trajectory& msd2_first) {
    double sum = 0;
    std::size_t transient = 0;
    for (std::size_t n = 0; n < adaptive.size(); ++n) {
        const auto [least, most] = std::minmax({adaptive[n], msd1_first[n], msd2_first[n]});
        sum += (most - adaptive[n]) / (most - least + negligible);
        if (most > transient_error) transient = n;
    }
    std::size_t worse = 0, better = 0;
    for (std::size_t n = 0; n < transient; ++n) {
        const auto [least, most] = std::minmax(msd1_first[n], msd2_first[n]);
        if (adaptive[n] > most) ++worse;
        if (adaptive[n] < least) ++better;
    }
    const auto share = [&](std::size_t count) {
        return transient == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(transient);
    };
    return {.score = sum / static_cast<double>(adaptive.size()),
            .worse = share(worse),
            .between = share(transient - worse - better),
            .better = share(better)};
}

} // namespace rubato::studies::adaptive_order
