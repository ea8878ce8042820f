// SPDX-License-Identifier: Apache-2.0
#include <rubato/algorithm/event_procedures.hpp>

#include <algorithm>

namespace rubato::algorithm {

const Procedure* find_event_procedure(const scenario::System& system, const Algorithm& algorithm,
                                      std::size_t configuration) {
    if (algorithm.events.empty()) return nullptr;
    if (system.configurations.empty()) return &algorithm.events.front();
    const std::size_t first = first_with_connections_of(system, configuration);
    const auto found =
        std::ranges::find(algorithm.events, system.configurations[first].name, &Procedure::name);
    return found == algorithm.events.end() ? nullptr : &*found;
}

EventExchange::EventExchange(const scenario::System& system) : takes_part(system.ports.size()) {
    for (const auto* part : {&system.links, &system.event_links, &system.clock_links})
        links.insert(links.end(), part->begin(), part->end());
    for (const scenario::Link& link : links)
        takes_part[link.from.value] = takes_part[link.to.value] = true;
    for (const scenario::SystemUnit& unit : system.units) {
        for (const PortId id : unit.clocks) {
            const scenario::Port& clock = system.port(id);
            const bool is_output = clock.direction == scenario::Direction::output;
            if (!is_output && !clock.is_timed && !takes_part[id.value]) continue;
            takes_part[id.value] = true;
            clocks.push_back(id);
        }
    }
}

} // namespace rubato::algorithm
