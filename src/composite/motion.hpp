// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rubato::composite {

/// An input that others may let move within a step: u(τ) = start + τ (first + τ second / 2).
struct Motion {
    double start = 0, first = 0, second = 0;
    bool is_known = false; ///< derivatives were set of it
    unsigned order() const { return second != 0 ? 2 : 1; }
    double at(double tau) const { return start + tau * (first + 0.5 * tau * second); }
    double slope_at(double tau) const { return first + tau * second; }
};

} // namespace rubato::composite
