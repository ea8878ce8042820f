// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "execution/grid.hpp"

namespace rubato::engine {

/// A step that is made as long as wanted, or shorter for what lies ahead.
struct StepChoice {
    Duration by;
    Time end;
    bool was_cut = false;
};

/// No sliver is left before the limit, and no step much shorter than the others: the last two
/// share what is left.
inline StepChoice choose_step(Time from, Time limit, Duration wanted, Duration minimum) {
    const Duration left = limit - from;
    if (wanted >= (1 - sliver) * left) return {left, limit, wanted > left};
    if (wanted > 0.5 * left && 0.5 * left >= minimum) return {0.5 * left, from + 0.5 * left, true};
    return {wanted, from + wanted, false};
}

} // namespace rubato::engine
