// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/id.hpp>
#include <rubato/scenario/system.hpp>

#include <vector>

namespace rubato::synthesis {

/// The orders that an adaptive Gauss-Seidel chooses from, `start` first. Two orders are the same
/// if in both the same inputs wait for their sources. Sources come before those they feed; only
/// within cycles of units is there a choice. There, all orders that differ are candidates as long
/// as they are no more than 128: so it is for any five units, a ring of seven, a chain of eight.
/// In larger cycles, and in further cycles where there are 128 already, only these are: the start
/// order, its reverse, and those in which one unit has moved to the front or to the end.
std::vector<std::vector<UnitId>> candidate_orders(const scenario::System& system,
                                                  const std::vector<UnitId>& start);

} // namespace rubato::synthesis
