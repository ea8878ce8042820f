// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <span>

namespace rubato::engine {

/// Whether no value is NaN or infinite. v - v is 0 for all others; in long rows four sums do not
/// wait for each other.
inline bool all_finite(const double* value, const double* end) {
    constexpr std::ptrdiff_t at_once = 4;
    double sum = 0;
    if (end - value >= at_once) [[unlikely]] {
        std::array<double, at_once> sums{};
        const double* const last = end - (at_once - 1);
        for (; value < last; value += at_once)
            for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += value[k] - value[k];
        sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }
    for (; value != end; ++value) sum += *value - *value;
    return sum == 0;
}
inline bool all_finite(std::span<const double> values) {
    return all_finite(values.data(), values.data() + values.size());
}

} // namespace rubato::engine
