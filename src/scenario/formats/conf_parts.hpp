// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree_values.hpp"

#include <rubato/scenario/scenario.hpp>

namespace rubato::scenario::formats {

/// A key that must be there. Null: it is not, which has been reported at `mark`.
const Entry* require(Reporter& reporter, MapReader& map, std::string_view key, Mark mark);

/// A unit's clocks as given in its map; the ports' clocks are read with the ports.
struct ConfClocks {
    UnitClocks unit;
    bool is_told = false; ///< some key was there that only the form for FMI 3.0 has
};

/// A list `clocks` of a port, if it has one.
void read_port_clocks(Reporter& reporter, MapReader& port, const Entry& entry, ConfClocks& clocks);

/// The keys `input-clocks` and `output-clocks` of a unit.
void read_unit_clocks(Reporter& reporter, MapReader& unit, ConfClocks& clocks);

std::vector<ClockConnection> read_clock_connections(Reporter& reporter, const std::string& path,
                                                    const Node& node);
std::vector<EventStrategy> read_strategies(Reporter& reporter, const std::string& path,
                                           const Node& node);

/// A map of units as `scenario.fmus` holds it, and their clocks.
struct ConfUnits {
    std::vector<Unit> units;
    std::vector<ConfClocks> clocks; ///< one per unit
};
ConfUnits read_conf_units(Reporter& reporter, const std::string& path, const Node& node);

/// The map `configuration`; `connections` is how many each configuration must have.
std::vector<ConfigurationSettings> read_conf_configurations(Reporter& reporter, const Entry& entry,
                                                            std::size_t connections);

/// Declares the ports that occur only in connections: inputs delayed, outputs without feed-through.
/// What a unit declares, as input or as output, stays as it is.
void declare_connected_ports(Scenario& scenario);

} // namespace rubato::scenario::formats
