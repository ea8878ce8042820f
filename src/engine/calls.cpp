// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include <cassert>

namespace rubato::engine {

using unit::Unit;

void Calls::add_get(const Variable& variable, std::uint32_t slot, bool start_new) {
    if (!start_new) {
        PendingBulk& last = pending_gets_.back();
        if (slot == last.first_slot + last.references.size()) {
            last.references.push_back(variable.reference);
            return;
        }
    }
    plan_.gets.push_back(
        {.unit = &unit_of(variable.unit), .checked = storage_of(variable.type) == Storage::real});
    pending_gets_.push_back({variable.type, slot, {variable.reference}});
}

void Calls::add_set(UnitId unit, ValueType type, std::vector<ValueRef> references,
                    std::span<const std::uint32_t> sources, SetExtras extras) {
    const bool plain = extras.scalings.empty() && extras.approximations.empty();
    plan_.sets.push_back(
        {.unit = &unit_of(unit),
         .extras = plain ? nullptr : &plan_.extras.emplace_back(std::move(extras))});
    const std::uint32_t first_slot = add_slots(storage_of(type), references.size());
    pending_sets_.push_back({type, first_slot, std::move(references)});
    first_source_.push_back(plan_.sources.size());
    plan_.sources.insert(plan_.sources.end(), sources.begin(), sources.end());
}

void Calls::add_snapshot(UnitId id) {
    Unit& saved = unit_of(id);
    assert(saved.snapshots() && "checked before: the unit can roll back");
    plan_.snapshots.push_back({saved.snapshots()});
    saved_.insert(&saved);
}

void Calls::bind() {
    allocate_buffers();
    for (StepCall& call : plan_.steps) {
        if (const auto direct = direct_calls(*call.unit, ValueType::float64)) {
            call.direct = direct->step;
            call.instance = direct->instance;
        }
    }
    for (std::size_t i = 0; i < plan_.gets.size(); ++i) {
        GetCall& call = plan_.gets[i];
        call.bulk = bulk(std::move(pending_gets_[i]));
        if (const auto direct = direct_calls(*call.unit, call.bulk.type)) {
            call.direct = direct->get;
            call.instance = direct->instance;
        }
    }
    for (std::size_t i = 0; i < plan_.sets.size(); ++i) bind_set(i);
}

void Calls::allocate_buffers() {
    Buffers& buffers = plan_.buffers;
    buffers.reals.resize(slot_counts_[0]);
    buffers.integers.resize(slot_counts_[1]);
    buffers.booleans = std::make_unique<bool[]>(slot_counts_[2]);
    buffers.strings.resize(slot_counts_[3]);
}

void Calls::bind_set(std::size_t index) {
    SetCall& call = plan_.sets[index];
    call.bulk = bulk(std::move(pending_sets_[index]));
    call.sources = plan_.sources.data() + first_source_[index];
    if (call.extras) {
        for (ApproximatedInputs& inputs : call.extras->approximations) {
            inputs.references = call.bulk.references.subspan(inputs.first, inputs.histories.size());
        }
    } else if (const auto direct = direct_calls(*call.unit, call.bulk.type)) {
        call.direct = direct->set;
        call.instance = direct->instance;
    }
}

Bulk Calls::bulk(PendingBulk&& pending) {
    const auto& references = *plan_.references.insert(std::move(pending.references)).first;
    return {pending.type, references,
            plan_.buffers.at(storage_of(pending.type), pending.first_slot), references.size()};
}

std::optional<unit::DirectCalls> Calls::direct_calls(Unit& unit, ValueType type) const {
    if (type != ValueType::float64 || saved_.contains(&unit)) return std::nullopt;
    return unit.direct_calls();
}

} // namespace rubato::engine
