// SPDX-License-Identifier: Apache-2.0
#include "clockwork.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <limits>

namespace rubato::engine {

using unit::ClockInterval;

namespace {

[[noreturn]] void refuse_interval(const EventClock& clock, double seconds,
                                  std::string_view wanted) {
    throw Error(format("unit \"{}\": the interval of clock \"{}\" is {} s, which is not {}",
                       clock.unit->name(), clock.name, shortest(seconds), wanted),
                "look into the parameters that the interval depends on");
}

/// Without a shift.
ClockPeriod period_of(const ClockInterval& reported) {
    return {.interval = reported.interval.seconds,
            .resolution = reported.resolution,
            .interval_counter = reported.counter};
}

} // namespace

Clockwork::Clockwork(std::span<EventClock> clocks, Duration tolerance)
    : tolerance_(tolerance), next_(never) {
    for (EventClock& clock : clocks) {
        if (!clock.is_timed) continue;
        TimedClock timed{.clock = &clock, .next = never};
        timed.is_written = clock.attributes.period.has_value();
        if (timed.is_written) timed.period = *clock.attributes.period;
        clocks_.push_back(timed);
    }
}

void Clockwork::start(Time start) {
    for (TimedClock& clock : clocks_) {
        if (is_periodic(clock.clock->attributes.kind)) {
            start_period(clock, start);
        } else {
            take(clock, start);
        }
    }
    update_next();
}

void Clockwork::start_period(TimedClock& clock, Time start) {
    if (!clock.is_written) {
        Duration shift;
        clock.clock->mode->get_shifts({&clock.clock->reference, 1}, {&shift, 1});
        clock.period = period_of(ask(clock));
        start = start + shift;
    }
    if (!(clock.period.interval > 0))
        refuse_interval(*clock.clock, clock.period.interval, "positive");
    clock.origin = start;
    clock.interval = clock.period.interval;
    clock.next = tick_of(clock);
}

Time Clockwork::tick_of(const TimedClock& clock) {
    const ClockPeriod& period = clock.period;
    if (period.resolution != 0) {
        __extension__ using Wide = unsigned __int128; // resolutions may be of any size
        const Wide parts = period.shift_counter + Wide{clock.ticks} * period.interval_counter;
        return clock.origin +
               Duration{static_cast<double>(parts) / static_cast<double>(period.resolution)};
    }
    return clock.origin +
           Duration{period.shift + static_cast<double>(clock.ticks) * period.interval};
}

ClockInterval Clockwork::ask(TimedClock& clock) const {
    ClockInterval interval;
    clock.clock->mode->get_intervals({&clock.clock->reference, 1}, {&interval, 1});
    return interval;
}

/// What the unit says of a clock that is not periodic.
void Clockwork::take(TimedClock& clock, Time now) {
    const ClockInterval reported = ask(clock);
    if (reported.kind != ClockInterval::Kind::changed) return;
    if (!(reported.interval >= Duration{}))
        refuse_interval(*clock.clock, reported.interval.seconds, "a length of time");
    clock.interval = reported.interval.seconds;
    clock.next = now + reported.interval;
}

bool Clockwork::tick(Time now) {
    bool any = false;
    for (TimedClock& clock : clocks_) {
        // Two clocks may come to the same time by different roundings.
        const Duration rounding{std::min(tolerance_.seconds, 1e-3 * clock.interval)};
        if (clock.next > now + rounding) continue;
        clock.clock->is_due = true;
        any = true;
    }
    return any;
}

void Clockwork::reset(Time now) {
    for (TimedClock& clock : clocks_) {
        const ClockKind kind = clock.clock->attributes.kind;
        const bool ticked = clock.clock->active;
        if (is_periodic(kind)) {
            if (ticked) ++clock.ticks;
            clock.next = tick_of(clock);
            if (kind == ClockKind::tunable && !clock.is_written) retune(clock, now);
        } else if (ticked || kind == ClockKind::countdown) {
            // Intervals follow each other, whatever the rounding of the time of the event.
            const Time from = ticked && kind == ClockKind::changing ? clock.next : now;
            if (ticked) clock.next = never;
            take(clock, from);
        }
    }
    update_next();
}

/// A new interval counts from now on (FMI 3.0, section 2.2.8, tunable periodic clocks).
void Clockwork::retune(TimedClock& clock, Time now) {
    const ClockInterval reported = ask(clock);
    const double interval = reported.interval.seconds;
    if (reported.kind != ClockInterval::Kind::changed || interval == clock.interval) return;
    if (!(interval > 0)) refuse_interval(*clock.clock, interval, "positive");
    clock.period = period_of(reported);
    clock.period.shift = clock.period.interval;
    clock.period.shift_counter = clock.period.interval_counter;
    clock.interval = interval;
    clock.origin = now;
    clock.ticks = 0;
    clock.next = tick_of(clock);
}

void Clockwork::update_next() {
    next_ = never;
    for (const TimedClock& clock : clocks_) next_ = std::min(next_, clock.next);
}

} // namespace rubato::engine
