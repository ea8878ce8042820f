// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/instance.hpp>

#include <limits>

/// What an instance for model exchange does.
namespace rubato::model {

void Instance::set_time(double time) {
    header().time = time;
    header().stale = Slot::needs_outputs | Slot::needs_derivatives;
}

void Instance::set_states(const double* states) {
    for (std::uint32_t i = 0; i < state_count_; ++i) at(object_, states_[i]) = states[i];
    header().stale = Slot::needs_outputs | Slot::needs_derivatives;
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

EventUpdate Instance::update_discrete() { return {false, std::numeric_limits<double>::infinity()}; }

} // namespace rubato::model
