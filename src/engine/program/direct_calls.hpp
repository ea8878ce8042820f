// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

namespace rubato::engine {

/// Lets calls go straight to the functions of units that offer them, once these are initialized. An
/// instruction that does so is a row of calls whose values are neighbours: they are copied, or
/// checked, all at once.
void bind_direct_calls(Plan& plan);
/// From now on all calls go through the units, which are saved.
void unbind_direct_calls(Plan& plan);

} // namespace rubato::engine
