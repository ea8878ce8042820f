// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

#include <rubato/scenario/system.hpp>

namespace rubato::engine {

/// Adds all elements of an output to a loop, whose `until` is known; guessed ones come first. In
/// `value` are its port and the slots of its first element.
void add_value(FixedPointLoop& loop, const scenario::Port& port, bool is_guessed, LoopValue value);

/// Makes the solvers of all loops. The plan's calls are bound. Loops that are repeated exactly so
/// often are plain.
void prepare_loops(Plan& plan, const scenario::System& system,
                   const scenario::LoopSettings& settings);

} // namespace rubato::engine
