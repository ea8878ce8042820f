// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/instance.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

/// Clocks and event mode.
///
/// Event mode is a row of instants. In each of them event() is a function of what the model was
/// when the instant began and of the inputs and clocks that have been set since: it is evaluated
/// when something is read, as often as these change, and kept when the instant ends.
///
/// Where nobody else can tick the clocks that time drives, the instance does so itself.
namespace rubato::model {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

bool& flag_at(std::byte* object, std::uint32_t offset) {
    return *reinterpret_cast<bool*>(object + offset);
}

} // namespace

void Instance::enter_event_mode() {
    header().phase = Phase::event_mode;
    header().at_event = false;
    if (type_.event_mode) begin_instant();
}

void Instance::enter_step_mode() {
    header().phase = Phase::stepping;
    header().stale = Slot::needs_all;
}

void Instance::begin_instant() {
    std::memcpy(previous(), object_, type_.size);
    header().stale = Slot::needs_all;
}

void Instance::evaluate_event() {
    std::byte* const given = objects_.get();
    std::memcpy(given, object_, type_.size);
    std::memcpy(object_, previous(), type_.size);
    for (const auto& [offset, size] : type_.layout.given)
        std::memcpy(object_ + offset, given + offset, size);
    type_.event(object_, header().time);
    header().equations_version = ++last_version_;
    header().stale = Slot::needs_all & ~Slot::needs_event;
}

/// Returns whether states have changed in the instant.
bool Instance::end_instant() {
    if ((header().stale & Slot::needs_event) != 0) evaluate_event();
    bool changed = false;
    for (std::uint32_t i = 0; i < state_count_; ++i)
        changed = changed || at(object_, states_[i]) != at(previous(), states_[i]);
    stop_clocks();
    begin_instant();
    return changed;
}

void Instance::stop_clocks() {
    for (const std::uint32_t clock : type_.layout.clocks) flag_at(object_, clock) = false;
}

namespace {

/// What the member of a clock says, in whole parts of a second if it is counted in these.
Interval interval_of(const VariableType& clock, double seconds) {
    if (clock.clock->period) {
        const ClockPeriod& period = *clock.clock->period;
        return {.known = true,
                .seconds = period.interval,
                .counter = period.interval_counter,
                .resolution = period.resolution};
    }
    Interval interval{.known = seconds >= 0, .seconds = seconds};
    if (clock.resolution == 0 || !interval.known) return interval;
    const auto parts = static_cast<double>(clock.resolution);
    interval.counter = static_cast<std::uint64_t>(std::llround(seconds * parts));
    interval.resolution = clock.resolution;
    interval.seconds = static_cast<double>(interval.counter) / parts;
    return interval;
}

} // namespace

Ticker& Instance::ticker_of(ValueRef clock) {
    const auto& clocks = type_.layout.clocks;
    const auto found = std::ranges::find(clocks, type_.variables[clock].offset);
    return tickers()[static_cast<std::size_t>(found - clocks.begin())];
}

Interval Instance::take_interval(ValueRef clock) {
    const VariableType& variable = type_.variables[clock];
    double* const member = variable.interval ? &at(object_, *variable.interval) : nullptr;
    Interval taken = interval_of(variable, member ? *member : 0);
    Ticker& ticker = ticker_of(clock);
    taken.changed = taken.known && taken.seconds != ticker.given;
    if (taken.known) ticker.given = taken.seconds;
    if (variable.clock->kind == ClockKind::countdown)
        *member = at(previous(), *variable.interval) = -1;
    return taken;
}

void Instance::set_interval(ValueRef clock, double seconds) {
    const VariableType& variable = type_.variables[clock];
    if (variable.clock->kind != ClockKind::tunable)
        throw std::runtime_error("clock \"" + variable.name + "\" is not tunable");
    if (!(seconds > 0) || std::isinf(seconds))
        throw std::runtime_error("an interval of " + std::to_string(seconds) + " s for clock \"" +
                                 variable.name + "\" is not positive");
    at(object_, *variable.interval) = at(previous(), *variable.interval) = seconds;
    header().stale = Slot::needs_all;
}

void Instance::start_tickers() {
    std::size_t index = 0;
    for (ValueRef i = 0; i < type_.variables.size(); ++i) {
        const VariableType& variable = type_.variables[i];
        if (variable.role != Role::clock) continue;
        Ticker& ticker = tickers()[index++];
        ticker = {.next = never};
        if (!is_timed(variable.clock->kind)) continue;
        const Interval interval = take_interval(i);
        const bool periodic = is_periodic(variable.clock->kind);
        if (periodic && !(interval.seconds > 0))
            throw std::runtime_error("the interval of clock \"" + variable.name +
                                     "\" is not positive");
        const double shift = variable.clock->period ? variable.clock->period->shift : 0;
        ticker.first = header().time + (periodic ? shift : interval.seconds);
        if (interval.known) ticker.next = ticker.first;
    }
}

void Instance::set_due_clocks() {
    const double now = header().time;
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(now);
    for (std::size_t i = 0; i < tickers().size(); ++i)
        flag_at(object_, type_.layout.clocks[i]) = tickers()[i].next <= now + rounding;
}

void Instance::advance_tickers() {
    std::size_t index = 0;
    for (ValueRef i = 0; i < type_.variables.size(); ++i)
        if (type_.variables[i].role == Role::clock) advance_ticker(i, tickers()[index++]);
    stop_clocks();
}

void Instance::advance_ticker(ValueRef clock, Ticker& ticker) {
    const VariableType& variable = type_.variables[clock];
    const ClockKind kind = variable.clock->kind;
    const bool ticked = flag_at(object_, variable.offset) && !variable.is_output;
    if (ticked) ticker.next = never;
    const bool may_change = kind == ClockKind::countdown || kind == ClockKind::tunable;
    if (!is_timed(kind) || (!ticked && !may_change)) return;
    const Interval interval = take_interval(clock);
    if (!is_periodic(kind)) {
        if (interval.known) ticker.next = header().time + interval.seconds;
        return;
    }
    if (kind == ClockKind::tunable && interval.changed) {
        ticker.first = header().time;
        ticker.count = 0;
    } else if (!ticked) {
        return;
    }
    ++ticker.count;
    ticker.next = ticker.first + (interval.resolution == 0
                                      ? ticker.count * interval.seconds
                                      : ticker.count * static_cast<double>(interval.counter) /
                                            static_cast<double>(interval.resolution));
}

} // namespace rubato::model
