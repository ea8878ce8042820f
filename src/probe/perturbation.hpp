// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>
#include <rubato/scenario/description.hpp>

#include <vector>

namespace rubato::probe {

/// Values to try on an input that is `now`, in this order: all of the variable's type, within its
/// range and other than `now`. Reals go both ways by steps of several sizes, in proportion to the
/// larger of |now| and the nominal value; integers and enumerations by 1, 2 and 10; a boolean is
/// flipped. Texts have none.
std::vector<Value> perturbations(const scenario::Variable& variable, const Value& now);

/// Much smaller steps, for a unit that has borne none of the others.
std::vector<Value> small_perturbations(const scenario::Variable& variable, const Value& now);

} // namespace rubato::probe
