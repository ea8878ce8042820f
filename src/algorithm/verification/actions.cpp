// SPDX-License-Identifier: Apache-2.0
#include "actions.hpp"

#include <algorithm>
#include <map>

namespace rubato::algorithm::verification {

namespace {

const Stamp& slot_of(const State& state, PortId output, bool tentative) {
    return (tentative ? state.tentative_slot : state.final_slot)[output.value];
}

Stamp& slot_of(State& state, PortId output, bool tentative) {
    return (tentative ? state.tentative_slot : state.final_slot)[output.value];
}

const Stamp& source_slot(const Wiring& wiring, const State& state, const Set& set) {
    return slot_of(state, *wiring.source[set.port.value], set.tentative);
}

/// An input, or a set of it, that is not as the rule demands.
Breach breach(Rule rule, const Wiring& wiring, const State& state, PortId input, Stamp value,
              Ticks wanted) {
    const UnitId unit = wiring.owner[input.value];
    const UnitId source = wiring.owner[wiring.source[input.value]->value];
    return {.rule = rule,
            .unit = unit,
            .port = input,
            .unit_time = state.time[unit.value],
            .value = value,
            .wanted = wanted,
            .other = source,
            .other_time = state.time[source.value]};
}

Ticks time_of(const Wiring& wiring, const State& state, PortId port) {
    return state.time[wiring.owner[port.value].value];
}

} // namespace

std::optional<Breach> check_initial_set(const Wiring& wiring, const State& state, const Set& set) {
    const Stamp& slot = source_slot(wiring, state, set);
    if (slot.defined) return std::nullopt;
    return breach(Rule::set_needs_value, wiring, state, set.port, slot, 0);
}

std::optional<Breach> check_initial_get(const Wiring& wiring, const State& state, const Get& get) {
    for (const PortId input : wiring.feedthrough_initial[get.port.value]) {
        const Stamp& value = state.input[input.value];
        if (!value.defined) return breach(Rule::get_needs_inputs, wiring, state, input, value, 0);
    }
    return std::nullopt;
}

std::optional<Breach> check_initialized(const Wiring& wiring, const State& state,
                                        const scenario::System& system) {
    for (std::size_t p = 0; p < system.ports.size(); ++p) {
        const PortId id = nth<PortId>(p);
        if (!wiring.connects(id)) continue;
        const bool is_input = system.port(id).direction == scenario::Direction::input;
        const Stamp& value = is_input ? state.input[p] : state.final_slot[p];
        if (value == Stamp{.time = 0, .defined = true}) continue;
        return Breach{.rule = is_input ? Rule::input_needs_start : Rule::output_needs_start,
                      .unit = system.port(id).unit,
                      .port = id,
                      .value = value};
    }
    return std::nullopt;
}

std::optional<Breach> check_set(const Wiring& wiring, const State& state, const Set& set) {
    const Stamp& slot = source_slot(wiring, state, set);
    const Ticks now = time_of(wiring, state, set.port);
    if (!slot.defined) return breach(Rule::set_needs_value, wiring, state, set.port, slot, now);
    if (wiring.reactive(set.port)) {
        if (slot.time > now) return std::nullopt;
        return breach(Rule::reactive_set_needs_future, wiring, state, set.port, slot, now + 1);
    }
    if (slot.time == now) return std::nullopt;
    return breach(Rule::delayed_set_needs_present, wiring, state, set.port, slot, now);
}

std::optional<Breach> check_get(const Wiring& wiring, const State& state, const Get& get) {
    const Ticks now = time_of(wiring, state, get.port);
    for (const PortId input : wiring.feedthrough[get.port.value]) {
        const Stamp& value = state.input[input.value];
        if (value == Stamp{.time = now, .defined = true}) continue;
        return breach(Rule::get_needs_inputs, wiring, state, input, value, now);
    }
    return std::nullopt;
}

std::optional<Breach> check_step(const Wiring& wiring, const State& state, UnitId unit,
                                 Ticks requested) {
    const Ticks now = state.time[unit.value];
    for (const PortId input : wiring.inputs[unit.value]) {
        const bool reactive = wiring.reactive(input);
        const Ticks wanted = reactive ? now + requested : now;
        const Stamp& value = state.input[input.value];
        if (value == Stamp{.time = wanted, .defined = true}) continue;
        return breach(reactive ? Rule::step_needs_future : Rule::step_needs_present, wiring, state,
                      input, value, wanted);
    }
    return std::nullopt;
}

std::optional<Breach> check_same_as(const State& state, const Step& step) {
    if (state.has_stepped[step.same_as->value]) return std::nullopt;
    return Breach{.rule = Rule::same_as_needs_step, .unit = step.unit, .other = *step.same_as};
}

std::optional<Breach> check_restore(const State& state, UnitId unit) {
    if (state.is_saved[unit.value]) return std::nullopt;
    return Breach{.rule = Rule::restore_needs_save, .unit = unit};
}

namespace {

/// A unit that has advanced as most units have.
UnitId most_common(const State& state) {
    std::map<Ticks, std::size_t> count;
    for (const Ticks time : state.time) ++count[time];
    const auto common = std::ranges::max_element(
        count, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); });
    return nth<UnitId>(static_cast<std::size_t>(std::ranges::find(state.time, common->first) -
                                                state.time.begin()));
}

} // namespace

std::optional<Breach> check_advance(const State& state, Ticks begin, Ticks step) {
    if (state.time.empty()) return std::nullopt;
    const auto differs = [&](Ticks time) { return time != state.time.front() || time <= begin; };
    if (std::ranges::none_of(state.time, differs)) {
        const Ticks advance = state.time.front() - begin;
        if (advance <= step) return std::nullopt;
        return Breach{.rule = Rule::units_in_step, .unit_time = advance, .wanted = step};
    }

    const UnitId other = most_common(state);
    const Ticks common = state.time[other.value];
    const auto lags = std::ranges::find_if(state.time, [&](Ticks time) { return time <= begin; });
    const auto odd = lags != state.time.end()
                         ? lags
                         : std::ranges::find_if(state.time, [&](Ticks t) { return t != common; });
    const UnitId unit = nth<UnitId>(static_cast<std::size_t>(odd - state.time.begin()));
    return Breach{.rule = *odd <= begin ? Rule::units_advance : Rule::units_together,
                  .unit = unit,
                  .unit_time = *odd - begin,
                  .wanted = common - begin,
                  .other = other};
}

void apply_set(const Wiring& wiring, State& state, const Set& set) {
    // A slot without a value has the time 0.
    const Stamp& slot = source_slot(wiring, state, set);
    state.input[set.port.value] =
        is_tainted(slot) ? slot : Stamp{.time = slot.time, .defined = true};
}

void apply_get(const Wiring& wiring, State& state, const Get& get) {
    const Ticks now = time_of(wiring, state, get.port);
    slot_of(state, get.port, get.tentative) = {.time = now, .defined = true};
}

void apply_step(State& state, UnitId unit, Ticks taken) {
    state.time[unit.value] += taken;
    state.accepted[unit.value] = taken;
    state.has_stepped[unit.value] = 1;
}

void apply_save(const scenario::System& system, State& state, UnitId unit) {
    state.is_saved[unit.value] = 1;
    state.saved_time[unit.value] = state.time[unit.value];
    for (const PortId input : system.unit(unit).inputs)
        state.saved_input[input.value] = state.input[input.value];
}

void apply_restore(const scenario::System& system, State& state, UnitId unit) {
    state.time[unit.value] = state.saved_time[unit.value];
    state.is_unreliable[unit.value] = 0;
    for (const PortId input : system.unit(unit).inputs)
        state.input[input.value] = state.saved_input[input.value];
}

} // namespace rubato::algorithm::verification
