// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/description.hpp>

#include <algorithm>

namespace rubato::unit {

/// Whether an event of a model may concern other units at once: it can tick an output clock, change
/// a discrete output or start a countdown.
inline bool may_concern_others(const std::vector<scenario::Variable>& variables) {
    return std::ranges::any_of(variables, [](const scenario::Variable& variable) {
        if (variable.clock && variable.clock->kind == ClockKind::countdown) return true;
        return variable.causality == scenario::Causality::output &&
               (variable.clock || variable.variability == scenario::Variability::discrete);
    });
}

} // namespace rubato::unit
