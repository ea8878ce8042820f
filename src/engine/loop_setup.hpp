// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

#include <rubato/scenario/system.hpp>

namespace rubato::engine {

/// Makes the solvers of all loops. The plan's calls are bound. Loops that are repeated exactly so
/// often are plain.
void prepare_loops(Plan& plan, const scenario::System& system,
                   const scenario::LoopSettings& settings);

} // namespace rubato::engine
