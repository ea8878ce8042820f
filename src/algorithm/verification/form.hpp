// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wiring.hpp"

#include <rubato/algorithm/verify.hpp>

/// What is known of an algorithm without running it.
namespace rubato::algorithm::verification {

/// Operations that name what there is, loops that may hold what they hold, procedures that exist:
/// what everything else takes for granted.
std::vector<Violation> check_form(const scenario::System& system, const Algorithm& algorithm);

/// Every connected output is got and every connected input is set, in the initialization and in
/// each step procedure.
std::vector<Violation> check_use(const scenario::System& system, const Algorithm& algorithm,
                                 const std::vector<Mode>& modes);

/// Bodies of a parallel section touch disjoint units, and none reads what another writes: so they
/// may run in any order, interleaved or at the same time, and come to the same.
std::vector<Violation> check_races(const scenario::System& system, const Algorithm& algorithm,
                                   const std::vector<Mode>& modes);

/// Event procedures, against the rules of one instant. An output is got after the inputs that feed
/// through to it have been set, at initialization or during steps, and after the input clocks of
/// its unit; an input is set after its source has been got; both after the clocks that clock them.
/// Within a loop an input may come before its source, if that is compared: it is guessed. All units
/// with event mode are updated, last.
std::vector<Violation> check_events(const scenario::System& system, const Algorithm& algorithm);

} // namespace rubato::algorithm::verification
