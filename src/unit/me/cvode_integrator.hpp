// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "equations.hpp"
#include "integrator.hpp"
#include "jacobian.hpp"

#include <memory>
#include <optional>

namespace rubato::unit {

/// SUNDIALS' CVODE, with its root finding for state events: BDF and Newton's method on a dense
/// matrix or, without a Jacobian, Adams methods and functional iteration. `equations` and
/// `statistics` must outlive it.
std::unique_ptr<Integrator> make_cvode_integrator(Equations& equations,
                                                  std::unique_ptr<Jacobian> jacobian,
                                                  std::optional<double> max_step,
                                                  SolverStatistics& statistics);

} // namespace rubato::unit
