// SPDX-License-Identifier: Apache-2.0
#include "fingerprint.hpp"

#include <rubato/model/instance.hpp>
#include <rubato/model/model_type.hpp>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <set>
#include <stdexcept>

namespace rubato::model {

bool is_continuous_input(const VariableType& variable) {
    return variable.role == Role::input && variable.type == ValueType::float64 &&
           !variable.is_array() && variable.clocks.empty();
}

bool can_be_sampled(const VariableType& variable) {
    return (variable.role == Role::output ||
            (variable.role == Role::state && variable.is_output)) &&
           variable.type == ValueType::float64 && !variable.is_array() && variable.clocks.empty();
}

namespace {

constexpr std::uint32_t align_up(std::uint32_t offset, std::uint32_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

constexpr std::uint8_t phases(std::initializer_list<Phase> allowed) {
    unsigned mask = 0;
    for (const Phase phase : allowed) mask |= 1u << static_cast<unsigned>(phase);
    return static_cast<std::uint8_t>(mask);
}
constexpr std::uint8_t before_steps = phases({Phase::instantiated, Phase::initializing});
constexpr std::uint8_t at_events =
    phases({Phase::instantiated, Phase::initializing, Phase::stepping, Phase::event_mode});
constexpr std::uint8_t always = at_events | phases({Phase::continuous_time});

/// "m" → "m/s", "m/s" → "m/s2"; empty where that is not how to write it.
std::string per_second(const std::string& unit) {
    const auto slash = unit.find('/');
    if (unit.empty()) return {};
    if (slash == std::string::npos) return unit + "/s";
    const std::string below = unit.substr(slash + 1);
    if (below == "s") return unit + "2";
    if (below.size() == 2 && below[0] == 's' && below[1] >= '2' && below[1] < '9')
        return unit.substr(0, slash) + "/s" + static_cast<char>(below[1] + 1);
    return {};
}

VariableType derivative(const std::vector<VariableType>& variables, std::size_t of, Role role,
                        std::string name) {
    VariableType result;
    result.name = std::move(name);
    result.role = role;
    result.offset = variables[of].offset;
    result.unit = per_second(variables[of].unit);
    result.description = "time derivative of " + variables[of].name;
    result.derivative_of = static_cast<ValueRef>(of);
    result.shape = variables[of].shape;
    result.capacity = variables[of].capacity;
    return result;
}

VariableType kit_variable(std::string name, ValueType type, Role role, std::uint32_t offset,
                          std::string unit, std::string description) {
    VariableType result;
    result.name = std::move(name);
    result.type = type;
    result.role = role;
    result.offset = offset;
    result.unit = std::move(unit);
    result.description = std::move(description);
    return result;
}

void add_kit_variables(ModelType& type) {
    std::vector<VariableType>& variables = type.variables;
    const std::size_t declared = variables.size();
    variables.push_back(kit_variable("time", ValueType::float64, Role::time,
                                     offsetof(BlockHeader, time), "s", "simulated time"));
    variables.push_back(kit_variable("solver", ValueType::enumeration, Role::solver,
                                     offsetof(BlockHeader, solver), "",
                                     "how the differential equations are solved"));
    variables.push_back(kit_variable(
        "inner_step", ValueType::float64, Role::inner_step, offsetof(BlockHeader, inner_step), "s",
        "largest step of the solver; 0: the whole communication step"));
    for (std::size_t i = 0; i < declared; ++i)
        if (variables[i].role == Role::state)
            variables.push_back(
                derivative(variables, i, Role::state_derivative, "der(" + variables[i].name + ")"));
    for (std::uint32_t i = 0; i < type.crossing_count; ++i)
        variables.push_back(kit_variable(
            "crossings[" + std::to_string(i + 1) + "]", ValueType::float64, Role::crossing,
            i * static_cast<std::uint32_t>(sizeof(double)), "", "an event when it crosses zero"));
    for (std::size_t i = 0; i < declared; ++i) {
        if (!is_continuous_input(variables[i])) continue;
        const std::string name = variables[i].name;
        variables.push_back(derivative(variables, i, Role::input_derivative, "der(" + name + ")"));
        variables.push_back(derivative(variables, variables.size() - 1, Role::input_derivative,
                                       "der(" + name + ",2)"));
    }
}

void lay_out_block(ModelType& type) {
    BlockLayout& layout = type.layout;
    for (const VariableType& variable : type.variables) {
        for (std::uint32_t e = 0; variable.role == Role::state && e < variable.capacity; ++e)
            layout.states.push_back(variable.offset + e * variable.stride);
        if (is_continuous_input(variable)) layout.continuous_inputs.push_back(variable.offset);
        if (variable.role == Role::clock) layout.clocks.push_back(variable.offset);
        if (variable.role == Role::input || (variable.role == Role::clock && !variable.is_output))
            layout.given.push_back({variable.offset, variable.stride * variable.capacity});
    }
    const auto inputs = static_cast<std::uint32_t>(layout.continuous_inputs.size());
    const auto clocks = static_cast<std::uint32_t>(layout.clocks.size());
    layout.object = align_up(sizeof(BlockHeader), type.alignment);
    layout.input_derivatives = align_up(layout.object + type.size, alignof(double));
    layout.tickers =
        layout.input_derivatives + inputs * 2 * static_cast<std::uint32_t>(sizeof(double));
    layout.saved = layout.tickers + clocks * static_cast<std::uint32_t>(sizeof(Ticker));
    layout.previous = align_up(layout.saved, type.alignment);
    if (type.event_mode) layout.saved = layout.previous + type.size;
    layout.derivative_object = align_up(layout.saved, type.alignment);
    layout.crossings = align_up(layout.derivative_object + type.size, alignof(double));
    layout.size =
        layout.crossings + type.crossing_count * static_cast<std::uint32_t>(sizeof(double));
}

Slot slot_of(const VariableType& variable, const ModelType& type) {
    Slot slot;
    slot.type = variable.type;
    slot.stride = variable.stride;
    slot.is_array = variable.is_array();
    slot.offset = type.layout.object + variable.offset;
    switch (variable.role) {
    case Role::parameter:
    case Role::discrete:
        slot.settable = before_steps;
        slot.effects = Slot::changes_outputs | Slot::changes_equations;
        break;
    case Role::structural:
        slot.settable = phases({Phase::instantiated});
        slot.effects = Slot::changes_outputs | Slot::changes_equations;
        break;
    case Role::input:
        slot.settable = storage_of(variable.type) == Storage::real && variable.clocks.empty()
                            ? always
                            : at_events;
        slot.effects = Slot::changes_outputs;
        if (!is_continuous_input(variable)) slot.effects |= Slot::changes_equations;
        break;
    case Role::clock:
        slot.settable = variable.is_output ? std::uint8_t{0} : phases({Phase::event_mode});
        slot.effects = Slot::changes_outputs;
        break;
    case Role::output:
    case Role::local: slot.needs = Slot::needs_outputs; break;
    case Role::state:
        slot.settable = before_steps;
        slot.effects = Slot::changes_outputs;
        break;
    case Role::solver:
    case Role::inner_step: slot.settable = before_steps; [[fallthrough]];
    case Role::time: slot.offset = variable.offset; break;
    case Role::state_derivative:
        slot.offset = type.layout.derivative_object + variable.offset;
        slot.needs = Slot::needs_derivatives;
        break;
    case Role::crossing:
        slot.offset = type.layout.crossings + variable.offset;
        slot.needs = Slot::needs_crossings;
        break;
    case Role::input_derivative:
        slot.settable = always;
        slot.effects = Slot::moves_input;
        break;
    }
    return slot;
}

void make_slots(ModelType& type) {
    std::uint32_t next = type.layout.input_derivatives;
    for (const VariableType& variable : type.variables) {
        Slot slot = slot_of(variable, type);
        const bool is_given =
            slot.settable != 0 && variable.role != Role::discrete && variable.role != Role::state;
        if (type.event_mode && !is_given) slot.needs |= Slot::needs_event;
        if (variable.role == Role::input_derivative) {
            slot.offset = next;
            next += static_cast<std::uint32_t>(sizeof(double));
        }
        type.slots.push_back(slot);
    }
    // The first derivative of an input stands before its second.
    for (std::size_t i = 0; i < type.variables.size(); ++i)
        if (const auto of = type.variables[i].derivative_of;
            type.variables[i].role == Role::input_derivative &&
            type.variables[*of].role == Role::input)
            type.slots[*of].input_derivatives = type.slots[i].offset;
}

[[noreturn]] void reject(const ModelType& type, const std::string& why) {
    throw std::logic_error("model \"" + type.name + "\": " + why);
}

bool can_be_clocked(const VariableType& variable) {
    return variable.role == Role::input || variable.role == Role::discrete ||
           (variable.role == Role::clock && variable.is_output);
}

bool can_be_output(const VariableType& variable) {
    return variable.role == Role::output || variable.role == Role::state ||
           variable.role == Role::discrete || variable.role == Role::clock;
}

void check_variable(const ModelType& type, const VariableType& variable) {
    const std::string name = "\"" + variable.name + "\"";
    if (variable.name.empty()) reject(type, "a variable has no name");
    if (variable.is_output && !can_be_output(variable))
        reject(type, name + " is given out, but is no state");
    if (!variable.clocks.empty() && !can_be_clocked(variable))
        reject(type, name + " is clocked, but neither discrete nor an input nor an output clock");
    if (variable.role == Role::discrete && type.event == nullptr)
        reject(type, name + " is discrete, but there is no event()");
    const bool computed = variable.role == Role::output || variable.role == Role::local;
    if (computed && type.outputs == nullptr)
        reject(type, name + " is computed, but there is no outputs()");
}

void check_state(const ModelType& type, const VariableType& state) {
    if (!state.sizes.empty()) reject(type, "state \"" + state.name + "\" has no fixed size");
    if (state.is_array() && type.variations != nullptr)
        reject(type, "there are variations(), but not of arrays");
}

void check(const ModelType& type) {
    std::set<std::string> names;
    for (const VariableType& variable : type.variables) {
        check_variable(type, variable);
        if (!names.insert(variable.name).second)
            reject(type, "two variables are called \"" + variable.name +
                             "\" (time, solver, inner_step and der(…) are the kit's)");
    }
    for (const VariableType& variable : type.variables)
        if (variable.role == Role::state) check_state(type, variable);
    if (!type.layout.states.empty() && type.derivatives == nullptr)
        reject(type, "there are states, but no derivatives()");
    if ((type.crossings != nullptr || type.next_event != nullptr) && type.event == nullptr)
        reject(type, "there are crossings() or next_event(), but no event()");
    if (type.event_mode && type.event == nullptr)
        reject(type, "there are clocks or an event mode, but no event()");
    if (type.crossings != nullptr && type.variations != nullptr)
        reject(type, "there are variations(), but not of its crossings()");
    if (type.alignment > alignof(std::max_align_t)) reject(type, "the class is over-aligned");
}

} // namespace

void complete(ModelType& type) {
    add_kit_variables(type);
    lay_out_block(type);
    check(type);
    make_slots(type);
    type.identifier = identifier_of(type);
}

} // namespace rubato::model
