// SPDX-License-Identifier: Apache-2.0
#include "native_unit.hpp"

#include <rubato/model/instance.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace rubato::unit {

using model::Instance;
using model::ModelType;
using model::Role;
using model::VariableType;
using scenario::Causality;
using scenario::Initial;
using scenario::UnitDescription;
using scenario::Variability;
using scenario::Variable;

namespace {

struct Attributes {
    Causality causality;
    Variability variability;
    Initial initial;
    bool has_start;
};

Attributes attributes_of(const VariableType& variable) {
    const Variability varying =
        storage_of(variable.type) == Storage::real && variable.clocks.empty()
            ? Variability::continuous
            : Variability::discrete;
    switch (variable.role) {
    case Role::parameter:
    case Role::solver:
    case Role::inner_step: return {Causality::parameter, Variability::fixed, Initial::exact, true};
    case Role::structural:
        return {Causality::structural_parameter, Variability::fixed, Initial::exact, true};
    case Role::input:
    case Role::input_derivative: return {Causality::input, varying, Initial::unspecified, true};
    case Role::output: return {Causality::output, varying, Initial::calculated, false};
    case Role::local:
    case Role::state_derivative:
    case Role::crossing: return {Causality::local, varying, Initial::calculated, false};
    case Role::state:
        return {variable.is_output ? Causality::output : Causality::local, varying, Initial::exact,
                true};
    case Role::discrete:
        return {variable.is_output ? Causality::output : Causality::local, Variability::discrete,
                Initial::exact, true};
    case Role::clock:
        return {variable.is_output ? Causality::output : Causality::input, Variability::discrete,
                Initial::unspecified, false};
    case Role::time:
        return {Causality::independent, Variability::continuous, Initial::unspecified, false};
    }
    return {Causality::local, varying, Initial::unspecified, false};
}

template <class T, class Get>
std::vector<Value> values_of(std::uint32_t count, Get&& get) {
    const auto read = std::make_unique<T[]>(count);
    if (!get(read.get()).ok()) return {};
    std::vector<Value> values;
    for (std::uint32_t e = 0; e < count; ++e) {
        if constexpr (std::is_same_v<T, std::string_view>)
            values.emplace_back(std::string(read[e]));
        else
            values.emplace_back(read[e]);
    }
    return values;
}

/// One per element.
std::vector<Value> start_values(Instance& fresh, ValueRef reference) {
    const std::span<const ValueRef> one(&reference, 1);
    const ValueType type = fresh.type().variables[reference].type;
    const std::uint32_t count = fresh.element_count(reference);
    switch (storage_of(type)) {
    case Storage::real:
        return values_of<double>(count, [&](double* to) { return fresh.get_reals(one, to); });
    case Storage::integer:
        return values_of<std::int64_t>(
            count, [&](std::int64_t* to) { return fresh.get_integers(one, to); });
    case Storage::boolean:
        return values_of<bool>(count, [&](bool* to) { return fresh.get(one, to); });
    case Storage::string: break;
    }
    return values_of<std::string_view>(
        count, [&](std::string_view* to) { return fresh.get_texts(type, one, to); });
}

/// A structural parameter by its place in the class.
std::uint32_t parameter_at(const ModelType& type, std::uint32_t offset) {
    const auto found = std::ranges::find_if(type.variables, [&](const VariableType& variable) {
        return variable.role == Role::structural && variable.offset == offset;
    });
    return static_cast<std::uint32_t>(found - type.variables.begin());
}

/// The items of an enumeration, which count from 1.
std::shared_ptr<const std::vector<scenario::EnumerationItem>>
numbered(const std::vector<std::string>& names) {
    std::vector<scenario::EnumerationItem> items;
    for (const std::string& name : names)
        items.push_back({name, static_cast<std::int64_t>(items.size()) + 1});
    return std::make_shared<const std::vector<scenario::EnumerationItem>>(std::move(items));
}

Variable describe_variable(Instance& fresh, ValueRef reference) {
    const VariableType& type = fresh.type().variables[reference];
    const Attributes attributes = attributes_of(type);
    Variable variable;
    variable.name = type.name;
    variable.description = type.description;
    variable.type = type.type;
    variable.causality = attributes.causality;
    variable.variability = attributes.variability;
    variable.initial = attributes.initial;
    variable.reference = reference;
    variable.unit = type.unit;
    variable.measure = find_measure(type.unit);
    variable.derivative_of = type.derivative_of;
    variable.clock = type.clock;
    variable.clocks = type.clocks;
    variable.intermediate = can_be_sampled(type);
    for (const std::uint32_t size : type.shape) variable.dimensions.push_back({size, {}});
    const auto shape = fresh.shape_of(type);
    for (std::size_t d = 0; d < type.sizes.size(); ++d)
        variable.dimensions.push_back({shape[d], parameter_at(fresh.type(), type.sizes[d])});
    if (!type.items.empty()) {
        variable.minimum = 1;
        variable.maximum = static_cast<double>(type.items.size());
        variable.items = numbered(type.items);
    }
    if (!attributes.has_start) return variable;
    std::vector<Value> start = start_values(fresh, reference);
    if (variable.is_array())
        variable.start_elements = std::move(start);
    else if (!start.empty())
        variable.start = std::move(start.front());
    return variable;
}
} // namespace

UnitDescription describe(const ModelType& type) {
    UnitDescription description;
    description.model = type.name;
    description.kind = "native model";
    description.source = type.name;
    description.description = type.description;
    description.generation_tool = "Rubato";
    description.identifier = type.identifier;
    description.capabilities.variable_step = true;
    description.capabilities.snapshots = true;
    description.capabilities.serialization = true;
    description.capabilities.input_derivatives = 2;
    description.capabilities.directional_derivatives = type.variations != nullptr;
    const bool stops_at_events = type.event_mode && (type.crossings || type.next_event);
    description.capabilities.event_mode = type.event_mode;
    description.capabilities.structural_parameters =
        std::ranges::count(type.variables, Role::structural, &VariableType::role) != 0;
    description.capabilities.intermediate_outputs =
        std::ranges::any_of(type.variables, model::can_be_sampled);
    description.capabilities.may_reject_step = type.longest_step != nullptr || stops_at_events;
    description.capabilities.may_return_early = description.capabilities.may_reject_step;
    description.default_experiment.start = type.experiment.start;
    description.default_experiment.stop = type.experiment.stop;
    description.default_experiment.step = type.experiment.step;
    Instance fresh(type);
    for (std::size_t i = 0; i < type.variables.size(); ++i) {
        const VariableType& variable = type.variables[i];
        if (variable.role == Role::input_derivative) continue; // the last ones
        description.variables.push_back(describe_variable(fresh, static_cast<ValueRef>(i)));
        if (variable.is_output)
            description.dependencies.push_back(
                {static_cast<std::uint32_t>(i), variable.feedthrough, variable.feedthrough});
    }
    return description;
}
} // namespace rubato::unit
