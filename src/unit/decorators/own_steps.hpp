// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "output_history.hpp"

#include <rubato/unit/unit.hpp>

#include <memory>
#include <vector>

namespace rubato::unit {

/// A unit around another, which advances on its own points: start + n·step, whatever steps the
/// others make. A step of the others that reaches no such point does not concern the inner unit.
/// One that reaches several lets it make several steps. At the stop time it makes a shorter one, if
/// it accepts steps of any size.
///
///   - Outputs in between are those of the last point, or extrapolated from the last points.
///   - Inputs hold what they were set to at its last point. Those that move follow a polynomial
///     from what they were there to what they are at its next point: by then that is known.
///
/// So at any time the inner unit stands at its last point, never ahead of the others. Everything
/// else is left to it. It has no event mode.
std::unique_ptr<Unit> make_own_steps(std::unique_ptr<Unit> inner, Duration step,
                                     const std::vector<MovingVariable>& inputs,
                                     const std::vector<MovingVariable>& outputs);

} // namespace rubato::unit
