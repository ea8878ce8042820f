// SPDX-License-Identifier: Apache-2.0
#include "composite_unit.hpp"

#include <rubato/core/bytes.hpp>

#include <algorithm>

namespace rubato::composite {

void CompositeUnit::save(std::uint32_t slot) {
    require(Call::save);
    if (slot >= saved_.size()) saved_.resize(slot + std::size_t{1});
    passing_on([&] {
        if (saved_[slot])
            simulation_->save(saved_[slot]->run);
        else
            saved_[slot].emplace(Saved{simulation_->save(), {}});
    });
    State& state = saved_[slot]->state; // each member keeps its memory
    state.motions = motions_;
    state.moving = moving_;
    state.pending = pending_;
    state.outputs = outputs_;
    state.step_start = step_start_;
    state.is_stale = is_stale_;
    state.awaits_event = awaits_event_;
    note_saved(slot);
}

void CompositeUnit::restore(std::uint32_t slot) {
    require(Call::restore);
    const Saved& saved = *saved_.at(slot);
    passing_on([&] { simulation_->restore(saved.run); });
    const State& state = saved.state;
    motions_ = state.motions;
    moving_ = state.moving;
    pending_ = state.pending;
    outputs_ = state.outputs;
    step_start_ = state.step_start;
    is_stale_ = state.is_stale;
    awaits_event_ = state.awaits_event;
    note_restored(slot);
}

void CompositeUnit::release(std::uint32_t slot) {
    if (slot < saved_.size() && saved_[slot]) simulation_->release(saved_[slot]->run);
}

void CompositeUnit::serialize(std::uint32_t slot, std::vector<std::byte>& bytes) {
    const Saved& saved = *saved_.at(slot);
    const State& state = saved.state;
    ByteWriter writer(bytes);
    writer.put(saved_phase(slot));
    writer.put(state.step_start);
    writer.put(state.is_stale);
    writer.put(state.awaits_event);
    writer.put_all(std::span<const Motion>(state.motions));
    writer.put_all(std::span<const ValueRef>(state.moving));
    for (const Pending& pending : state.pending) {
        writer.put(pending.has_changed);
        pending.value.write(writer);
    }
    for (const Watched& output : state.outputs) output.last.write(writer);
    simulation_->serialize(saved.run, bytes);
}

void CompositeUnit::deserialize(std::uint32_t slot, std::span<const std::byte> bytes) {
    ByteReader reader(bytes);
    const auto phase = reader.take<unit::Phase>();
    State state{.motions = {}, .moving = {}, .pending = pending_, .outputs = outputs_};
    state.step_start = reader.take<Time>();
    state.is_stale = reader.take<bool>();
    state.awaits_event = reader.take<bool>();
    state.motions = reader.take_all<Motion>();
    state.moving = reader.take_all<ValueRef>();
    const bool are_inputs =
        std::ranges::all_of(state.moving, [&](ValueRef input) { return input < motions_.size(); });
    if (state.motions.size() != motions_.size() || !are_inputs) ByteReader::fail();
    for (Pending& pending : state.pending) {
        pending.has_changed = reader.take<bool>();
        pending.value.read(reader);
    }
    for (Watched& output : state.outputs) output.last.read(reader);
    passing_on([&] {
        if (slot >= saved_.size()) saved_.resize(slot + std::size_t{1});
        saved_[slot].emplace(Saved{simulation_->deserialize(reader.rest()), std::move(state)});
    });
    note_saved(slot, phase);
}

} // namespace rubato::composite
