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
    if (end - value >= at_once) {
        std::array<double, at_once> sums{};
        for (; end - value >= at_once; value += at_once)
            for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += value[k] - value[k];
        if (!((sums[0] + sums[1]) + (sums[2] + sums[3]) == 0)) return false;
    }
    for (; value != end; ++value)
        if (!(*value - *value == 0)) return false;
    return true;
}
inline bool all_finite(std::span<const double> values) {
    return all_finite(values.data(), values.data() + values.size());
}

} // namespace rubato::engine
