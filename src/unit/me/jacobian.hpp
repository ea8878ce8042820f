// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "equations.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace rubato::unit {

/// Which states each derivative depends on: for each state the rows of its column, sorted.
using Sparsity = std::vector<std::vector<std::uint32_t>>;

/// That of a model; where it is not declared, all.
Sparsity sparsity_of(const ContinuousStructure& structure, std::size_t states);

/// Columns in groups such that no two of a group have a row in common, so that one evaluation gives
/// all columns of a group (Curtis, Powell and Reid 1974). First fit, in the order of the columns.
std::vector<std::vector<std::uint32_t>> group_columns(const Sparsity& sparsity);

/// The matrix ∂f/∂x, by the model's directional derivatives where it has them, else by differences.
class Jacobian {
public:
    /// `equations` must outlive it. `variables` are those of the model's description.
    Jacobian(Equations& equations, const ContinuousStructure& structure,
             const std::vector<scenario::Variable>& variables);

    /// The sizes of the states: differences are taken in proportion.
    void set_scales(std::span<const double> scales) {
        scales_.assign(scales.begin(), scales.end());
    }

    /// Fills `matrix`, a square one stored by columns that is zero. `derivatives` are those at x.
    Evaluation evaluate(double time, std::span<const double> x, std::span<const double> derivatives,
                        double* matrix);

private:
    Evaluation difference_group(const std::vector<std::uint32_t>& group, double time,
                                std::span<const double> x, std::span<const double> derivatives,
                                double* matrix);
    Evaluation seed_group(const std::vector<std::uint32_t>& group, double* matrix);

    Equations& equations_;
    Sparsity sparsity_;
    std::vector<std::vector<std::uint32_t>> groups_;
    std::vector<ValueRef> states_, derivatives_; ///< empty unless directional derivatives are used
    std::vector<ValueRef> knowns_;
    std::vector<double> scales_, moved_, increments_, result_, seed_;
};

} // namespace rubato::unit
