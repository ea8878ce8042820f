// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "choices.hpp"
#include "state.hpp"
#include "wiring.hpp"

/// Where many units may reject, runs fall into few classes whose members end in the same state.
///
/// Let all units that may reject be stepped in one negotiation, by the common step or by what a
/// unit before them in the iteration accepted, and let everything that is stepped in it, or in a
/// loop within it, be saved before and rolled back between iterations. What gets and steps write
/// depends on where units stand and on what is accepted alone, never on what a slot held. So an
/// iteration depends on the one before through the slots only, and not on any earlier one. With the
/// least accepted step m there are two cases. All units accept m: they agree after the first
/// iteration, and the checked one follows. Or some accept more: in the second iteration all take m
/// and agree, and the checked one follows. Which units accepted how much more is forgotten by then.
/// Hence two runs for each m cover all.
namespace rubato::algorithm::verification {

bool representatives_are_sound(const scenario::System& system, const std::vector<Mode>& modes);

/// Settles what all units accept in this step, by m and by case.
void draw_representative(const scenario::System& system, State& state, Choices& choices);

} // namespace rubato::algorithm::verification
