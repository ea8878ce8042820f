// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "equations.hpp"
#include "integrator.hpp"

#include <memory>
#include <optional>

namespace rubato::unit {

/// Explicit Euler with a fixed step (none: as far as it may go at once); the last before a limit is
/// shorter. State events are found on the line that a step is. `equations` and `statistics` must
/// outlive it.
std::unique_ptr<Integrator> make_euler_integrator(Equations& equations, std::optional<double> step,
                                                  SolverStatistics& statistics);

} // namespace rubato::unit
