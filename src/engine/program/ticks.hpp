// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

namespace rubato::engine {

/// How much of the common step a procedure makes: all of it, unless its units go by fewer ticks
/// than the largest step has. Throws an InputError when they do not go equally far; an algorithm
/// that verifies does.
double fraction_of_step(const algorithm::Body& body, const scenario::System& system);

} // namespace rubato::engine
