// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree_values.hpp"

#include <rubato/scenario/scenario.hpp>

namespace rubato::scenario::formats {

/// The keys `initialization` and `step` or `steps` of the section `algorithm`, if any is there.
std::optional<WrittenAlgorithm> read_written(Reporter& reporter, MapReader& algorithm,
                                             const Entry& section);

/// The section `bonds`.
std::vector<BondSettings> read_bonds(Reporter& reporter, const Entry& section);

/// The section `step-limits`.
StepLimits read_step_limits(Reporter& reporter, const Entry& section);

/// The section `configurations`. One that names no connections has those of the scenario.
std::vector<ConfigurationSettings> read_configurations(Reporter& reporter, const Entry& section,
                                                       const std::vector<Connection>& connections);

/// The section `clocks`.
Clocks read_clocks(Reporter& reporter, const Entry& section);

} // namespace rubato::scenario::formats
