// SPDX-License-Identifier: Apache-2.0
#include "starts.hpp"

#include <rubato/private/format.hpp>

#include <sstream>

namespace rubato::unit {

using scenario::Causality;
using scenario::Initial;
using scenario::Variability;
using scenario::Variable;

namespace {

bool has_start(const VariableNode& node) {
    return node.type.attribute("start") || node.type.child("Start");
}

bool needs_start(const Variable& variable) {
    if (variable.type == ValueType::clock) return false;
    return variable.causality == Causality::input || variable.causality == Causality::parameter ||
           variable.causality == Causality::structural_parameter ||
           variable.variability == Variability::constant || variable.initial == Initial::exact ||
           variable.initial == Initial::approx;
}

bool may_have_start(const Variable& variable) {
    return variable.causality != Causality::independent && variable.initial != Initial::calculated;
}

void check_presence(const XmlReader& reader, const VariableNode& node, const Variable& variable) {
    if (!has_start(node) && needs_start(variable))
        reader.report(Rule::missing_start, node.variable,
                      format("{} {} \"{}\" has no start value", to_string(variable.variability),
                             to_string(variable.causality), variable.name));
    if (has_start(node) && !may_have_start(variable))
        reader.report(
            Rule::superfluous_start, node.variable,
            format("{} variable \"{}\" has a start value",
                   variable.causality == Causality::independent ? "independent" : "calculated",
                   variable.name));
}

std::optional<double> as_number(const std::optional<Value>& value) {
    if (!value) return std::nullopt;
    if (const auto* number = std::get_if<double>(&*value)) return *number;
    if (const auto* number = std::get_if<std::int64_t>(&*value))
        return static_cast<double>(*number);
    return std::nullopt;
}

void check_range(const XmlReader& reader, const VariableNode& node, const Definitions& definitions,
                 const Variable& variable) {
    const auto number = [&](const char* attribute) {
        return reader.find_number(definitions.having(attribute, node.type), attribute);
    };
    const auto min = number("min"), max = number("max");
    if (min && max && *min > *max) {
        reader.report(Rule::min_above_max, node.variable,
                      format("variable \"{}\" has min={} and max={}", variable.name, *min, *max));
        return;
    }
    const auto start = as_number(variable.start);
    const bool is_uint64 = variable.type == ValueType::uint64; // its upper half reads as negative
    if (start && !is_uint64 && ((min && *start < *min) || (max && *start > *max)))
        reader.report(
            Rule::start_out_of_range, node.variable,
            format("variable \"{}\" has start={}, outside its range", variable.name, *start));
    const auto nominal = number("nominal");
    if (nominal && !(*nominal > 0))
        reader.report(Rule::nominal_not_positive, node.variable,
                      format("variable \"{}\" has nominal={}", variable.name, *nominal));
}

void check_item(const XmlReader& reader, const VariableNode& node, const Definitions& definitions,
                const Variable& variable) {
    if (variable.type != ValueType::enumeration || !variable.start) return;
    const Definitions::Type* type = definitions.find_type(node.type);
    if (type == nullptr || type->items.empty()) return;
    const auto start = std::get<std::int64_t>(*variable.start);
    const bool is_item = type->items.contains(start);
    if (!is_item)
        reader.report(Rule::start_not_an_item, node.variable,
                      format("enumeration \"{}\" has start={}, which is no item of its type",
                             variable.name, start));
}

void check_count(const XmlReader& reader, const VariableNode& node, const Variable& variable) {
    const auto start = node.type.attribute("start");
    if (!start || !variable.is_array()) return;
    const std::uint32_t elements = variable.element_count();
    std::istringstream list(start.value());
    std::uint64_t count = 0;
    for (std::string item; list >> item;) ++count;
    if (count != 1 && count != elements)
        reader.report(Rule::start_count, node.variable,
                      format("array \"{}\" has {} start values for {} elements", variable.name,
                             count, elements));
}

} // namespace

void check_start(const XmlReader& reader, const VariableNode& node, const Definitions& definitions,
                 const Variable& variable) {
    check_presence(reader, node, variable);
    check_range(reader, node, definitions, variable);
    check_item(reader, node, definitions, variable);
    check_count(reader, node, variable);
}

} // namespace rubato::unit
