// SPDX-License-Identifier: Apache-2.0
#include "events.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato::engine {

namespace {

constexpr int most_rounds = 1000;
constexpr int most_instants = 1000;
constexpr int most_events_at_once = 1000;

/// An element of the source, where that is of another kind than the input.
const void* changed_from(const EventInput& input, std::uint32_t element) {
    return element_at(storage_of(input.change->from), input.source, element);
}

/// nullopt: it does not fit into the type of the input.
template <class T>
std::optional<T> converted(const EventInput& input, std::uint32_t element) {
    if (input.change) {
        T value{};
        if (!change_type(*input.change, changed_from(input, element), &value)) return std::nullopt;
        return value;
    }
    const T& value = static_cast<const T*>(input.source)[element];
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::int64_t>)
        return scaled(value, input.factor, input.offset);
    return value;
}

/// Whether a difference is more than what loops of reals leave when they have converged.
template <class T>
bool matters(const EventInput& input, const T& before, const T& now) {
    if constexpr (std::is_same_v<T, double>) {
        const double size = std::max(std::abs(before), std::abs(now));
        return !(std::abs(now - before) <= input.tolerance * (1 + size));
    } else {
        return true;
    }
}

enum class Change : std::uint8_t { none, tiny, real };

/// Brings the value that is held up to date.
template <class T>
Change refresh(EventInput& input, const scenario::System& system, Time now) {
    Change change = Change::none;
    for (std::uint32_t e = 0; e < input.part.count; ++e) {
        auto fitting = converted<T>(input, e);
        if (!fitting) fail_to_change_type(*input.change, changed_from(input, e), system, now);
        T value = std::move(*fitting);
        T& held = static_cast<T*>(input.held)[e];
        if (input.is_known && held == value) continue;
        const bool real = !input.is_known || matters(input, held, value);
        held = std::move(value);
        if (change != Change::real) change = real ? Change::real : Change::tiny;
    }
    input.is_known = true;
    return change;
}

Change refresh(EventInput& input, const scenario::System& system, Time now) {
    return with_type_of(storage_of(input.type),
                        [&]<class T>() { return refresh<T>(input, system, now); });
}

bool differs(const EventInput& input) {
    return with_type_of(storage_of(input.type), [&]<class T>() {
        const T* const held = static_cast<const T*>(input.held);
        for (std::uint32_t e = 0; e < input.part.count; ++e)
            if (converted<T>(input, e) != held[e]) return true;
        return false;
    });
}

void copy(const Export& value) {
    with_type_of(value.storage, [&]<class T>() {
        std::copy_n(static_cast<const T*>(value.from), value.count, static_cast<T*>(value.to));
    });
}

} // namespace

std::unique_ptr<Events> Events::make(const scenario::System& system,
                                     std::span<const std::unique_ptr<unit::Unit>> units,
                                     Compiled& compiled, Duration tolerance, Summary& summary,
                                     const scenario::LoopSettings& loops) {
    auto wiring = wire_events(system, units, compiled);
    if (!wiring) return nullptr;
    return std::unique_ptr<Events>(
        new Events(system, std::move(wiring), *compiled.plan, tolerance, summary, loops));
}

Events::Events(const scenario::System& system, std::unique_ptr<EventWiring> wiring, Plan& plan,
               Duration tolerance, Summary& summary, const scenario::LoopSettings& loops)
    : system_(system), wiring_(std::move(wiring)), plan_(plan), tolerance_(tolerance),
      summary_(summary), clockwork_(*wiring_, tolerance), loop_(*wiring_, loops),
      announced_(wiring_->units.size(), never), next_(never) {
    changing_.reserve(system.ports.size());
}

void Events::initialize(Time start) {
    now_ = start;
    initializing_ = true;
    look();
    settle();
    clockwork_.start(start);
    export_values();
    initializing_ = false;
}

Flow Events::handle(Time now, std::size_t configuration) {
    events_at_once_ = now == now_ ? events_at_once_ + 1 : 0;
    now_ = now;
    configuration_ = configuration;
    ++summary_.events;
    guard_against_zeno();
    enter();
    look();
    bool again = true;
    for (int instant = 0;; ++instant) {
        const bool ticks = clockwork_.tick(now_);
        const bool changed = settle();
        if (!again && !ticks && !changed) break;
        if (instant == most_instants) fail_to_end();
        again = update();
        if (summary_.ended_by.empty()) continue;
        export_values();
        return Flow::stop;
    }
    leave();
    export_values();
    return Flow::proceed;
}

void Events::reconnect(std::size_t configuration) {
    for (EventUnit& unit : wiring_->units)
        for (EventInput& input : unit.incoming[configuration].inputs) input.is_known = false;
}

void Events::enter() {
    for (EventUnit& unit : wiring_->units)
        if (unit.mode && unit.unit->phase() == unit::Phase::stepping) unit.mode->enter();
}

void Events::leave() {
    next_ = clockwork_.next();
    for (std::size_t u = 0; u < wiring_->units.size(); ++u) {
        EventUnit& unit = wiring_->units[u];
        if (!unit.mode) continue;
        unit.mode->leave();
        next_ = std::min(next_, announced_[u]);
    }
}

/// Inputs that the step procedure sets, too, may have values of the past: that is no change that
/// the event has brought about.
void Events::look() {
    for (EventUnit& unit : wiring_->units) read_outputs(unit);
    for (EventUnit& unit : wiring_->units) {
        for (EventInput& input : unit.incoming[configuration_].inputs) {
            if (!input.in_steps) continue;
            (void)refresh(input, system_, now_);
            unit.unit->set(input.bulk());
        }
    }
}

bool Events::have_come_up(std::size_t configuration) {
    if (wiring_->watched.empty()) return false;
    for (const std::uint32_t u : wiring_->watched) read_outputs(wiring_->units[u]);
    return std::ranges::any_of(wiring_->units, [&](const EventUnit& unit) {
        return std::ranges::any_of(
            unit.incoming[configuration].inputs,
            [](const EventInput& input) { return input.is_watched && differs(input); });
    });
}

bool Events::settle() {
    bool any = false;
    loop_.begin();
    for (int round = 0; round < most_rounds; ++round) {
        changing_.clear();
        only_reals_ = true;
        bool changed = false;
        loop_.begin_round();
        for (const std::uint32_t u : wiring_->order) {
            EventUnit& unit = wiring_->units[u];
            const bool visited = visit(unit);
            changed = changed || visited;
            any = any || (visited && unit.mode);
        }
        only_reals_ ? loop_.end_round() : loop_.begin();
        if (!changed && loop_.is_settled()) return any;
    }
    fail_to_settle();
}

/// Returns whether something has changed that others may have to hear of.
bool Events::visit(EventUnit& unit) {
    const bool ticks = !initializing_ && follow_clocks(unit);
    const bool changed = take_inputs(unit);
    const bool triggers = !initializing_ && read_clocks(unit);
    if (ticks || triggers) only_reals_ = false;
    if (unit.mode || (changed && unit.feeds_through) || loop_.is_trying()) read_outputs(unit);
    return ticks || changed || triggers;
}

bool Events::follow_clocks(EventUnit& unit) {
    bool any = false;
    for (const auto& [from, to] : unit.incoming[configuration_].clocks) {
        EventClock& clock = wiring_->clocks[to];
        if (clock.active || !wiring_->clocks[from].active) continue;
        clock.active = clock.is_new = true;
    }
    for (const std::uint32_t index : unit.input_clocks) {
        EventClock& clock = wiring_->clocks[index];
        if (!clock.is_new) continue;
        unit.unit->set({ValueType::clock, {&clock.reference, 1}, &clock.active, 1});
        clock.is_new = false;
        any = true;
    }
    return any;
}

namespace {

/// An input that has jumped does not go on as it moved before.
void hold(unit::Unit& unit, const EventInput& input, unsigned most) {
    constexpr double still = 0;
    for (unsigned order = 1; order <= most; ++order)
        unit.input_derivatives()->set(input.bulk().references, order, {&still, 1});
}

} // namespace

bool Events::take_inputs(EventUnit& unit) {
    bool any = false;
    for (EventInput& input : unit.incoming[configuration_].inputs) {
        if (!is_accessible(input.clocks)) continue;
        const Change change = refresh(input, system_, now_);
        if (change == Change::none) continue;
        unit.unit->set(input.bulk());
        if (change == Change::tiny) continue;
        if (input.history) {
            InputHistory& history = plan_.histories[*input.history];
            history.restart(now_, *static_cast<double*>(input.held));
            hold(*unit.unit, input, history.order());
        }
        changing_.push_back(input.port);
        only_reals_ = only_reals_ && storage_of(input.type) == Storage::real;
        any = true;
    }
    return any;
}

bool Events::read_clocks(EventUnit& unit) {
    bool any = false;
    for (const std::uint32_t index : unit.output_clocks) {
        EventClock& clock = wiring_->clocks[index];
        if (clock.active || !is_accessible(clock.clocks)) continue;
        unit.unit->get({ValueType::clock, {&clock.reference, 1}, &clock.active, 1});
        any = any || clock.active;
    }
    return any;
}

void Events::read_outputs(EventUnit& unit) {
    for (const EventGet& get : unit.gets)
        if (initializing_ || is_accessible(get.clocks)) unit.unit->get(get.bulk);
}

bool Events::is_accessible(const std::vector<std::uint32_t>& clocks) const {
    return clocks.empty() || std::ranges::any_of(clocks, [&](std::uint32_t clock) {
               return wiring_->clocks[clock].active;
           });
}

/// Returns whether a unit needs another instant.
bool Events::update() {
    last_ = nullptr;
    for (std::size_t u = 0; u < wiring_->units.size(); ++u) {
        EventUnit& unit = wiring_->units[u];
        if (!unit.mode) continue;
        const unit::EventUpdate told = unit.mode->update();
        announced_[u] = told.next_event.value_or(never);
        if (told.again) last_ = &unit;
        if (told.terminate && summary_.ended_by.empty()) summary_.ended_by = unit.unit->name();
    }
    clockwork_.reset(now_);
    for (EventClock& clock : wiring_->clocks) clock.active = clock.is_new = false;
    return last_ != nullptr;
}

void Events::export_values() {
    for (const Export& value : wiring_->exports) copy(value);
}

std::string Events::names_of_changing() const {
    std::string names;
    for (const PortId port : changing_)
        names += (names.empty() ? "" : ", ") + system_.name_of(port);
    return names;
}

std::string Events::names_of_ticking() const {
    std::string names;
    for (const EventClock& clock : wiring_->clocks) {
        if (!clock.active) continue;
        names += (names.empty() ? "" : ", ") + clock.unit->name() + "." + clock.name;
    }
    return names;
}

void Events::fail_to_settle() const {
    throw Error(format("the event at t = {} s does not settle: after {} rounds {} still change",
                       shortest(now_.seconds), most_rounds, names_of_changing()),
                "these values depend on each other at once; break the loop, or let one of them "
                "act at the next tick");
}

void Events::fail_to_end() const {
    const std::string who = last_ ? format("unit \"{}\" needs another instant", last_->unit->name())
                            : changing_.empty()
                                ? format("clocks still tick: {}", names_of_ticking())
                                : format("{} still change", names_of_changing());
    throw Error(format("the event at t = {} s does not end: after {} instants {}",
                       shortest(now_.seconds), most_instants, who),
                "units trigger each other for ever; let one of them wait");
}

/// A unit may report an event, and have it again at once.
void Events::guard_against_zeno() const {
    if (events_at_once_ < most_events_at_once) return;
    std::string names;
    for (std::size_t u = 0; u < wiring_->units.size(); ++u) {
        if (announced_[u] > now_ + tolerance_) continue;
        names += (names.empty() ? "" : ", ") + wiring_->units[u].unit->name();
    }
    throw Error(format("time does not go on at t = {} s: {} events{}", shortest(now_.seconds),
                       events_at_once_, names.empty() ? "" : ", announced by " + names),
                "a unit has its next event always at once");
}

void Events::visit_state(StateArchive& archive) {
    archive(announced_, next_, now_, configuration_, events_at_once_, clockwork_, loop_,
            wiring_->outputs, wiring_->inputs);
    for (EventUnit& unit : wiring_->units)
        for (Incoming& incoming : unit.incoming)
            for (EventInput& input : incoming.inputs) archive(input.is_known);
}

} // namespace rubato::engine
