// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"
#include "fmi3_functions.hpp"

#include <cmath>

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
using rubato::model::require;
using rubato::model::VariableType;

namespace {

template <class Body>
Status guarded(void* component, Call call, const char* function, Body&& body) {
    return rubato::model::guarded<Status>(component, call, function, std::forward<Body>(body));
}

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

struct Told {
    double seconds = 0;
    IntervalQualifier qualifier = IntervalQualifier::not_yet_known;
};

Told interval_of(Component& component, ValueRef reference, const VariableType& clock) {
    require_timed(clock);
    const auto interval = component.instance.take_interval(reference);
    const bool initializing = component.instance.phase() == rubato::model::Phase::initializing;
    if (!interval.known) return {0, IntervalQualifier::not_yet_known};
    return {interval.seconds, initializing || !is_periodic(clock.clock->kind)
                                  ? IntervalQualifier::changed
                                  : IntervalQualifier::unchanged};
}

ClockPeriod period_of(const VariableType& clock) {
    require_timed(clock);
    if (!is_periodic(clock.clock->kind))
        rubato::model::reject("clock \"" + clock.name + "\" is not periodic: it has no shift");
    return clock.clock->period.value_or(ClockPeriod{});
}

constexpr const char* no_place = "there is no place for the values";
constexpr const char* no_fractions = "the intervals of its clocks are no fractions";

Status without_fractions(void* c, const char* function) {
    return guarded(c, Call::unsupported, function,
                   [](Component&) { rubato::model::reject(no_fractions); });
}

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
        return for_each_clock(component, references, count,
                              [&](std::size_t i, const VariableType& clock) {
                                  const Told told = interval_of(component, references[i], clock);
                                  intervals[i] = told.seconds;
                                  qualifiers[i] = told.qualifier;
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

Status fmi3GetIntervalFraction(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                               fmi3::UInt64*, fmi3::UInt64*, fmi3::IntervalQualifier*) {
    return without_fractions(c, "fmi3GetIntervalFraction");
}

Status fmi3GetShiftFraction(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                            fmi3::UInt64*, fmi3::UInt64*) {
    return without_fractions(c, "fmi3GetShiftFraction");
}

Status fmi3EnterStepMode(fmi3::Instance c) {
    return guarded(c, Call::enter_step_mode, "fmi3EnterStepMode", [&](Component& component) {
        require(component.instance.is_hybrid(), "the instance was made without event mode");
        component.instance.enter_step_mode();
    });
}
