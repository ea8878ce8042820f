// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <functional>
#include <limits>
#include <utility>

namespace rubato::scenario {

namespace {

template <class Integer>
bool holds(std::integral auto value) {
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

/// A whole number beyond the range of std::int64_t, which is given by its digits.
std::optional<std::uint64_t> find_large_integer(const Value& value) {
    const auto* const text = std::get_if<std::string>(&value);
    if (text == nullptr) return std::nullopt;
    std::uint64_t number = 0;
    const char* const last = text->data() + text->size();
    const auto [end, error] = std::from_chars(text->data(), last, number);
    if (error != std::errc{} || end != last || holds<std::int64_t>(number)) return std::nullopt;
    return number;
}

/// Whether a value is a whole number that no std::int64_t holds.
bool is_beyond_integers(const Value& value) {
    constexpr double two_to_the_63 = 9223372036854775808.0;
    const auto* const real = std::get_if<double>(&value);
    return find_large_integer(value) || (real != nullptr && std::abs(*real) >= two_to_the_63);
}

std::optional<Value> convert_large(std::uint64_t number, ValueType type) {
    if (type == ValueType::uint64) return Value(std::bit_cast<std::int64_t>(number));
    if (storage_of(type) == Storage::real) return Value(static_cast<double>(number));
    return std::nullopt;
}

bool takes_parameter(const Variable& variable) {
    return is_parameter(variable.causality) && variable.variability != Variability::constant;
}

bool takes_start(const Variable& variable) {
    return !takes_parameter(variable) && variable.variability != Variability::constant &&
           variable.initial != Initial::calculated &&
           variable.causality != Causality::calculated_parameter &&
           variable.causality != Causality::independent;
}

std::string_view kind_of(const Value& value) {
    return to_string(static_cast<Storage>(value.index()));
}

std::string hint_for(const Value& value, const Variable& variable) {
    const ValueType type = variable.type;
    if (const auto* text = std::get_if<std::string>(&value); text && variable.items) {
        std::vector<std::string> names;
        for (const EnumerationItem& item : *variable.items) names.push_back(item.name);
        return suggest(*text, names, "its items");
    }
    if (std::holds_alternative<double>(value) && storage_of(type) == Storage::integer &&
        !is_beyond_integers(value)) {
        return "write a whole number, without point or exponent";
    }
    if (storage_of(type) == Storage::string) return "put texts in quotes";
    if (std::holds_alternative<std::string>(value) && storage_of(type) == Storage::real)
        return "write a number";
    if (storage_of(type) == Storage::boolean) return "write true or false";
    return {};
}

void check_value(Resolver& resolver, const Location& where, const std::string& name,
                 const Value& value, const Variable& variable) {
    if (convert(value, variable)) return;
    const ValueType type = variable.type;
    const std::string text = rubato::to_string(value);
    const bool same_kind = static_cast<Storage>(value.index()) == storage_of(type) ||
                           (is_beyond_integers(value) && storage_of(type) == Storage::integer);
    resolver.diagnostics.error(where,
                               same_kind
                                   ? format("{} is out of the range of {}, which is of type {}",
                                            text, name, to_string(type))
                                   : format("the {} {} does not fit {}, which is of type {}",
                                            kind_of(value), text, name, to_string(type)),
                               hint_for(value, variable));
}

/// One assignment to a variable, or an element of one, that exists and may be assigned.
void check_assignment(Resolver& resolver, UnitId unit, const Assignment& assignment,
                      const VariablePart& part) {
    const Variable& variable = resolver.variable(unit, part.variable);
    const std::string name = format("{}.{}", resolver.unit(unit).name, assignment.variable);
    if (assignment.elements.empty()) {
        check_value(resolver, assignment.where, name, assignment.value, variable);
        return;
    }
    const std::size_t count = part.element ? 1 : variable.element_count();
    if (assignment.elements.size() != count || !variable.is_array()) {
        resolver.diagnostics.error(assignment.where,
                                   format("{} has {}, not {}", name,
                                          variable.is_array() && !part.element
                                              ? format("{} elements", count)
                                              : "one value",
                                          assignment.elements.size()),
                                   "give one value for all, or one for each");
        return;
    }
    if (assignment.shape.size() > 1 && assignment.shape != sizes_of(variable)) {
        resolver.diagnostics.error(assignment.where,
                                   format("{} is an array of {}, not of {}", name,
                                          fmt::join(sizes_of(variable), " x "),
                                          fmt::join(assignment.shape, " x ")),
                                   "give its rows as they are, or all elements in one row");
        return;
    }
    for (const Value& value : assignment.elements)
        check_value(resolver, assignment.where, name, value, variable);
}

/// The assignments of a unit so far, by variable.
using Assigned = std::unordered_map<std::uint32_t, std::vector<const Assignment*>>;

/// Whether two assignments to one variable set the same of it.
bool overlap(const Assignment& one, const Assignment& other, const Variable& variable) {
    return one.variable == other.variable || one.variable == variable.name ||
           other.variable == variable.name;
}

/// What is not set of an array keeps the value it starts with, which must be known.
void check_rest(Resolver& resolver, UnitId unit, const Assigned& assigned) {
    for (const auto& [index, assignments] : assigned) {
        const Variable& variable = resolver.variable(unit, index);
        const Assignment& first = *assignments.front();
        if (!variable.is_array() || first.variable == variable.name) continue;
        if (!variable.start_elements.empty() || assignments.size() == variable.element_count())
            continue;
        resolver.diagnostics.error(
            first.where,
            format("{}.{} is set, but not the rest of the array, which declares no start value",
                   resolver.unit(unit).name, first.variable),
            format("give {} one value for each element", variable.name));
    }
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

void check_section(Resolver& resolver, UnitId unit, const Section& section, Assigned& assigned) {
    for (const Assignment& assignment : section.assignments) {
        const auto part = resolver.find_part(unit, assignment.variable);
        if (!part) {
            resolver.report_unknown_variable(assignment.where, unit, assignment.variable,
                                             section.role, section.has_role);
            continue;
        }
        const Variable& variable = resolver.variable(unit, part->variable);
        auto& others = assigned[part->variable];
        const auto same = std::ranges::find_if(
            others, [&](const Assignment* other) { return overlap(assignment, *other, variable); });
        if (same != others.end()) {
            resolver.diagnostics.error(
                assignment.where,
                format("{}.{} is set twice", resolver.unit(unit).name, assignment.variable),
                format("also at {}", to_string((*same)->where)));
            continue;
        }
        others.push_back(&assignment);
        if (!section.has_role(variable)) {
            report_wrong_role(resolver, unit, assignment, variable, section);
        } else {
            check_assignment(resolver, unit, assignment, *part);
        }
    }
}

} // namespace

std::optional<Value> convert(const Value& value, ValueType type) {
    const Storage storage = storage_of(type);
    if (const auto large = find_large_integer(value); large && storage != Storage::string)
        return convert_large(*large, type);
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

std::optional<Value> convert(const Value& value, const Variable& variable) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || variable.type != ValueType::enumeration)
        return convert(value, variable.type);
    const auto item = variable.find_item(*text);
    return item ? std::optional(Value(*item)) : std::nullopt;
}

void check_values(Resolver& resolver) {
    for (std::size_t u = 0; u < resolver.scenario.units.size(); ++u) {
        const Unit& unit = resolver.scenario.units[u];
        Assigned assigned;
        const Section parameters{unit.parameters, "parameter", takes_parameter, takes_start,
                                 "start"};
        const Section start{unit.start, "variable", takes_start, takes_parameter, "parameters"};
        check_section(resolver, nth<UnitId>(u), parameters, assigned);
        check_section(resolver, nth<UnitId>(u), start, assigned);
        check_rest(resolver, nth<UnitId>(u), assigned);
    }
}

std::vector<AssignedVariable> assigned_variables(const UnitDescription& description,
                                                 const std::vector<Assignment>& assignments) {
    std::vector<AssignedVariable> result;
    for (const Assignment& assignment : assignments) {
        const VariablePart part =
            find_part(description.variables, assignment.variable, [&](std::string_view name) {
                return description.find_variable(name);
            }).value();
        const Variable& variable = description.variables[part.variable];
        auto entry = std::ranges::find(result, part.variable, &AssignedVariable::variable);
        if (entry == result.end()) {
            entry = result.insert(entry, {part.variable, variable.start_elements});
            const bool is_one_for_all = entry->values.size() == 1;
            entry->values.resize(variable.element_count(),
                                 is_one_for_all ? entry->values.front() : Value());
        }
        const std::size_t first = part.element.value_or(0);
        const std::size_t end = part.element ? first + 1 : entry->values.size();
        for (std::size_t e = first; e < end; ++e) {
            const Value& value =
                assignment.elements.empty() ? assignment.value : assignment.elements[e - first];
            entry->values[e] = convert(value, variable).value();
        }
    }
    return result;
}

void settle_dimensions(UnitDescription& description, const std::vector<Assignment>& parameters) {
    std::unordered_map<std::uint32_t, std::uint64_t> sizes;
    for (const Assignment& assignment : parameters) {
        const auto index = description.find_variable(assignment.variable);
        const auto* size = std::get_if<std::int64_t>(&assignment.value);
        if (index && size != nullptr && *size >= 0)
            sizes[*index] = static_cast<std::uint64_t>(*size);
    }
    if (sizes.empty()) return;
    for (Variable& variable : description.variables) {
        const std::uint32_t before = variable.element_count();
        for (Dimension& dimension : variable.dimensions) {
            const auto size = dimension.parameter ? sizes.find(*dimension.parameter) : sizes.end();
            if (size != sizes.end()) dimension.size = size->second;
        }
        if (variable.element_count() == before) continue;
        auto& start = variable.start_elements;
        const bool is_uniform =
            std::ranges::adjacent_find(start, std::not_equal_to<>()) == start.end();
        start.resize(is_uniform ? std::min<std::size_t>(start.size(), 1) : 0);
    }
}

} // namespace rubato::scenario
