// SPDX-License-Identifier: Apache-2.0
#include "events.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rubato::engine {

namespace {

constexpr int most_instants = 1000;
constexpr int most_events_at_once = 1000;

enum class Change : std::uint8_t { none, tiny, real };

/// Whether a difference is more than what loops of reals leave when they have converged.
template <class T>
bool matters(const EventSet& set, const T& before, const T& now) {
    if constexpr (std::is_same_v<T, double>) {
        const double size = std::max(std::abs(before), std::abs(now));
        return !(std::abs(now - before) <= set.absolute_tolerance + set.relative_tolerance * size);
    } else {
        return true;
    }
}

/// Makes what is to be given what is held.
template <class T>
Change refresh(EventSet& set, const Bulk& bulk, T* held) {
    const T* const values = static_cast<const T*>(bulk.data);
    Change change = Change::none;
    for (std::size_t e = 0; e < bulk.count; ++e) {
        if (set.is_known && held[e] == values[e]) continue;
        const bool is_real = !set.is_known || matters(set, held[e], values[e]);
        held[e] = values[e];
        if (change != Change::real) change = is_real ? Change::real : Change::tiny;
    }
    set.is_known = true;
    return change;
}

template <class Table>
auto slice(Table& table, const Instruction& range) {
    return std::span(table).subspan(range.first, range.count);
}

} // namespace

Events::Events(const scenario::System& system, std::span<const std::unique_ptr<unit::Unit>> units,
               Plan& plan, Executor& executor, Duration tolerance, Summary& summary)
    : system_(system), units_(units), plan_(plan), executor_(executor), tolerance_(tolerance),
      summary_(summary), clockwork_(plan.clocks, tolerance), announced_(units.size(), never),
      next_(never), versions_(units.size(), 1) {
    changing_.reserve(plan.event_sets.size());
    executor.serve(*this);
}

const Procedure& Events::procedure() const {
    return plan_.procedures[plan_.procedures[executor_.configuration()].connections];
}

void Events::initialize(Time start) {
    now_ = start;
    ++instants_;
    changing_.clear();
    run(procedure().event_guesses, Pass::initialize);
    run(procedure().event, Pass::initialize);
    for (EventGet& column : plan_.clocked_columns) get(column);
    clockwork_.start(start);
}

Flow Events::handle(Time now, bool is_located) {
    if (handles_units()) {
        begin(now, is_located);
        const Flow flow = handle_units();
        if (flow == Flow::proceed) leave();
        return flow;
    }
    begin_event(now, is_located);
    propagate(now);
    return Flow::proceed;
}

void Events::begin_event(Time now, bool is_located) {
    guard_against_zeno(now, is_located);
    now_ = now;
    if (search_) is_located ? search_->begin_event(now) : search_->begin_other_event();
}

void Events::begin(Time now, bool is_located) {
    begin_event(now, is_located);
    ++summary_.events;
    enter();
    renew_outputs();
    ++instants_;
    changing_.clear();
    if (ExternalInputs* const external = executor_.external_inputs()) external->set_at_event();
    if (is_located) executor_.exchange(now);
    run(procedure().event, Pass::look);
    needs_another_ = true;
    instant_ = 0;
    begin_instant();
}

Flow Events::handle_units() {
    while (true) {
        run(procedure().event, Pass::instant);
        if (!is_updated_) return Flow::proceed;
        if (!summary_.ended_by.empty()) return Flow::stop;
        ++instant_;
        begin_instant();
    }
}

void Events::exchange() {
    renew_outputs();
    run(procedure().event, Pass::exchange);
}

unit::EventUpdate Events::end_instant() {
    needs_another_ = true; // others may have changed
    renew_outputs();
    run(procedure().event, Pass::instant);
    ++instant_;
    begin_instant();
    run(procedure().event, Pass::exchange);
    if (search_ && search_->note_instant(now_)) has_changed_ = true;
    unit::EventUpdate update{.again = needs_another_ || has_ticks_ || has_changed_,
                             .terminate = !summary_.ended_by.empty(),
                             .next_event = clockwork_.next()};
    for (const Time announced : announced_)
        update.next_event = std::min(*update.next_event, announced);
    return update;
}

void Events::begin_instant() {
    has_ticks_ = clockwork_.tick(now_);
    has_changed_ = is_updated_ = false;
    ++instants_;
    changing_.clear();
}

/// What units give may have changed.
void Events::renew_outputs() {
    for (std::uint64_t& version : versions_) ++version;
}

void Events::propagate(Time now) {
    for (int n = 0; n < most_instants; ++n) {
        executor_.exchange(now);
        if (!search_->note_instant(now)) return;
    }
    throw Error(format("the event at t = {} s does not end: after {} exchanges {} still change",
                       shortest(now.seconds), most_instants, search_->names_in_row()),
                "these values depend on each other at once; let one of them wait for a step");
}

void Events::reconnect() { forget_inputs(procedure().event); }

void Events::forget_inputs(const Block& block) {
    for (const Instruction& range : block) {
        if (range.opcode == Opcode::fixed_point)
            forget_inputs(plan_.fixed_points[range.first].iterate);
        if (range.opcode == Opcode::event_set)
            for (EventSet& set : slice(plan_.event_sets, range)) set.is_known = false;
    }
}

bool Events::have_come_up() {
    const auto& watched = procedure().watched;
    if (watched.empty()) return false;
    executor_.run_event(plan_.event_watch, executor_.end());
    return std::ranges::any_of(watched, [&](std::uint32_t index) {
        const EventSet& set = plan_.event_sets[index];
        const Bulk& bulk = plan_.sets[*set.watch].bulk;
        executor_.gather(plan_.sets[*set.watch]);
        return with_type_of(storage_of(bulk.type), [&]<class T>() {
            const T* const values = static_cast<const T*>(bulk.data);
            return !std::equal(values, values + bulk.count, plan_.buffers.data<T>() + set.held);
        });
    });
}

void Events::enter() {
    for (const auto& unit : units_)
        if (unit->event_mode() && unit->phase() == unit::Phase::stepping)
            unit->event_mode()->enter();
}

void Events::leave() {
    next_ = clockwork_.next();
    for (std::size_t u = 0; u < units_.size(); ++u) {
        if (!units_[u]->event_mode()) continue;
        units_[u]->event_mode()->leave();
        next_ = std::min(next_, announced_[u]);
    }
}

// -- instructions ---------------------------------------------------------------------------------

void Events::run(const Block& block, Pass pass) {
    pass_ = pass;
    is_running_ = true;
    executor_.run_event(block, now_);
    is_running_ = false;
}

void Events::execute(const Instruction& range) {
    switch (range.opcode) {
    case Opcode::event_get:
        for (EventGet& each : slice(plan_.event_gets, range)) get(each);
        break;
    case Opcode::event_set:
        for (EventSet& each : slice(plan_.event_sets, range)) set(each);
        break;
    case Opcode::get_clock:
        for (const std::uint32_t index : slice(plan_.clock_gets, range))
            get_clock(plan_.clocks[index]);
        break;
    case Opcode::set_clock:
        for (const ClockSet& each : slice(plan_.clock_sets, range)) set_clock(each);
        break;
    default: update(range);
    }
}

void Events::get(EventGet& get) {
    if (pass_ != Pass::initialize && !is_accessible(get.clocks)) return;
    if (!get.in_loop && get.version == versions_[get.unit]) return;
    get.version = versions_[get.unit];
    for (std::uint32_t i = get.first; i < get.first + get.count; ++i) executor_.read(plan_.gets[i]);
}

/// Inputs that the step procedure sets, too, may have values of the past: that is no change that
/// the event has brought about.
void Events::set(EventSet& set) {
    const bool is_quiet = set.in_steps && !is_instant();
    if (pass_ == Pass::look && !set.in_steps) return;
    if (!is_quiet && !is_accessible(set.clocks)) return;
    const SetCall& call = plan_.sets[set.call];
    executor_.gather(call);
    const Change change = with_type_of(storage_of(call.bulk.type), [&]<class T>() {
        return refresh(set, call.bulk, plan_.buffers.data<T>() + set.held);
    });
    if (change == Change::none && !is_quiet) return;
    ++versions_[set.unit];
    call.unit->set(call.bulk);
    if (change == Change::real && !is_quiet) note_jump(set);
}

namespace {

/// An input that has jumped does not continue as it moved before.
void hold(unit::Unit& unit, const Bulk& bulk, unsigned most) {
    constexpr double still = 0;
    for (unsigned order = 1; order <= most; ++order)
        unit.input_derivatives()->set(bulk.references, order, {&still, 1});
}

} // namespace

void Events::note_jump(EventSet& set) {
    const SetCall& call = plan_.sets[set.call];
    if (set.history) {
        InputHistory& history = plan_.histories[*set.history];
        history.restart(now_, *static_cast<const double*>(call.bulk.data));
        hold(*call.unit, call.bulk, history.order());
    }
    if (std::exchange(set.noted, instants_) != instants_) changing_.push_back(set.port);
    has_changed_ = has_changed_ || set.has_event_mode;
}

bool Events::is_accessible(const std::vector<std::uint32_t>& clocks) const {
    return clocks.empty() || std::ranges::any_of(clocks, [&](std::uint32_t clock) {
               return plan_.clocks[clock].active;
           });
}

/// A clock that ticks is not asked again: some units say so once.
void Events::get_clock(EventClock& clock) {
    if (!is_instant()) return;
    if (!clock.active && is_accessible(clock.clocks)) {
        clock.unit->get({ValueType::clock, {&clock.reference, 1}, &clock.active, 1});
        has_changed_ = has_changed_ || clock.active;
    }
    plan_.buffers.booleans[clock.slot] = clock.active;
}

void Events::set_clock(const ClockSet& set) {
    if (!is_instant()) return;
    EventClock& clock = plan_.clocks[set.clock];
    const bool ticks = set.source ? plan_.clocks[*set.source].active : clock.is_due;
    if (clock.active || !ticks) return;
    clock.active = true;
    clock.unit->set({ValueType::clock, {&clock.reference, 1}, &clock.active, 1});
    ++versions_[clock.owner];
    has_changed_ = true;
}

void Events::update(const Instruction& range) {
    if (pass_ != Pass::instant) return;
    if (search_ && search_->note_instant(now_)) has_changed_ = true;
    for (EventGet& column : plan_.clocked_columns) get(column);
    if (!needs_another_ && !has_ticks_ && !has_changed_) return;
    if (instant_ == most_instants) fail_to_end();
    is_updated_ = true;
    last_ = nullptr;
    for (const UpdateCall& call : slice(plan_.updates, range)) {
        const unit::EventUpdate report = call.mode->update();
        announced_[call.number] = report.next_event.value_or(never);
        if (report.again) last_ = call.unit;
        if (report.terminate && summary_.ended_by.empty()) summary_.ended_by = call.unit->name();
        ++versions_[call.number];
    }
    needs_another_ = last_ != nullptr;
    clockwork_.reset(now_);
    for (EventClock& clock : plan_.clocks) {
        clock.active = clock.is_due = false;
        plan_.buffers.booleans[clock.slot] = false;
    }
}

// -- messages -------------------------------------------------------------------------------------

std::string Events::names_of_changing() const {
    std::string names;
    for (const PortId port : changing_)
        names += (names.empty() ? "" : ", ") + system_.name_of(port);
    return names;
}

std::string Events::names_of_ticking() const {
    std::string names;
    for (const EventClock& clock : plan_.clocks) {
        if (!clock.active) continue;
        names += (names.empty() ? "" : ", ") + clock.unit->name() + "." + clock.name;
    }
    return names;
}

void Events::fail_to_settle(int iterations) const {
    throw Error(format("the event at t = {} s does not settle: after {} rounds {} still change",
                       shortest(now_.seconds), iterations, names_of_changing()),
                "these values depend on each other at once; break the loop, or let one of them "
                "act at the next tick");
}

void Events::fail_to_end() const {
    const std::string who = last_ ? format("unit \"{}\" needs another instant", last_->name())
                            : !changing_.empty() ? format("{} still change", names_of_changing())
                            : search_ && !search_->names_in_row().empty()
                                ? format("{} still change", search_->names_in_row())
                                : format("clocks still tick: {}", names_of_ticking());
    throw Error(format("the event at t = {} s does not end: after {} instants {}",
                       shortest(now_.seconds), most_instants, who),
                "units trigger each other for ever; let one of them wait");
}

/// A unit may report an event, and have it again at once; values may switch each other.
void Events::guard_against_zeno(Time now, bool is_located) {
    const Duration near = is_located ? search_->least_distance() : Duration{};
    const bool is_in_row = last_event_ && now - *last_event_ <= near;
    if (!is_in_row) {
        row_ = 0;
        row_start_ = now;
        if (search_) search_->begin_row();
    }
    last_event_ = now;
    ++row_;
    if (is_located) return search_->check_row(row_, row_start_, now);
    if (row_ > most_events_at_once) fail_to_advance();
}

void Events::fail_to_advance() const {
    std::string names;
    for (std::size_t u = 0; u < units_.size(); ++u) {
        if (announced_[u] > *last_event_ + tolerance_) continue;
        names += (names.empty() ? "" : ", ") + units_[u]->name();
    }
    throw Error(format("time does not go on at t = {} s: {} events{}",
                       shortest(last_event_->seconds), row_ - 1,
                       names.empty() ? "" : ", announced by " + names),
                "a unit has its next event always at once");
}

void Events::visit_state(StateArchive& archive) {
    archive(announced_, next_, now_, last_event_, row_start_, row_, clockwork_);
    archive(needs_another_, has_ticks_, has_changed_, instant_);
    for (EventSet& set : plan_.event_sets) archive(set.is_known);
    for (EventClock& clock : plan_.clocks) archive(clock.active, clock.is_due);
    renew_outputs();
}

} // namespace rubato::engine
