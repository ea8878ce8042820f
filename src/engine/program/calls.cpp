// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include <algorithm>
#include <cassert>

namespace rubato::engine {

using unit::Unit;

std::uint32_t add_source(SetExtras& extras, std::uint32_t index, std::uint32_t slot,
                         const scenario::Link& link, const std::optional<TypeChange>& change) {
    if (change) {
        extras.conversions.push_back({index, slot, *change});
        return 0; // any slot of its storage, of which the set itself has one: it is overwritten
    }
    if (link.factor != 1 || link.offset != 0)
        extras.scalings.push_back({index, link.factor, link.offset});
    return slot;
}

void Calls::PendingBulk::add(const Variable& variable) {
    const Part& part = variable.part;
    count += part.count;
    if (!references.empty() && references.back() == variable.reference && part.size > 1 &&
        parts.back().first + parts.back().count == part.first) {
        parts.back().count += part.count;
        return;
    }
    references.push_back(variable.reference);
    parts.push_back(part);
}

void Calls::add_get(const Variable& variable, std::uint32_t slot, bool start_new) {
    if (start_new || slot != pending_gets_.back().first_slot + pending_gets_.back().count) {
        plan_.gets.push_back({.unit = &unit_of(variable.unit),
                              .checked = storage_of(variable.type) == Storage::real});
        pending_gets_.push_back({.type = variable.type, .first_slot = slot});
    }
    pending_gets_.back().add(variable);
}

void Calls::add_set(std::span<const Variable> variables, std::span<const std::uint32_t> sources,
                    SetExtras extras) {
    const bool plain = extras.empty();
    plan_.sets.push_back(
        {.unit = &unit_of(variables.front().unit),
         .extras = plain ? nullptr : &plan_.extras.emplace_back(std::move(extras))});
    PendingBulk bulk{.type = variables.front().type};
    for (const Variable& variable : variables) bulk.add(variable);
    bulk.first_slot = add_slots(storage_of(bulk.type), bulk.count);
    pending_sets_.push_back(std::move(bulk));
    first_source_.push_back(plan_.sources.size());
    plan_.sources.insert(plan_.sources.end(), sources.begin(), sources.end());
}

void Calls::add_snapshot(UnitId id) {
    Unit& saved = unit_of(id);
    assert(saved.snapshots() && "checked before: the unit can roll back");
    plan_.snapshots.push_back({saved.snapshots()});
    plan_.saved_units.insert(&saved);
}

void Calls::bind() {
    allocate_buffers();
    for (std::size_t i = 0; i < plan_.gets.size(); ++i)
        plan_.gets[i].bulk = bulk(std::move(pending_gets_[i]));
    for (std::size_t i = 0; i < plan_.sets.size(); ++i) bind_set(i);
}

void Calls::allocate_buffers() { plan_.buffers.allocate(slot_counts_); }

void Calls::bind_set(std::size_t index) {
    SetCall& call = plan_.sets[index];
    call.bulk = bulk(std::move(pending_sets_[index]));
    call.sources = plan_.sources.data() + first_source_[index];
    if (!call.extras) return;
    // Arrays are not approximated and come first: each has one reference for all its values.
    const std::size_t in_arrays = call.bulk.count - call.bulk.references.size();
    for (ApproximatedInputs& inputs : call.extras->approximations) {
        inputs.references =
            call.bulk.references.subspan(inputs.first - in_arrays, inputs.histories.size());
    }
}

Bulk Calls::bulk(PendingBulk&& pending) {
    const auto& references = *plan_.references.insert(std::move(pending.references)).first;
    std::span<const Part> parts;
    if (std::ranges::any_of(pending.parts, [](const Part& part) { return part != Part{}; }))
        parts = plan_.parts.emplace_back(std::move(pending.parts));
    return {pending.type, references,
            plan_.buffers.at(storage_of(pending.type), pending.first_slot), pending.count, parts};
}

} // namespace rubato::engine
