// SPDX-License-Identifier: Apache-2.0
#include "loop_ports.hpp"

#include <rubato/algorithm/traversal.hpp>

#include <algorithm>

namespace rubato::algorithm::verification {

namespace {

template <class T>
void sort_out(std::vector<T>& items) {
    std::ranges::sort(items);
    items.erase(std::unique(items.begin(), items.end()), items.end());
}

/// A loop within leaves both values of what it compares alike: comparing them again says nothing.
std::vector<PortId> compared_within(const Body& iterate) {
    std::vector<PortId> ports;
    for_each_of<FixedPoint>(iterate, [&](const FixedPoint& inner) {
        ports.insert(ports.end(), inner.ports.begin(), inner.ports.end());
    });
    sort_out(ports);
    return ports;
}

} // namespace

std::vector<LoopGet> gets_of(const Body& body) {
    std::vector<LoopGet> gets;
    for_each_of<Get>(body, [&](const Get& get) { gets.push_back({get.port, get.tentative}); });
    sort_out(gets);
    return gets;
}

std::vector<PortId> tentative_gets_of(const Body& body) {
    std::vector<PortId> ports;
    for_each_of<Get>(body, [&](const Get& get) {
        if (get.tentative) ports.push_back(get.port);
    });
    sort_out(ports);
    return ports;
}

LoopPorts::LoopPorts(const FixedPoint& loop) : got(gets_of(loop.iterate)), listed(loop.ports) {
    sort_out(listed);
    for_each_of<Set>(loop.iterate, [&](const Set& op) { set.push_back(op.port); });
    sort_out(set);
    for_each_of<Step>(loop.iterate, [&](const Step& op) { stepped.push_back(op.unit); });
    sort_out(stepped);
    if (loop.until.iterations) return; // it ends whatever the values do
    const std::vector<PortId> within = compared_within(loop.iterate);
    for (const LoopGet& get : got) {
        const bool is_compared = std::ranges::binary_search(listed, get.port) &&
                                 !std::ranges::binary_search(within, get.port);
        if (!is_compared) uncompared.push_back(get.port);
    }
}

} // namespace rubato::algorithm::verification
