// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/private/format.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace rubato::scenario {

namespace {

template <class Integer>
bool holds(std::int64_t value) {
    return std::in_range<Integer>(value);
}

bool is_in_range(std::int64_t value, ValueType type) {
    switch (type) {
    case ValueType::int8: return holds<std::int8_t>(value);
    case ValueType::uint8: return holds<std::uint8_t>(value);
    case ValueType::int16: return holds<std::int16_t>(value);
    case ValueType::uint16: return holds<std::uint16_t>(value);
    case ValueType::int32: return holds<std::int32_t>(value);
    case ValueType::uint32: return holds<std::uint32_t>(value);
    case ValueType::uint64: return holds<std::uint64_t>(value);
    default: return true;
    }
}

bool is_in_range(double value, ValueType type) {
    const double most = type == ValueType::float32 ? std::numeric_limits<float>::max()
                                                   : std::numeric_limits<double>::max();
    return std::abs(value) <= most; // false for NaN
}

bool is_parameter(const Variable& variable) {
    return (variable.causality == Causality::parameter ||
            variable.causality == Causality::structural_parameter) &&
           variable.variability != Variability::constant;
}

bool takes_start(const Variable& variable) {
    return !is_parameter(variable) && variable.variability != Variability::constant &&
           variable.initial != Initial::calculated &&
           variable.causality != Causality::calculated_parameter &&
           variable.causality != Causality::independent;
}

std::string_view kind_of(const Value& value) {
    return to_string(static_cast<Storage>(value.index()));
}

std::string hint_for(const Value& value, ValueType type) {
    if (std::holds_alternative<double>(value) && storage_of(type) == Storage::integer) {
        return "write a whole number, without point or exponent";
    }
    if (storage_of(type) == Storage::string) return "put texts in quotes";
    if (storage_of(type) == Storage::boolean) return "write true or false";
    return {};
}

/// One assignment to a variable that exists and may be assigned.
void check_value(Resolver& resolver, UnitId unit, const Assignment& assignment,
                 const Variable& variable) {
    const std::string name = format("{}.{}", resolver.unit(unit).name, variable.name);
    if (!variable.dimensions.empty()) {
        resolver.diagnostics.error(assignment.where,
                                   format("{} is an array: arrays cannot be set yet", name));
        return;
    }
    if (convert(assignment.value, variable.type)) return;
    const std::string value = rubato::to_string(assignment.value);
    const bool same_kind =
        static_cast<Storage>(assignment.value.index()) == storage_of(variable.type);
    resolver.diagnostics.error(
        assignment.where,
        same_kind ? format("{} is out of the range of {}, which is of type {}", value, name,
                           to_string(variable.type))
                  : format("the {} {} does not fit {}, which is of type {}",
                           kind_of(assignment.value), value, name, to_string(variable.type)),
        hint_for(assignment.value, variable.type));
}

/// A list of assignments of a unit: `parameters` or `start`.
struct Section {
    const std::vector<Assignment>& assignments;
    std::string_view role; ///< of the variables that it may name
    bool (*has_role)(const Variable&);
    bool (*belongs_to_other)(const Variable&);
    std::string_view other; ///< the section that they should stand in instead
};

void report_wrong_role(Resolver& resolver, UnitId unit, const Assignment& assignment,
                       const Variable& variable, const Section& section) {
    std::string fault = format("{} of unit \"{}\" is {}, not a {}", variable.name,
                               resolver.unit(unit).name, role_of(variable), section.role);
    if (section.role != "parameter") {
        fault = format("{} of unit \"{}\" is {}{} and takes no start value", variable.name,
                       resolver.unit(unit).name, role_of(variable),
                       variable.initial == Initial::calculated ? " that the unit calculates" : "");
    }
    resolver.diagnostics.error(assignment.where, std::move(fault),
                               section.belongs_to_other(variable)
                                   ? format("set it under {}", section.other)
                                   : "remove it");
}

void check_section(Resolver& resolver, UnitId unit, const Section& section,
                   std::unordered_map<std::uint32_t, const Assignment*>& assigned) {
    for (const Assignment& assignment : section.assignments) {
        const auto index = resolver.find_variable(unit, assignment.variable);
        if (!index) {
            resolver.report_unknown_variable(assignment.where, unit, assignment.variable,
                                             section.role, section.has_role);
            continue;
        }
        const auto [first, is_new] = assigned.emplace(*index, &assignment);
        const Variable& variable = resolver.variable(unit, *index);
        if (!is_new) {
            resolver.diagnostics.error(
                assignment.where,
                format("{}.{} is set twice", resolver.unit(unit).name, variable.name),
                format("also at {}", to_string(first->second->where)));
        } else if (!section.has_role(variable)) {
            report_wrong_role(resolver, unit, assignment, variable, section);
        } else {
            check_value(resolver, unit, assignment, variable);
        }
    }
}

} // namespace

std::optional<Value> convert(const Value& value, ValueType type) {
    const Storage storage = storage_of(type);
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        if (storage == Storage::integer && is_in_range(*integer, type)) return value;
        if (storage == Storage::real) return Value(static_cast<double>(*integer));
        return std::nullopt;
    }
    if (static_cast<Storage>(value.index()) != storage) return std::nullopt;
    if (const auto* real = std::get_if<double>(&value)) {
        if (!is_in_range(*real, type)) return std::nullopt;
    }
    return value;
}

void check_values(Resolver& resolver) {
    for (std::size_t u = 0; u < resolver.scenario.units.size(); ++u) {
        const Unit& unit = resolver.scenario.units[u];
        std::unordered_map<std::uint32_t, const Assignment*> assigned;
        const Section parameters{unit.parameters, "parameter", is_parameter, takes_start, "start"};
        const Section start{unit.start, "variable", takes_start, is_parameter, "parameters"};
        check_section(resolver, nth<UnitId>(u), parameters, assigned);
        check_section(resolver, nth<UnitId>(u), start, assigned);
    }
}

} // namespace rubato::scenario
