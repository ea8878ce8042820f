// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree_values.hpp"

#include <rubato/scenario/scenario.hpp>

namespace rubato::scenario::formats {

/// The keys `initialization` and `step` or `steps` of the section `algorithm`, if any is there.
/// `has_recipe`: the algorithm has been named before.
void update_written(Reporter& reporter, MapReader& algorithm, const Entry& section, bool has_recipe,
                    std::optional<WrittenAlgorithm>& written);

/// The section `bonds`.
void update_bonds(Reporter& reporter, const Entry& section, std::vector<BondSettings>& bonds);

/// The section `step-limits`.
void update_step_limits(Reporter& reporter, const Entry& section, StepLimitSettings& limits);

/// The section `configurations`. One that names no connections has those of the scenario.
void update_configurations(Reporter& reporter, const Entry& section, Scenario& scenario);

/// The section `interface`.
void update_interface(Reporter& reporter, const Entry& section,
                      std::optional<InterfaceSettings>& interface);

/// The section `hla`.
void update_hla(Reporter& reporter, const Entry& section, HlaSettings& hla);

/// The section `constraints`, and the key `links` of a unit, which is called `path` in messages.
void update_constraints(Reporter& reporter, const std::string& path, const Entry& section,
                        std::vector<Constraint>& constraints);

/// The section `machines`.
void update_machines(Reporter& reporter, const Entry& section, std::vector<Machine>& machines);

/// The section `placement`: machines by rank.
void update_placement(Reporter& reporter, const Entry& section, std::vector<Machine>& machines);

/// The section `clocks`.
void update_clocks(Reporter& reporter, const Entry& section, std::optional<Clocks>& clocks);

} // namespace rubato::scenario::formats
