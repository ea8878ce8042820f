// SPDX-License-Identifier: Apache-2.0
#include "composite_unit.hpp"

#include <algorithm>
#include <cmath>

// Events of a composite that all units of the whole take part in.

namespace rubato::composite {

bool CompositeUnit::have_changed() const {
    return std::ranges::any_of(pending_, &Pending::has_changed);
}

void CompositeUnit::set_at_event() {
    for (Pending& pending : pending_)
        if (std::exchange(pending.has_changed, false)) variables_.set(pending.value.bulk());
}

/// Whether a discrete output has changed since it was asked last.
bool CompositeUnit::concerns_others() {
    bool changed = false;
    for (Watched& output : outputs_) {
        const Bulk now = output.now.bulk();
        variables_.get(now);
        changed |= output.last.take(now.data);
    }
    return changed;
}

bool CompositeUnit::ends_span() {
    const bool has_changed = ends_steps_at_events_ && concerns_others();
    // What is that near to the start comes of rounding: a step must get somewhere.
    has_ended_span_ = has_changed && !simulation_->is_near(step_start_);
    return has_ended_span_;
}

void CompositeUnit::enter() {
    require(Call::enter_event_mode);
    passing_on([&] { simulation_->begin_event(); });
    awaits_event_ = false;
    is_stale_ = false;
    note_event_mode(true);
}

/// If its steps cannot end at its events, the whole has to know of them before. The same if another
/// is due at once.
unit::EventUpdate CompositeUnit::update() {
    require(Call::update);
    is_stale_ = false;
    unit::EventUpdate update = passing_on([&] { return simulation_->end_instant(); });
    const bool is_due = *update.next_event <= simulation_->time();
    const bool is_announced = !outputs_.empty() && !ends_steps_at_events_;
    if (!std::isfinite(update.next_event->seconds) || !(is_due || is_announced))
        update.next_event.reset();
    return update;
}

/// It has no clocks.
void CompositeUnit::get_intervals(std::span<const ValueRef>, std::span<unit::ClockInterval>) {
    require(Call::get_intervals);
}

void CompositeUnit::get_shifts(std::span<const ValueRef>, std::span<Duration>) {
    require(Call::get_intervals);
}

void CompositeUnit::leave() {
    require(Call::leave_event_mode);
    passing_on([&] {
        simulation_->end_event();
        const bool tries_events = ends_steps_at_events_ && description().capabilities.snapshots;
        if (tries_events && !before_event_) before_event_ = simulation_->save();
        (void)concerns_others(); // from here on
    });
    note_event_mode(false);
}

} // namespace rubato::composite
