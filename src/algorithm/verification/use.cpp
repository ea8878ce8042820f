// SPDX-License-Identifier: Apache-2.0
#include "form.hpp"
#include "words.hpp"

#include <rubato/algorithm/traversal.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::algorithm::verification {

namespace {

using scenario::System;

std::vector<std::uint8_t> used_in(const System& system, const Body& body) {
    std::vector<std::uint8_t> used(system.ports.size());
    for_each_of<Get>(body, [&](const Get& get) { used[get.port.value] = 1; });
    for_each_of<Set>(body, [&](const Set& set) { used[set.port.value] = 1; });
    return used;
}

/// "although it is connected to msd2.x1, msd3.x1"
std::string connections_of(const System& system, const Wiring& wiring, PortId port) {
    if (const auto& source = wiring.source[port.value])
        return format("although it is connected to {}", system.name_of(*source));
    std::vector<std::string> targets;
    for (std::size_t p = 0; p < system.ports.size(); ++p) {
        if (wiring.source[p] == port) targets.push_back(system.name_of(nth<PortId>(p)));
    }
    return format("although it is connected to {}", listed(targets));
}

void check_body(const System& system, const Mode& mode, const Body& body, const Places& places,
                std::vector<Violation>& violations) {
    constexpr std::size_t most = 20;
    const std::vector<std::uint8_t> used = used_in(system, body);
    std::size_t unused = 0;
    for (std::size_t p = 0; p < system.ports.size(); ++p) {
        const PortId id = nth<PortId>(p);
        if (!mode.wiring.connects(id) || used[p]) continue;
        if (++unused > most) continue;
        const bool is_input = system.port(id).direction == scenario::Direction::input;
        const std::string where = places.of_body(body);
        std::string message =
            format("{} is never {} in {}, {}", system.name_of(id), is_input ? "set" : "got", where,
                   connections_of(system, mode.wiring, id));
        if (!mode.name.empty()) message += format(" in configuration \"{}\"", mode.name);
        violations.push_back(
            {std::move(message),
             format("{} {} in {}", is_input ? "set" : "get", system.name_of(id), where),
             {}});
    }
    if (unused > most) {
        violations.push_back({format("{} more connected ports are never used in {}", unused - most,
                                     places.of_body(body)),
                              "get every connected output and set every connected input",
                              {}});
    }
}

} // namespace

std::vector<Violation> check_use(const System& system, const Algorithm& algorithm,
                                 const std::vector<Mode>& modes) {
    std::vector<Violation> violations;
    const Places places(algorithm);
    check_body(system, modes.front(), algorithm.initialization, places, violations);
    for (const Mode& mode : modes)
        check_body(system, mode, mode.procedure->body, places, violations);
    return violations;
}

} // namespace rubato::algorithm::verification
