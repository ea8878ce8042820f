// SPDX-License-Identifier: Apache-2.0
#include "timed_unit.hpp"

#include <utility>

namespace rubato::pipeline {

/// Errors of the inner unit, which has the same name, are this one's.
template <class Action>
std::invoke_result_t<Action> TimedUnit::passing_on(Action&& action) {
    try {
        return action();
    } catch (...) {
        note_fault();
        throw;
    }
}

template <class Action>
std::invoke_result_t<Action> TimedUnit::timing(Action&& action) {
    struct Watch {
        double& seconds;
        std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
        ~Watch() {
            seconds +=
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        }
    };
    const Watch watch{seconds_};
    return passing_on(std::forward<Action>(action));
}

/// The phase of the unit around belongs to what is saved.
class TimedUnit::States final : public unit::Snapshots {
public:
    explicit States(TimedUnit& unit) : unit_(unit) {}
    void save(std::uint32_t slot) override {
        unit_.require(Call::save);
        unit_.timing([&] { unit_.inner_->snapshots()->save(slot); });
        unit_.note_saved(slot);
    }
    void restore(std::uint32_t slot) override {
        unit_.require(Call::restore);
        unit_.timing([&] { unit_.inner_->snapshots()->restore(slot); });
        unit_.note_restored(slot);
    }
    void release(std::uint32_t slot) override { unit_.inner_->snapshots()->release(slot); }

private:
    TimedUnit& unit_;
};

class TimedUnit::Events final : public unit::EventMode {
public:
    explicit Events(TimedUnit& unit) : unit_(unit) {}
    void enter() override {
        unit_.passing_on([&] { inner().enter(); });
        unit_.note_event_mode(true);
    }
    unit::EventUpdate update() override {
        return unit_.passing_on([&] { return inner().update(); });
    }
    void get_intervals(std::span<const ValueRef> clocks,
                       std::span<unit::ClockInterval> intervals) override {
        unit_.passing_on([&] { inner().get_intervals(clocks, intervals); });
    }
    void get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) override {
        unit_.passing_on([&] { inner().get_shifts(clocks, shifts); });
    }
    void leave() override {
        unit_.passing_on([&] { inner().leave(); });
        unit_.note_event_mode(false);
    }

private:
    unit::EventMode& inner() { return *unit_.inner_->event_mode(); }
    TimedUnit& unit_;
};

TimedUnit::TimedUnit(std::unique_ptr<unit::Unit> inner, double& seconds)
    : Unit(inner->name(), inner->description()), inner_(std::move(inner)),
      states_(std::make_unique<States>(*this)), events_(std::make_unique<Events>(*this)),
      seconds_(seconds) {}

TimedUnit::~TimedUnit() = default;

unit::Abilities TimedUnit::abilities() noexcept {
    const unit::Abilities inner = inner_->abilities();
    return {
        .snapshots = inner.snapshots ? states_.get() : nullptr,
        .serialized_states = nullptr, // nobody continues a measured run elsewhere
        .input_derivatives = inner.input_derivatives,
        .event_mode = inner.event_mode ? events_.get() : nullptr,
        .intermediate_outputs = inner.intermediate_outputs,
        .directional_derivatives = inner.directional_derivatives,
        .solver_statistics = inner.solver_statistics,
        .direct_calls = nullptr, // they would pass by the watch
    };
}

void TimedUnit::do_enter_initialization(const unit::Horizon& horizon) {
    passing_on([&] { inner_->enter_initialization(horizon); });
}
void TimedUnit::do_exit_initialization() {
    passing_on([&] { inner_->exit_initialization(); });
}
void TimedUnit::do_terminate() {
    passing_on([&] { inner_->terminate(); });
}
void TimedUnit::do_set(const Bulk& values) {
    timing([&] { inner_->set(values); });
}
void TimedUnit::do_get(const Bulk& values) {
    timing([&] { inner_->get(values); });
}
unit::StepResult TimedUnit::do_step(Time from, Duration by) {
    return timing([&] { return inner_->step(from, by); });
}

} // namespace rubato::pipeline
