// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/system.hpp>

#include <span>
#include <string>
#include <vector>

namespace rubato::synthesis {

/// Units that the algorithm saves, so as to take them back.
std::vector<UnitId> units_to_roll_back(const algorithm::Algorithm& algorithm);

/// Those of them that cannot save and restore their state.
std::vector<UnitId> stranded_units(const scenario::System& system,
                                   const algorithm::Algorithm& algorithm);

/// Changes to the scenario, in words, under which an algorithm is derived that takes none of the
/// `units` back, and no other that cannot go back but those that had to before. Each has been
/// tried: its algorithm was derived and keeps the changed contracts. The smallest changes come
/// first; of changes of one kind the first that does is enough. Empty: nothing that was tried does.
std::vector<std::string> alternatives_to_roll_back(const scenario::System& system,
                                                   const scenario::AlgorithmSettings& settings,
                                                   std::span<const UnitId> units);

/// Reports units that a hand-written algorithm takes back and that cannot go back, with what would
/// do instead.
void require_roll_back(const scenario::System& system, const scenario::AlgorithmSettings& settings,
                       const algorithm::Algorithm& written, Diagnostics& diagnostics);

} // namespace rubato::synthesis
