// SPDX-License-Identifier: Apache-2.0
#include "timed_unit.hpp"

#include <chrono>
#include <utility>

namespace rubato::pipeline {

template <class Action>
std::invoke_result_t<Action> TimedUnit::timing(Action&& action) {
    struct Measurement {
        UnitTime& time;
        std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
        ~Measurement() {
            const auto end = std::chrono::steady_clock::now();
            time.seconds += std::chrono::duration<double>(end - begin).count();
            ++time.calls;
        }
    };
    const Measurement measurement{time_};
    return std::forward<Action>(action)();
}

unit::Abilities TimedUnit::abilities() noexcept {
    const unit::Abilities inner = forwarded();
    return {
        .snapshots = inner.snapshots,
        .serialized_states = inner.serialized_states,
        .input_derivatives = inner.input_derivatives,
        .event_mode = inner.event_mode,
        .intermediate_outputs = inner.intermediate_outputs,
        .directional_derivatives = inner.directional_derivatives,
        .solver_statistics = inner.solver_statistics,
        .direct_calls = nullptr,
    };
}

void TimedUnit::do_enter_initialization(const unit::Horizon& horizon) {
    timing([&] { Decorator::do_enter_initialization(horizon); });
}
void TimedUnit::do_exit_initialization() {
    timing([&] { Decorator::do_exit_initialization(); });
}
void TimedUnit::do_set(const Bulk& values) {
    timing([&] { Decorator::do_set(values); });
}
void TimedUnit::do_get(const Bulk& values) {
    timing([&] { Decorator::do_get(values); });
}
unit::StepResult TimedUnit::do_step(Time from, Duration by) {
    ++time_.steps;
    return timing([&] { return Decorator::do_step(from, by); });
}
void TimedUnit::do_save(std::uint32_t slot) {
    timing([&] { Decorator::do_save(slot); });
}
void TimedUnit::do_restore(std::uint32_t slot) {
    timing([&] { Decorator::do_restore(slot); });
}

} // namespace rubato::pipeline
