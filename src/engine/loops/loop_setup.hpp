// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/plan.hpp"

#include <rubato/scenario/system.hpp>

namespace rubato::engine {

/// Adds all elements of an output to a loop, whose `until` is known; guessed ones come first. In
/// `value` are its port and the slots of its first element.
void add_value(FixedPointLoop& loop, const scenario::Port& port, bool is_guessed, LoopValue value);

/// Adds all elements of an output whose tentative value becomes final when its loop ends.
void add_follower(std::array<std::vector<LoopValue>, 4>& followers, const scenario::Port& port,
                  std::uint32_t tentative_slot, std::uint32_t final_slot);

/// Adds what the scenario says of a guessed input, in terms of the output that feeds it, of which
/// `slot` is the first.
void add_guess(Plan& plan, const scenario::Link& link, const scenario::Port& input,
               std::span<const FirstGuess> given, std::uint32_t slot);

/// Makes the solvers of all loops. The plan's calls are bound. Loops that are repeated exactly so
/// often are plain.
void prepare_loops(Plan& plan, const scenario::System& system,
                   const scenario::LoopSettings& settings);

} // namespace rubato::engine
