// SPDX-License-Identifier: Apache-2.0
#include "feedthrough.hpp"

#include <algorithm>

namespace rubato::composite {

using scenario::Link;
using scenario::Port;

Feedthrough::Feedthrough(const scenario::System& system, Moment moment)
    : next_(system.ports.size()) {
    for (std::size_t p = 0; p < system.ports.size(); ++p) {
        const Port& port = system.ports[p];
        const auto& inputs = moment == Moment::step ? port.feedthrough : port.feedthrough_initial;
        if (port.direction != scenario::Direction::output) continue;
        for (const PortId input : inputs) next_[input.value].push_back(nth<PortId>(p));
    }
    const auto connect = [&](const std::vector<Link>& links) {
        for (const Link& link : links) next_[link.from.value].push_back(link.to);
    };
    connect(system.links);
    connect(system.event_links);
    for (const scenario::Configuration& configuration : system.configurations) {
        connect(configuration.links);
        connect(configuration.event_links);
        for (const auto& [output, inputs] : configuration.feedthrough)
            for (const PortId input : inputs) next_[input.value].push_back(output);
    }
}

Feedthrough::Reach Feedthrough::of(const std::vector<PortId>& inputs) const {
    Reach reach;
    reach.from_.resize(next_.size());
    std::vector<PortId> open = inputs;
    for (const PortId input : inputs) reach.from_[input.value] = input;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const PortId port = open[i];
        for (const PortId next : next_[port.value]) {
            if (reach.contains(next)) continue;
            reach.from_[next.value] = port;
            open.push_back(next);
        }
    }
    return reach;
}

std::vector<PortId> Feedthrough::Reach::way_to(PortId port) const {
    std::vector<PortId> way{port};
    while (*from_[way.back().value] != way.back()) way.push_back(*from_[way.back().value]);
    std::reverse(way.begin(), way.end());
    return way;
}

} // namespace rubato::composite
