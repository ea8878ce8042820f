// SPDX-License-Identifier: Apache-2.0
#include <rubato/scenario/residual.hpp>

namespace rubato::scenario {

std::vector<double> level_weights(const Constraint& constraint) {
    const std::size_t n = constraint.levels.size();
    std::vector<double> weights(n, 1);
    for (std::size_t k = n - 1; k-- > 0;) {
        const auto factor = static_cast<double>(k + 1) / static_cast<double>(n - 1 - k);
        weights[k] = weights[k + 1] * factor / *constraint.time_constant;
    }
    return weights;
}

} // namespace rubato::scenario
