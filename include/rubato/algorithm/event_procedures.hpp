// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

#include <vector>

namespace rubato::algorithm {

/// The procedure for events in a configuration (0 in a system without any); null: the algorithm has
/// none.
const Procedure* find_event_procedure(const scenario::System& system, const Algorithm& algorithm,
                                      std::size_t configuration);

/// What an event procedure of a system, which has no configurations, is about.
struct EventExchange {
    explicit EventExchange(const scenario::System& system);

    std::vector<scenario::Link> links; ///< all that carry something at events
    std::vector<PortId> clocks;        ///< output clocks, and input clocks that may tick
    std::vector<bool> takes_part;      ///< by port: it is got or set
};

} // namespace rubato::algorithm
