// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "responses.hpp"

#include <Eigen/Dense>

#include <span>

namespace rubato::stability {

/// A linear map x⁺ = A x + B u, y = C x that gives the measured responses y(k) = C Aᵏ⁻¹ B, in the
/// coordinates of its eigenvectors.
struct Identified {
    Eigen::VectorXcd eigenvalues; ///< largest magnitude first
    Eigen::MatrixXcd shapes;      ///< by observed value and mode: C V
    Eigen::MatrixXcd excitations; ///< by mode and response: V⁻¹ B
    double residual = 0;          ///< of the responses, relative to the largest value of their row
};

/// The eigensystem realization algorithm (J.-N. Juang and R. S. Pappa, "An eigensystem realization
/// algorithm for modal parameter identification and model reduction", J. Guidance 8(5), 1985): the
/// block Hankel matrices
///
///     H₀ = [y_e(1 + (i+j)s)],   H₁ = [y_e(2 + (i+j)s)]        i: block row, (e, j): column
///
/// are O R and O A R, with the observability matrix O and the reachability matrix R of every s-th
/// step. With H₀ = U Σ Vᵀ, cut off where Σ is noise, A = Σ^-½ Uᵀ H₁ V Σ^-½. A stride s > 1 keeps H₀
/// well conditioned where a step is short for what moves.
/// Uses as many points as all responses have, at most `window`.
Identified identify(std::span<const Response> responses, std::size_t window);

} // namespace rubato::stability
