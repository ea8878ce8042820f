// SPDX-License-Identifier: Apache-2.0
#include "isolated_unit.hpp"

#include <algorithm>

namespace rubato::unit {

void IsolatedUnit::Events::enter() {
    unit_.require(Call::enter_event_mode);
    unit_.calling([&] {
        unit_.add(RemoteCall::enter_event_mode);
        unit_.exchange(unit_.session_.calls());
    });
    unit_.note_event_mode(true);
}

EventUpdate IsolatedUnit::Events::update() {
    unit_.require(Call::update);
    EventUpdate result;
    unit_.calling([&] {
        unit_.add(RemoteCall::update);
        result = unit_.exchange(unit_.session_.calls()).take<EventUpdate>();
    });
    return result;
}

template <class T>
void IsolatedUnit::Events::ask(RemoteCall call, std::span<const ValueRef> clocks,
                               std::span<T> answers) {
    unit_.require(Call::get_intervals);
    unit_.calling([&] {
        Writer& message = unit_.add(call);
        message.put(clocks.size());
        message.put_span(clocks);
        Reader results = unit_.exchange(unit_.session_.calls());
        std::ranges::copy(results.take_span<T>(answers.size()), answers.begin());
    });
}

void IsolatedUnit::Events::get_intervals(std::span<const ValueRef> clocks,
                                         std::span<ClockInterval> intervals) {
    ask(RemoteCall::get_intervals, clocks, intervals);
}

void IsolatedUnit::Events::get_shifts(std::span<const ValueRef> clocks,
                                      std::span<Duration> shifts) {
    ask(RemoteCall::get_shifts, clocks, shifts);
}

void IsolatedUnit::Events::leave() {
    unit_.require(Call::leave_event_mode);
    unit_.calling([&] {
        unit_.add(RemoteCall::leave_event_mode);
        unit_.exchange(unit_.session_.calls());
    });
    unit_.note_event_mode(false);
}

} // namespace rubato::unit
