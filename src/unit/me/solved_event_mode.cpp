// SPDX-License-Identifier: Apache-2.0
#include "shared_events.hpp"
#include "solved_unit.hpp"

#include <cmath>

/// Event mode of a model that a solver of ours solves: clocks tick, and events are handled with
/// those of other units.
namespace rubato::unit {

ModelSolver::EventHandling SolvedUnit::event_handling() {
    using Handling = ModelSolver::EventHandling;
    if (event_mode() == nullptr) return Handling::alone;
    return may_concern_others(description().variables) ? Handling::shared : Handling::apart;
}

void SolvedUnit::Events::enter() {
    unit_.require(Call::enter_event_mode);
    if (!unit_.solver_->in_event_mode()) unit_.solver_->enter_event_mode();
    unit_.note_event_mode(true);
}

/// What the model announces is reported where steps are to end at it.
EventUpdate SolvedUnit::Events::update() {
    unit_.require(Call::update);
    const EventRound round = unit_.solver_->update();
    EventUpdate update{.again = round.again, .terminate = round.terminate, .next_event = {}};
    const bool is_shared = unit_.event_handling() == ModelSolver::EventHandling::shared;
    if (is_shared && round.next_event && std::isfinite(*round.next_event))
        update.next_event = Time{*round.next_event};
    return update;
}

void SolvedUnit::Events::get_intervals(std::span<const ValueRef> clocks,
                                       std::span<ClockInterval> intervals) {
    unit_.require(Call::get_intervals);
    unit_.model_->clock_intervals()->get_intervals(clocks, intervals);
}

void SolvedUnit::Events::get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) {
    unit_.require(Call::get_intervals);
    unit_.model_->clock_intervals()->get_shifts(clocks, shifts);
}

/// The solver starts anew: inputs that have jumped need no other event.
void SolvedUnit::Events::leave() {
    unit_.require(Call::leave_event_mode);
    unit_.solving([&] { unit_.solver_->leave_event_mode(); });
    unit_.inputs_.settle();
    unit_.has_jumped_ = false;
    unit_.note_event_mode(false);
}

} // namespace rubato::unit
