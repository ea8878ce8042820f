// SPDX-License-Identifier: Apache-2.0
#include "conditions.hpp"

#include <limits>

namespace rubato::engine {

namespace {

std::uint32_t read_apart(const scenario::System& system, PortId output, Calls& calls) {
    const scenario::Port& port = system.port(output);
    const std::uint32_t slot = calls.add_slots(storage_of(port.type), port.part.count);
    calls.add_get(variable_of(port), slot, true);
    return slot;
}

} // namespace

void read_conditions(const scenario::System& system, Plan& plan, Calls& calls) {
    const std::size_t before = plan.gets.size();
    for (std::size_t c = 1; c < system.configurations.size(); ++c) {
        const scenario::Configuration& configuration = system.configurations[c];
        Procedure& step = plan.procedures[c];
        if (configuration.from) {
            step.from = *configuration.from;
        } else if (!configuration.when) {
            step.from = Time{std::numeric_limits<double>::infinity()};
        }
        if (!configuration.when) continue;
        const auto& [output, relation, value] = *configuration.when;
        step.when = {storage_of(system.port(output).type), read_apart(system, output, calls),
                     relation, value};
    }
    plan.conditions = {added(Opcode::get, plan.gets, before)};
}

std::vector<std::uint32_t> read_watched(const scenario::System& system, Plan& plan, Calls& calls) {
    std::vector<std::uint32_t> slots;
    const std::size_t before = plan.gets.size();
    for (const PortId output : watched_outputs(system))
        slots.push_back(read_apart(system, output, calls));
    plan.watch = {added(Opcode::get, plan.gets, before)};
    return slots;
}

} // namespace rubato::engine
