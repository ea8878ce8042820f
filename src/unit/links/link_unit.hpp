// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/unit_origin.hpp>
#include <rubato/unit/unit.hpp>

#include <memory>
#include <string>

namespace rubato::unit {

/// What a unit that keeps constraints is. Value references are indices of variables: the outputs
/// that are to be equal as inputs, guesses of the multipliers (where they are solved for), the
/// inputs that it sets as outputs, the multipliers.
scenario::UnitDescription describe_links(const scenario::Links& links);

/// A unit that keeps constraints (docs/explanation/transformation.md).
///
/// Solve: the residual of a link is R = Σ_k C(n-1, k) d_k / T^(n-1-k), where d_0 … d_(n-1) are the
/// differences of the outputs at its n levels, and T is its time constant: R = 0 lets a deviation
/// decay as exp(-t/T) (Baumgarte 1972). The gain is -1/J, where J says how residuals answer
/// multipliers in one step. λ = g + gain R, where g is the guess of λ: whoever solves λ = g solves
/// R = 0. If forces act on positions alone, λ = g + gain R - κ (g - λ_last): without the last term λ
/// would oscillate from step to step, with a factor of -1.
///
/// Stabilize: after each step, a feedback of the deviations is added to λ, such that all poles are at
/// exp(-H/T). Its gain is -1/J, where J says how the highest levels answer multipliers.
std::unique_ptr<Unit> make_link_unit(std::string name, const scenario::Links& links,
                                     const scenario::UnitDescription& description);

} // namespace rubato::unit
