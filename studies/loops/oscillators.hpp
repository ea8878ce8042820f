// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "step-control/two_masses.hpp"

#include <rubato/engine/reference.hpp>
#include <rubato/scenario/overrides.hpp>
#include <rubato/scenario/scenario.hpp>

#include <string>
#include <vector>

/// Coupled oscillators whose loop converges or not.
namespace rubato::studies::loops {

constexpr double step = 0.01; ///< of communication [s]

/// A light mass and one of 1 kg, joined by a spring of the stiffness cc and a damper dc = √cc/2.
struct Coupling {
    double mass_ratio = 1; ///< m2/m1
    double stiffness = 1;  ///< cc [N/m]

    TwoMasses masses() const;
};

/// Over four decades of mass ratio and three of stiffness.
std::vector<Coupling> grid();

/// What one iteration of the loop over msd2.Fc makes of a change of it. msd1 is told a force that
/// is linear over the step h, its end being the guess; msd2 is told position and speed of msd1 in
/// the same way:
///
///   λ = k (Γ2 B2 - I) Γ1 b1       k = (cc, dc), b1 = (0, 1/m1), B2 = ((0, 0), (cc, dc)/m2)
///
/// where A1 and A2 are the matrices of the units for themselves and Γ = ∫ e^(A (h - s)) s/h ds over
/// the step is what the end value of an input does to the state at the end. Plain iteration
/// converges where |λ| < 1.
double contraction(const Coupling& coupling);

struct Outcome {
    bool completed = false; ///< without an error
    double iterations = 0;  ///< per step
    double contraction = 0; ///< the worst that plain iteration was seen to have
    double largest = 0;     ///< |x1|
    engine::Series x1;
};

/// pair.yaml in `folder`, with overrides.
Outcome run(const std::string& folder, const Coupling& coupling,
            std::vector<scenario::Override> overrides);
/// Iterations are Gauss-Seidel's, solved by a method of `loops`.
Outcome solve(const std::string& folder, const Coupling& coupling, const std::string& method);
/// Relaxed by the factor that is best for the coupling, 1/(1 - λ).
Outcome solve_with_best_relaxation(const std::string& folder, const Coupling& coupling);

} // namespace rubato::studies::loops
