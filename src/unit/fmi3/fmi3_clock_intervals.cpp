// SPDX-License-Identifier: Apache-2.0
#include "fmi3_clock_intervals.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::unit {

using fmi3::IntervalQualifier;

namespace {

ClockInterval::Kind kind_of(IntervalQualifier qualifier) {
    switch (qualifier) {
    case IntervalQualifier::changed: return ClockInterval::Kind::changed;
    case IntervalQualifier::unchanged: return ClockInterval::Kind::unchanged;
    case IntervalQualifier::not_yet_known: break;
    }
    return ClockInterval::Kind::unknown;
}

double seconds_of(std::uint64_t counter, std::uint64_t resolution) {
    return static_cast<double>(counter) / static_cast<double>(resolution);
}

} // namespace

Fmi3ClockIntervals::Fmi3ClockIntervals(Fmi3Instance& instance,
                                       const scenario::UnitDescription& description)
    : instance_(instance) {
    for (const scenario::Variable& variable : description.variables)
        if (variable.clock && variable.clock->gives_fractions)
            with_fractions_.push_back(variable.reference);
}

bool Fmi3ClockIntervals::gives_fractions(ValueRef clock) const {
    return std::ranges::find(with_fractions_, clock) != with_fractions_.end();
}

void Fmi3ClockIntervals::get_intervals(std::span<const ValueRef> clocks,
                                       std::span<ClockInterval> intervals) {
    std::ranges::transform(clocks, intervals.begin(),
                           [&](ValueRef clock) { return interval_of(clock); });
}

ClockInterval Fmi3ClockIntervals::interval_of(ValueRef clock) {
    const Fmi3Functions& f = instance_.functions();
    auto qualifier = IntervalQualifier::not_yet_known;
    ClockInterval reported;
    if (!gives_fractions(clock)) {
        instance_.check(f.get_interval_decimal(instance_.instance(), &clock, 1,
                                               &reported.interval.seconds, &qualifier),
                        "fmi3GetIntervalDecimal");
        reported.kind = kind_of(qualifier);
        return reported;
    }
    instance_.check(f.get_interval_fraction(instance_.instance(), &clock, 1, &reported.counter,
                                            &reported.resolution, &qualifier),
                    "fmi3GetIntervalFraction");
    reported.kind = kind_of(qualifier);
    if (reported.kind != ClockInterval::Kind::changed) return {.kind = reported.kind};
    if (reported.resolution == 0)
        instance_.fail("fmi3GetIntervalFraction",
                       format("it gives the interval {}/0 for the clock with value reference {}",
                              reported.counter, clock));
    reported.interval = {seconds_of(reported.counter, reported.resolution)};
    return reported;
}

void Fmi3ClockIntervals::get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) {
    std::ranges::transform(clocks, shifts.begin(), [&](ValueRef clock) { return shift_of(clock); });
}

Duration Fmi3ClockIntervals::shift_of(ValueRef clock) {
    const Fmi3Functions& f = instance_.functions();
    if (!gives_fractions(clock)) {
        Duration shift;
        instance_.check(f.get_shift_decimal(instance_.instance(), &clock, 1, &shift.seconds),
                        "fmi3GetShiftDecimal");
        return shift;
    }
    std::uint64_t counter = 0, resolution = 1;
    instance_.check(f.get_shift_fraction(instance_.instance(), &clock, 1, &counter, &resolution),
                    "fmi3GetShiftFraction");
    if (resolution == 0)
        instance_.fail("fmi3GetShiftFraction",
                       format("it gives the shift {}/0 for the clock with value reference {}",
                              counter, clock));
    return {seconds_of(counter, resolution)};
}

} // namespace rubato::unit
