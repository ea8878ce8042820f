// SPDX-License-Identifier: Apache-2.0
#include "fmi3_unit.hpp"

/// Event mode of FMI 3.0 for co-simulation: section 4.2 of the standard.
namespace rubato::unit {

void Fmi3Unit::Events::enter() {
    unit_.require(Call::enter_event_mode);
    unit_.instance_.check(unit_.functions().enter_event_mode(unit_.instance()),
                          "fmi3EnterEventMode");
    unit_.note_event_mode(true);
}

EventUpdate Fmi3Unit::Events::update() {
    unit_.require(Call::update);
    EventUpdate update;
    bool nominals_changed = false, states_changed = false, has_next_event = false;
    double next_event = 0;
    unit_.instance_.check(unit_.functions().update_discrete_states(
                              unit_.instance(), &update.again, &update.terminate, &nominals_changed,
                              &states_changed, &has_next_event, &next_event),
                          "fmi3UpdateDiscreteStates");
    if (!has_next_event) return update;
    const auto next = unit_.instance_.rules().next_event(next_event, "fmi3UpdateDiscreteStates");
    if (next) update.next_event = Time{*next};
    return update;
}

void Fmi3Unit::Events::get_intervals(std::span<const ValueRef> clocks,
                                     std::span<ClockInterval> intervals) {
    unit_.require(Call::get_intervals);
    unit_.intervals_.get_intervals(clocks, intervals);
}

void Fmi3Unit::Events::get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) {
    unit_.require(Call::get_intervals);
    unit_.intervals_.get_shifts(clocks, shifts);
}

void Fmi3Unit::Events::leave() {
    unit_.require(Call::leave_event_mode);
    unit_.instance_.check(unit_.functions().enter_step_mode(unit_.instance()), "fmi3EnterStepMode");
    unit_.note_event_mode(false);
}

} // namespace rubato::unit
