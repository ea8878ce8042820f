// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "random_source.hpp"

#include <rubato/scenario/system.hpp>

#include <string>

namespace rubato::test {

enum class Contracts {
    declared,   ///< by the scenario, at random, perhaps several configurations
    undeclared, ///< left to a recipe
};

/// 2 to 8 units with up to 3 inputs and 3 outputs each, coupled sparsely to densely, of few or many
/// reactive inputs, feed-through and rejecting units. All units can roll back.
scenario::System random_system(RandomSource& random, Contracts contracts);

/// The system for people: what a random one was when a test fails.
std::string describe(const scenario::System& system);

} // namespace rubato::test
