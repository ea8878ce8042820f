// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/instance.hpp>

#include <limits>

/// What an instance for model exchange does.
namespace rubato::model {

void Instance::set_time(double time) {
    header().time = time;
    header().stale = Slot::needs_all;
}

void Instance::set_states(const double* states) {
    for (std::uint32_t i = 0; i < state_count_; ++i) at(object_, states_[i]) = states[i];
    header().stale = Slot::needs_all;
}

void Instance::get_states(double* states) const {
    for (std::uint32_t i = 0; i < state_count_; ++i) states[i] = at(object_, states_[i]);
}

void Instance::get_derivatives(double* derivatives) {
    if (state_count_ == 0) return;
    refresh(Slot::needs_derivatives);
    for (std::uint32_t i = 0; i < state_count_; ++i)
        derivatives[i] = at(derivative_object_, states_[i]);
}

void Instance::get_crossings(double* crossings) {
    if (type_.crossing_count == 0) return;
    refresh(Slot::needs_crossings);
    std::memcpy(crossings, block_.get() + type_.layout.crossings,
                type_.crossing_count * sizeof(double));
}

EventUpdate Instance::update_discrete() {
    if (!has_events_) return {false, std::numeric_limits<double>::infinity()};
    if (type_.event_mode && !ticks_itself_) {
        const bool states_changed = end_instant();
        return {states_changed, next_event(header().time)};
    }
    double* const before = scratch_.get() + type_.layout.continuous_inputs.size();
    get_states(before);
    handle_event();
    bool changed = false;
    for (std::uint32_t i = 0; i < state_count_; ++i)
        changed = changed || at(object_, states_[i]) != before[i];
    return {changed, next_event(header().time)};
}

AccessResult Instance::get_variation(std::span<const ValueRef> unknowns,
                                     std::span<const ValueRef> knowns, const double* seed,
                                     double* result) {
    std::byte* const variation = objects_.get();
    std::byte* const varied = variation + type_.size;
    std::memset(variation, 0, 2 * std::size_t{type_.size});
    for (const ValueRef known : knowns) {
        if (known >= slot_count_) return {Access::unknown_reference, known};
        const VariableType& variable = type_.variables[known];
        const bool varies = variable.role == Role::state || variable.role == Role::input;
        if (!varies || variable.type != ValueType::float64) return {Access::wrong_type, known};
        at(variation, variable.offset) = *seed++;
    }
    type_.variations(object_, header().time, variation, varied);
    for (const ValueRef unknown : unknowns) {
        if (unknown >= slot_count_) return {Access::unknown_reference, unknown};
        const VariableType& variable = type_.variables[unknown];
        const bool is_state = variable.role == Role::state;
        const bool varies = variable.role == Role::state_derivative ||
                            variable.role == Role::output || variable.role == Role::local;
        if ((!varies && !is_state) || variable.type != ValueType::float64)
            return {Access::wrong_type, unknown};
        *result++ = at(is_state ? variation : varied, variable.offset); // a state varies as itself
    }
    return {};
}

} // namespace rubato::model
