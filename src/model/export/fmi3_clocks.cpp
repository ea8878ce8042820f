// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"
#include "fmi3_guarded.hpp"

#include <rubato/fmi/fmi3_exports.hpp>

#include <algorithm>
#include <cstdint>

// The functions of FMI 3.0 for clocks, and for event mode in co-simulation.

namespace fmi3 = rubato::fmi3;
using fmi3::IntervalQualifier;
using fmi3::Status;
using rubato::ClockPeriod;
using rubato::ValueRef;
using rubato::model::Access;
using rubato::model::AccessResult;
using rubato::model::Call;
using rubato::model::Component;
using rubato::model::Interval;
using rubato::model::require;
using rubato::model::VariableType;
using rubato::model::fmi3_functions::guarded;

namespace {

/// Calls `body` with the index and the variable of each clock.
template <class Body>
AccessResult for_each_clock(Component& component, const ValueRef* references, std::size_t count,
                            Body&& body) {
    require(count == 0 || references != nullptr, "value references are missing");
    const auto& variables = component.instance.type().variables;
    for (std::size_t i = 0; i < count; ++i) {
        const ValueRef reference = references[i];
        if (reference >= variables.size()) return {Access::unknown_reference, reference};
        if (variables[reference].type != rubato::ValueType::clock)
            return {Access::wrong_type, reference};
        body(i, variables[reference]);
    }
    return {};
}

void require_timed(const VariableType& clock) {
    if (!is_timed(clock.clock->kind))
        rubato::model::reject("clock \"" + clock.name + "\" is triggered: it has no interval");
}

/// Asks for the interval of a clock; returns how that is to be understood.
IntervalQualifier take_interval(Component& component, ValueRef reference, const VariableType& clock,
                                Interval& interval) {
    require_timed(clock);
    interval = component.instance.take_interval(reference);
    if (!interval.known) return IntervalQualifier::not_yet_known;
    const bool initializing = component.instance.phase() == rubato::model::Phase::initializing;
    const bool tuned = clock.clock->kind == rubato::ClockKind::tunable && interval.changed;
    return initializing || tuned || !is_periodic(clock.clock->kind) ? IntervalQualifier::changed
                                                                    : IntervalQualifier::unchanged;
}

void require_fractions(const VariableType& clock) {
    if (!clock.clock->gives_fractions)
        rubato::model::reject("the intervals of clock \"" + clock.name + "\" are no fractions");
}

ClockPeriod period_of(const VariableType& clock) {
    require_timed(clock);
    if (!is_periodic(clock.clock->kind))
        rubato::model::reject("clock \"" + clock.name + "\" is not periodic: it has no shift");
    return clock.clock->period.value_or(ClockPeriod{});
}

constexpr const char* no_place = "there is no place for the values";

} // namespace

Status fmi3GetClock(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    fmi3::Clock* values) {
    return guarded(c, Call::clocks, "fmi3GetClock", [&](Component& component) {
        require(count == 0 || values != nullptr, no_place);
        const AccessResult found =
            for_each_clock(component, references, count, [](auto, const auto&) {});
        return found.ok() ? component.instance.get({references, count}, values) : found;
    });
}

Status fmi3SetClock(fmi3::Instance c, const fmi3::ValueReference* references, std::size_t count,
                    const fmi3::Clock* values) {
    return guarded(c, Call::clocks, "fmi3SetClock", [&](Component& component) {
        require(count == 0 || values != nullptr, no_place);
        const AccessResult found =
            for_each_clock(component, references, count, [](auto, const auto&) {});
        return found.ok() ? component.instance.set({references, count}, values) : found;
    });
}

Status fmi3GetIntervalDecimal(fmi3::Instance c, const fmi3::ValueReference* references,
                              std::size_t count, fmi3::Float64* intervals,
                              fmi3::IntervalQualifier* qualifiers) {
    return guarded(c, Call::intervals, "fmi3GetIntervalDecimal", [&](Component& component) {
        require(count == 0 || (intervals != nullptr && qualifiers != nullptr), no_place);
        return for_each_clock(
            component, references, count, [&](std::size_t i, const VariableType& clock) {
                Interval interval;
                qualifiers[i] = take_interval(component, references[i], clock, interval);
                intervals[i] = interval.known ? interval.seconds : 0;
            });
    });
}

Status fmi3GetShiftDecimal(fmi3::Instance c, const fmi3::ValueReference* references,
                           std::size_t count, fmi3::Float64* shifts) {
    return guarded(c, Call::intervals, "fmi3GetShiftDecimal", [&](Component& component) {
        require(count == 0 || shifts != nullptr, no_place);
        return for_each_clock(
            component, references, count,
            [&](std::size_t i, const VariableType& clock) { shifts[i] = period_of(clock).shift; });
    });
}

Status fmi3GetIntervalFraction(fmi3::Instance c, const fmi3::ValueReference* references,
                               std::size_t count, fmi3::UInt64* counters, fmi3::UInt64* resolutions,
                               fmi3::IntervalQualifier* qualifiers) {
    return guarded(c, Call::intervals, "fmi3GetIntervalFraction", [&](Component& component) {
        require(count == 0 ||
                    (counters != nullptr && resolutions != nullptr && qualifiers != nullptr),
                no_place);
        return for_each_clock(
            component, references, count, [&](std::size_t i, const VariableType& clock) {
                require_fractions(clock);
                Interval interval;
                qualifiers[i] = take_interval(component, references[i], clock, interval);
                counters[i] = interval.counter;
                resolutions[i] = interval.known ? interval.resolution : 1;
            });
    });
}

Status fmi3GetShiftFraction(fmi3::Instance c, const fmi3::ValueReference* references,
                            std::size_t count, fmi3::UInt64* counters, fmi3::UInt64* resolutions) {
    return guarded(c, Call::intervals, "fmi3GetShiftFraction", [&](Component& component) {
        require(count == 0 || (counters != nullptr && resolutions != nullptr), no_place);
        return for_each_clock(component, references, count,
                              [&](std::size_t i, const VariableType& clock) {
                                  require_fractions(clock);
                                  const ClockPeriod period = period_of(clock);
                                  counters[i] = period.shift_counter;
                                  resolutions[i] = std::max<std::uint64_t>(period.resolution, 1);
                              });
    });
}

Status fmi3SetIntervalDecimal(fmi3::Instance c, const fmi3::ValueReference* references,
                              std::size_t count, const fmi3::Float64* intervals) {
    return guarded(c, Call::intervals, "fmi3SetIntervalDecimal", [&](Component& component) {
        require(count == 0 || intervals != nullptr, "the intervals are missing");
        return for_each_clock(component, references, count,
                              [&](std::size_t i, const VariableType&) {
                                  component.instance.set_interval(references[i], intervals[i]);
                              });
    });
}

Status fmi3SetIntervalFraction(fmi3::Instance c, const fmi3::ValueReference* references,
                               std::size_t count, const fmi3::UInt64* counters,
                               const fmi3::UInt64* resolutions) {
    return guarded(c, Call::intervals, "fmi3SetIntervalFraction", [&](Component& component) {
        require(count == 0 || (counters != nullptr && resolutions != nullptr),
                "the intervals are missing");
        return for_each_clock(component, references, count,
                              [&](std::size_t i, const VariableType& clock) {
                                  require_fractions(clock);
                                  component.instance.set_interval(
                                      references[i], static_cast<double>(counters[i]) /
                                                         static_cast<double>(resolutions[i]));
                              });
    });
}

Status fmi3EnterStepMode(fmi3::Instance c) {
    return guarded(c, Call::enter_step_mode, "fmi3EnterStepMode", [&](Component& component) {
        require(component.instance.is_hybrid(), "the instance was made without event mode");
        component.instance.enter_step_mode();
    });
}
