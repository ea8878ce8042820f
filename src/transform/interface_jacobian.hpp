// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/constraints.hpp>
#include <rubato/transform/transform.hpp>

#include <span>
#include <string>
#include <vector>

namespace rubato::transform {

using Matrix = std::vector<std::vector<double>>;

/// How residuals (rows) answer multipliers (columns).
Matrix residuals_per_multiplier(std::span<const scenario::Constraint> constraints,
                                const Answers& answers);

/// How the highest levels (rows) answer multipliers (columns).
Matrix highest_levels_per_multiplier(const Answers& answers);

/// How often the highest level of a constraint must be differentiated for a multiplier to appear: a
/// step of half the length changes it by 2^-degree.
int degree_of(std::size_t constraint, const Matrix& whole, const Matrix& half);

/// A row that the others determine, with those that do; none: the rows are independent.
struct Dependence {
    std::size_t row = 0;
    std::vector<std::size_t> others;
};
std::vector<Dependence> dependent_rows(const Matrix& matrix);

/// -1/J. The rows must be independent.
Matrix negative_inverse(Matrix matrix);

} // namespace rubato::transform
