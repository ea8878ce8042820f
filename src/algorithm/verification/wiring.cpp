// SPDX-License-Identifier: Apache-2.0
#include "wiring.hpp"

#include <algorithm>

namespace rubato::algorithm::verification {

namespace {

using scenario::Configuration;
using scenario::Link;
using scenario::Port;
using scenario::System;

void add_connected(PortLists& lists, const Wiring& wiring, const std::vector<PortId>& ports) {
    lists.begin_list();
    for (const PortId port : ports) {
        if (wiring.connects(port)) lists.add(port);
    }
}

Wiring wire(const System& system) {
    Wiring wiring;
    wiring.source.resize(system.ports.size());
    wiring.is_connected.resize(system.ports.size());
    for (const Link& link : system.links) {
        wiring.source[link.to.value] = link.from;
        wiring.is_connected[link.to.value] = wiring.is_connected[link.from.value] = 1;
    }
    for (const Port& port : system.ports) {
        wiring.owner.push_back(port.unit);
        wiring.is_reactive.push_back(port.reactivity == scenario::Reactivity::reactive);
    }
    for (const scenario::SystemUnit& unit : system.units)
        add_connected(wiring.inputs, wiring, unit.inputs);
    for (const Port& port : system.ports) {
        add_connected(wiring.feedthrough, wiring, port.feedthrough);
        add_connected(wiring.feedthrough_initial, wiring, port.feedthrough_initial);
    }
    return wiring;
}

} // namespace

const Procedure* find_procedure(const Algorithm& algorithm, const std::string& name) {
    const auto found = std::ranges::find(algorithm.steps, name, &Procedure::name);
    return found == algorithm.steps.end() ? nullptr : &*found;
}

namespace {

std::vector<std::uint8_t> connected_in_any(const System& system, const std::vector<Mode>& modes) {
    std::vector<std::uint8_t> connected(system.ports.size());
    for (const Mode& mode : modes) {
        for (std::size_t p = 0; p < connected.size(); ++p)
            connected[p] |= mode.wiring.is_connected[p];
    }
    return connected;
}

} // namespace

std::vector<Mode> modes_of(const System& system, const Algorithm& algorithm) {
    std::vector<Mode> modes;
    for (const Configuration& configuration : system.configurations) {
        modes.push_back({configuration.name, find_procedure(algorithm, configuration.procedure),
                         wire(in_configuration(system, configuration))});
    }
    if (system.configurations.empty()) {
        for (const Procedure& procedure : algorithm.steps)
            modes.push_back({{}, &procedure, wire(system)});
    }
    const std::vector<std::uint8_t> connected = connected_in_any(system, modes);
    for (Mode& mode : modes) mode.wiring.is_ever_connected = connected;
    return modes;
}

} // namespace rubato::algorithm::verification
