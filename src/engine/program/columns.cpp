// SPDX-License-Identifier: Apache-2.0
#include "columns.hpp"

#include <map>
#include <tuple>

namespace rubato::engine {

namespace {

/// Where the algorithm keeps outputs, by unit, variable and element.
using SlotsByElement = std::map<std::tuple<UnitId, std::uint32_t, std::uint32_t>, std::uint32_t>;

SlotsByElement slots_by_element(const scenario::System& system,
                                std::span<const std::optional<std::uint32_t>> output_slots) {
    SlotsByElement result;
    for (std::size_t p = 0; p < system.ports.size(); ++p) {
        if (!output_slots[p]) continue;
        const scenario::Port& port = system.ports[p];
        for (std::uint32_t e = 0; e < port.part.count; ++e)
            result[{port.unit, port.variable, port.part.first + e}] = *output_slots[p] + e;
    }
    return result;
}

} // namespace

RecordedSlots record_slots(const scenario::System& system,
                           std::span<const std::unique_ptr<unit::Unit>> units,
                           std::span<const std::optional<std::uint32_t>> output_slots, Plan& plan,
                           Calls& calls) {
    RecordedSlots recorded;
    const std::size_t before = plan.gets.size();
    const SlotsByElement known = slots_by_element(system, output_slots);
    std::optional<std::pair<UnitId, ValueType>> last;
    for (const scenario::Observed& entry : system.observed) {
        unit::Unit& unit = *units[entry.unit.value];
        const auto& variable = unit.description().variables[entry.variable];
        recorded.columns.push_back(
            {scenario::qualified_name(system.unit(entry.unit).name, entry.name), variable.unit,
             variable.type, nullptr, variable.description});
        const Storage storage = storage_of(variable.type);
        const auto found = known.find({entry.unit, entry.variable, entry.part.first});
        if (found != known.end()) {
            recorded.slots.emplace_back(storage, found->second);
            continue;
        }
        const std::uint32_t slot = calls.add_slots(storage);
        recorded.slots.emplace_back(storage, slot);
        if (!variable.clocks.empty() && unit.event_mode()) {
            recorded.clocked.push_back({entry, storage, slot});
            continue;
        }
        calls.add_get({entry.unit, variable.type, variable.reference, entry.part}, slot,
                      last != std::pair(entry.unit, variable.type));
        last = {entry.unit, variable.type};
    }
    for (std::size_t i = before; i < plan.gets.size(); ++i) plan.gets[i].checked = false;
    plan.observe = {{Opcode::get, static_cast<std::uint32_t>(before),
                     static_cast<std::uint32_t>(plan.gets.size() - before)}};
    return recorded;
}

} // namespace rubato::engine
