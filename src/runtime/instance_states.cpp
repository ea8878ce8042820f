// SPDX-License-Identifier: Apache-2.0
#include "instance.hpp"

#include <rubato/core/bytes.hpp>
#include <rubato/core/hash.hpp>

#include <string_view>
#include <utility>

// Saved states of an instance.

namespace rubato::runtime {

namespace {

/// Of the bytes of a state, and of whose they are.
std::uint64_t checksum(std::string_view identifier, std::span<const std::byte> bytes) {
    Hash hash(0x52756261746f2121u);
    hash.add(identifier);
    hash.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return hash.value();
}

} // namespace

unit::Snapshots& Instance::snapshots() {
    unit::Snapshots* const snapshots = unit_->snapshots();
    require(snapshots != nullptr, "its state cannot be saved: an inner unit cannot save its own");
    require(unit_->phase() != unit::Phase::instantiated,
            "there is no state to save or restore before initialization");
    return *snapshots;
}

unit::SerializedStates& Instance::serialized_states() {
    unit::SerializedStates* const states = unit_->serialized_states();
    require(states != nullptr,
            "its states cannot be serialized: an inner unit cannot serialize its own");
    return *states;
}

/// In a slot that is free.
std::unique_ptr<SavedState> Instance::new_state() const {
    auto state = std::make_unique<SavedState>();
    state->life = life_;
    state->slot = free_slots_.empty() ? slots_ : free_slots_.back();
    return state;
}

/// The state is there: its slot is not free any more.
void Instance::take_slot_of(const SavedState& state) {
    if (state.slot == slots_)
        ++slots_;
    else
        free_slots_.pop_back();
}

void Instance::save(SavedState*& state) {
    unit::Snapshots& all = snapshots();
    const bool is_usable = state != nullptr && state->life == life_;
    std::unique_ptr<SavedState> made;
    if (!is_usable) made = new_state();
    SavedState& target = is_usable ? *state : *made;
    all.save(target.slot);
    target.derivatives = derivatives_;
    target.last_step = last_step_;
    target.inputs_move = inputs_move_;
    if (is_usable) return;
    take_slot_of(target);
    delete std::exchange(state, made.release());
}

void Instance::restore(const SavedState& state) {
    require(state.life == life_, "the state was saved before the instance was reset");
    snapshots().restore(state.slot);
    derivatives_ = state.derivatives;
    last_step_ = state.last_step;
    inputs_move_ = state.inputs_move;
    for (std::size_t i = 0; i < moving_.size(); ++i) moving_[i] = derivatives_[i] != 0;
}

void Instance::release(SavedState*& state) {
    if (state == nullptr) return;
    if (state->life == life_) {
        if (unit::Snapshots* const snapshots = unit_->snapshots()) snapshots->release(state->slot);
        free_slots_.push_back(state->slot);
    }
    delete state;
    state = nullptr;
}

std::vector<std::byte> Instance::serialize(const SavedState& state) {
    require(state.life == life_, "the state was saved before the instance was reset");
    std::vector<std::byte> content;
    ByteWriter writer(content);
    writer.put(horizon);
    writer.put(state.last_step);
    writer.put_all(std::span<const double>(state.derivatives));
    writer.put(state.inputs_move);
    serialized_states().serialize(state.slot, content);
    std::vector<std::byte> bytes;
    ByteWriter(bytes).put(checksum(request_.identifier, content));
    bytes.insert(bytes.end(), content.begin(), content.end());
    return bytes;
}

void Instance::deserialize(std::span<const std::byte> bytes, SavedState*& state) {
    unit::SerializedStates& all = serialized_states();
    ByteReader reader(bytes);
    const auto sum = reader.take<std::uint64_t>();
    require(sum == checksum(request_.identifier, reader.rest()),
            "these are not the bytes of a saved state of this FMU, or they are damaged");
    const auto of = reader.take<unit::Horizon>();
    if (unit_->phase() == unit::Phase::instantiated) initialize_to_restore(of);
    auto made = new_state();
    made->last_step = reader.take<unit::StepResult>();
    made->derivatives = reader.take_all<double>();
    made->inputs_move = reader.take<bool>();
    if (made->derivatives.size() != derivatives_.size()) ByteReader::fail();
    all.deserialize(made->slot, reader.rest());
    take_slot_of(*made);
    delete std::exchange(state, made.release());
}

/// There must be something to restore: steps can be made.
void Instance::initialize_to_restore(const unit::Horizon& of) {
    horizon = of;
    enter_initialization();
    unit_->exit_initialization();
    if (unit::EventMode* const mode = unit_->event_mode()) {
        (void)mode->update();
        mode->leave();
    }
}

} // namespace rubato::runtime
