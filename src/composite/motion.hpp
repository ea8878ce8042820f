// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "external_variables.hpp"

namespace rubato::composite {

/// An input that others may let move within a step: u(τ) = start + τ (first + τ second / 2).
struct Motion {
    double start = 0, first = 0, second = 0;
    bool is_known = false; ///< derivatives were set of it
    unsigned order() const { return second != 0 ? 2 : 1; }
    double at(double tau) const { return start + tau * (first + 0.5 * tau * second); }
    double slope_at(double tau) const { return first + tau * second; }
};

/// A unit that cannot let it move holds it until the next step within.
inline void let_move(const Target& target, const Motion& motion, double tau) {
    unit::InputDerivatives* const derivatives = target.unit->input_derivatives();
    if (!derivatives) return;
    const double slope = motion.slope_at(tau);
    derivatives->set({&target.reference, 1}, 1, {&slope, 1});
    if (derivatives->max_order() > 1)
        derivatives->set({&target.reference, 1}, 2, {&motion.second, 1});
}

} // namespace rubato::composite
