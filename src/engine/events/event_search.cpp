// SPDX-License-Identifier: Apache-2.0
#include "event_search.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rubato::engine {

namespace {

constexpr double default_tolerance = 1e-4; // of the step
constexpr double row_distance = 10;        // in tolerances

bool holds(const scenario::Comparison& comparison, double present) {
    return engine::holds(comparison.relation, present, comparison.value);
}

} // namespace

EventSearch::EventSearch(const scenario::EventSettings& settings,
                         const scenario::Experiment& experiment, const scenario::System& system,
                         Compiled& compiled, std::span<const std::unique_ptr<unit::Unit>> units,
                         Executor& executor, Summary& summary)
    : settings_(settings), system_(system), buffers_(compiled.plan->buffers), units_(units),
      executor_(executor), summary_(summary), tolerance_{settings.tolerance.value_or(
                                                  default_tolerance * experiment.step)} {
    std::array<std::uint32_t, 4> kept{}; // values, by storage
    for (std::size_t w = 0; w < system.watched.size(); ++w) {
        const scenario::Watched& what = system.watched[w];
        const scenario::Port& port = system.port(what.output);
        const Storage storage = storage_of(port.type);
        std::uint32_t& next = kept[static_cast<std::size_t>(storage)];
        watches_.push_back({storage, compiled.watched_slots[w], port.part.count,
                            std::exchange(next, next + port.part.count), &what});
    }
    kept_.allocate(kept);
    if (!system.ends_steps_at_events || !can_all_roll_back(units)) return;
    checkpoint_.emplace(*compiled.plan, units);
    executor_.go_back_by(&*checkpoint_);
}

void EventSearch::visit_state(StateArchive& archive) {
    archive(kept_, found_, quiet_until_, microstep_);
    std::size_t stopped = 0; // of the units; behind the last: none
    while (stopped < units_.size() && units_[stopped].get() != stopped_) ++stopped;
    archive(stopped);
    stopped_ = stopped < units_.size() ? units_[stopped].get() : nullptr;
    for (Watch& watch : watches_) archive(watch.in_row);
}

bool EventSearch::start(Time now) {
    keep();
    return note_instant(now);
}

void EventSearch::keep() {
    for (const Watch& w : watches_)
        with_type_of(w.storage, [&]<class T>() {
            std::copy_n(buffers_.data<T>() + w.slot, w.count, kept_.data<T>() + w.kept);
        });
}

double EventSearch::number_of(const Watch& watch) const {
    return buffers_.number_at(watch.storage, watch.slot);
}

double EventSearch::kept_number_of(const Watch& watch) const {
    return kept_.number_at(watch.storage, watch.kept);
}

bool EventSearch::has_changed(const Watch& w) const {
    if (w.what->crossing)
        return holds(*w.what->crossing, number_of(w)) !=
               holds(*w.what->crossing, kept_number_of(w));
    return with_type_of(w.storage, [&]<class T>() {
        const T* const now = buffers_.data<T>() + w.slot;
        return !std::equal(now, now + w.count, kept_.data<T>() + w.kept);
    });
}

bool EventSearch::has_happened() const {
    return executor_.decisions().any(
        std::ranges::any_of(watches_, [&](const Watch& watch) { return has_changed(watch); }));
}

Attempt EventSearch::begin(const Attempt& wanted) {
    found_ = false;
    stopped_ = nullptr;
    quiet_until_ = wanted.from;
    bracket_.reset();
    keep();
    return wanted;
}

Judgement EventSearch::judge(const Attempt& made, Flow flow) {
    if (flow != Flow::proceed) return Judgement::accept();
    executor_.watch();
    return bracket_ ? continue_search(made) : begin_search(made);
}

/// Whether a unit has reported an event where the step has ended.
void EventSearch::note_stop() {
    found_ = checkpoint_ && executor_.ended_at_event();
    stopped_ = found_ ? executor_.interrupted_by() : nullptr;
}

const EventSearch::Watch* EventSearch::only_crossing() const {
    const Watch* only = nullptr;
    for (const Watch& watch : watches_) {
        if (!has_changed(watch)) continue;
        const bool has_root = watch.what->crossing && watch.storage == Storage::real &&
                              watch.what->crossing->relation != scenario::Relation::equals;
        if (only || !has_root) return nullptr;
        only = &watch;
    }
    return only;
}

Judgement EventSearch::begin_search(const Attempt& made) {
    note_stop();
    const bool is_known = located_ && located_->from == made.from;
    if (is_known && made.end == located_->quiet_until) return Judgement::accept();
    if (!has_happened()) return Judgement::accept();
    found_ = true;
    if (is_known && made.end == located_->end) {
        quiet_until_ = located_->quiet_until;
        return Judgement::accept();
    }
    if (!checkpoint_ || executor_.end() <= made.from) return Judgement::accept();
    // At the end of the step, if a unit has reported that, and unless something else happens
    // before.
    bracket_ = Bracket{made.from, made.from, executor_.end()};
    bracket_->is_known = executor_.end() < made.end;
    if (settings_.search == scenario::Search::secant) bracket_->crossing = only_crossing();
    if (bracket_->crossing) {
        bracket_->older = {made.from, kept_number_of(*bracket_->crossing)};
        bracket_->newer = {executor_.end(), number_of(*bracket_->crossing)};
    }
    return next_trial();
}

Judgement EventSearch::continue_search(const Attempt& made) {
    Bracket& bracket = *bracket_;
    if (!bracket.is_last) {
        bracket.stands_after = has_happened();
        if (!bracket.stands_after && executor_.end() < made.end) { // a unit has stopped before
            note_stop();
            return Judgement::accept();
        }
        (bracket.stands_after ? bracket.after : bracket.before) = executor_.end();
        if (bracket.crossing) {
            bracket.older = bracket.newer;
            bracket.newer = {executor_.end(), number_of(*bracket.crossing)};
            if (bracket.stands_after && only_crossing() != bracket.crossing)
                bracket.crossing = nullptr;
        }
        return next_trial();
    }
    note_stop();
    found_ = true;
    quiet_until_ = bracket.before;
    located_ = {bracket.from, bracket.before, executor_.end()};
    return Judgement::accept();
}

/// Until what happens is enclosed as narrowly as the tolerance, or as numbers allow. The last
/// attempt ends behind it.
Judgement EventSearch::next_trial() {
    Bracket& bracket = *bracket_;
    if (bracket.after - bracket.before > tolerance_) {
        const Time trial = choose(bracket);
        if (trial > bracket.before && trial < bracket.after) return try_to(trial);
    }
    bracket.is_last = true;
    if (!bracket.stands_after) return try_to(bracket.after);
    return continue_search(Attempt::between(bracket.from, bracket.after));
}

Judgement EventSearch::try_to(Time end) {
    ++summary_.trials;
    return Judgement::repeat(Attempt::between(bracket_->from, end));
}

/// Where the secant through the last two attempts meets the crossing, and half the tolerance
/// further, to the other side of the event than the last attempt: so it is soon enclosed. The
/// middle, where that does not halve the bracket in three attempts.
Time EventSearch::choose(Bracket& bracket) const {
    constexpr int most_attempts = 3;
    const Duration width = bracket.after - bracket.before;
    const Time middle = bracket.before + 0.5 * width;
    if (std::exchange(bracket.is_known, false)) return {bracket.after.seconds - tolerance_.seconds};
    if (!bracket.crossing) return middle;
    if (bracket.attempts == 0 || width <= bracket.narrow) {
        bracket.narrow = 0.5 * width;
        bracket.attempts = most_attempts;
    }
    if (--bracket.attempts == 0) return middle;
    const auto& [older, newer] = std::pair(bracket.older, bracket.newer);
    const double slope = (newer.value - older.value) / (newer.time - older.time).seconds;
    const double root =
        newer.time.seconds + (bracket.crossing->what->crossing->value - newer.value) / slope;
    const double aside = newer.time == bracket.before ? 0.5 : -0.5;
    const Time trial{root + aside * tolerance_.seconds};
    return trial > bracket.before && trial < bracket.after ? trial : middle;
}

void EventSearch::begin_event(Time now) {
    ++summary_.found_events;
    microstep_ = 0;
    if (recorder_ && stopped_) recorder_->note({now, microstep_, stopped_->name(), {}, {}, {}});
    note_changes(now);
}

bool EventSearch::note_instant(Time now) {
    executor_.watch();
    if (!has_happened()) return false;
    note_changes(now);
    return true;
}

void EventSearch::report_changes(Time now) {
    if (!found_) microstep_ = 0;
    executor_.watch();
    note_changes(now);
}

void EventSearch::note_changes(Time now) {
    for (Watch& watch : watches_) {
        if (!has_changed(watch)) continue;
        watch.in_row = true;
        if (recorder_) note(watch, now);
    }
    ++microstep_;
    keep();
}

void EventSearch::note(const Watch& w, Time now) const {
    const scenario::Port& port = system_.port(w.what->output);
    const std::string& unit = system_.unit(port.unit).name;
    if (w.what->crossing) {
        const bool holds_now = holds(*w.what->crossing, number_of(w));
        recorder_->note({now, microstep_, unit, name_of(w), !holds_now, holds_now});
        return;
    }
    for (std::uint32_t e = 0; e < w.count; ++e) {
        Value before = kept_.value_at(w.storage, w.kept + e);
        Value after = buffers_.value_at(w.storage, w.slot + e);
        if (before == after) continue;
        const std::string name = w.count == 1 ? port.name : format("{}[{}]", port.name, e + 1);
        recorder_->note(
            {now, microstep_, unit, name, std::move(before), std::move(after), port.type});
    }
}

std::string EventSearch::name_of(const Watch& watch) const {
    const std::string& name = system_.port(watch.what->output).name;
    if (!watch.what->crossing) return name;
    return format("{} {} {}", name, to_string(watch.what->crossing->relation),
                  shortest(watch.what->crossing->value));
}

/// What units report may be as dense as they like, as long as time advances.
Duration EventSearch::least_distance() const {
    return stopped_ ? Duration{} : row_distance * tolerance_;
}

void EventSearch::begin_row() {
    for (Watch& watch : watches_) watch.in_row = false;
}

void EventSearch::check_row(int events, Time start, Time now) const {
    if (events <= settings_.limit) return;
    throw Error(
        format("events do not end: {} from t = {} s to {} s, never more than {} s apart: {}",
               events, shortest(start.seconds), shortest(now.seconds),
               shortest(least_distance().seconds), names_in_row()),
        "the values switch each other on and off: give the switch a hysteresis or a least "
        "time; a larger events.limit allows more");
}

std::string EventSearch::names_in_row() const {
    std::string names;
    for (const Watch& watch : watches_) {
        if (!watch.in_row) continue;
        names += format("{}{}.{}", names.empty() ? "" : ", ",
                        system_.unit(system_.port(watch.what->output).unit).name, name_of(watch));
    }
    if (names.empty() && stopped_) return format("unit \"{}\"", stopped_->name());
    return names;
}

} // namespace rubato::engine
