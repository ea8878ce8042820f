// SPDX-License-Identifier: Apache-2.0
#include "variables.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace rubato::unit {

using scenario::Causality;
using scenario::Initial;
using scenario::Variability;
using scenario::Variable;

namespace {

template <class Enum>
using Names = std::pair<const char*, Enum>;

constexpr std::array<Names<Causality>, 7> causalities = {{
    {"parameter", Causality::parameter},
    {"calculatedParameter", Causality::calculated_parameter},
    {"structuralParameter", Causality::structural_parameter},
    {"input", Causality::input},
    {"output", Causality::output},
    {"local", Causality::local},
    {"independent", Causality::independent},
}};
constexpr std::array<Names<Variability>, 5> variabilities = {{
    {"constant", Variability::constant},
    {"fixed", Variability::fixed},
    {"tunable", Variability::tunable},
    {"discrete", Variability::discrete},
    {"continuous", Variability::continuous},
}};
constexpr std::array<Names<Initial>, 3> initials = {{
    {"exact", Initial::exact},
    {"approx", Initial::approx},
    {"calculated", Initial::calculated},
}};

template <class Enum, std::size_t N>
Enum read_choice(const XmlReader& reader, pugi::xml_node node, const char* attribute,
                 const std::array<Names<Enum>, N>& names, Enum otherwise) {
    const auto found = node.attribute(attribute);
    if (!found) return otherwise;
    const std::string_view value = found.value();
    const auto match = std::ranges::find_if(names, [&](const auto& n) { return n.first == value; });
    if (match != names.end()) return match->second;
    std::vector<std::string> known;
    for (const auto& name : names) known.emplace_back(name.first);
    reader.report(
        Rule::unknown_word, node,
        format("variable \"{}\" has {}=\"{}\"", node.attribute("name").value(), attribute, value),
        suggest(value, known, "its values"));
    return otherwise;
}

Variability default_variability(const Variable& variable) {
    if (is_parameter(variable.causality) || variable.causality == Causality::calculated_parameter)
        return Variability::fixed;
    return storage_of(variable.type) == Storage::real ? Variability::continuous
                                                      : Variability::discrete;
}

/// FMI 2.0.4, section 2.2.7, table of the combinations of variability and causality; FMI 3.0 has
/// the same.
Initial default_initial(const Variable& variable) {
    switch (variable.causality) {
    case Causality::parameter:
    case Causality::structural_parameter: return Initial::exact;
    case Causality::calculated_parameter: return Initial::calculated;
    case Causality::output:
    case Causality::local:
        return variable.variability == Variability::constant ? Initial::exact : Initial::calculated;
    case Causality::input:
    case Causality::independent: break;
    }
    return Initial::unspecified;
}

struct Range {
    std::int64_t lowest, highest;
};

template <class Integer>
constexpr Range range_of() {
    return {std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max()};
}

constexpr Range range_of(ValueType type) {
    switch (type) {
    case ValueType::int8: return range_of<std::int8_t>();
    case ValueType::uint8: return range_of<std::uint8_t>();
    case ValueType::int16: return range_of<std::int16_t>();
    case ValueType::uint16: return range_of<std::uint16_t>();
    case ValueType::int32: return range_of<std::int32_t>();
    case ValueType::uint32: return range_of<std::uint32_t>();
    default: return range_of<std::int64_t>();
    }
}

std::optional<Value> parse_integer(ValueType type, std::string_view text) {
    if (type == ValueType::uint64) {
        const auto value = parse_number<std::uint64_t>(text);
        return value ? std::optional<Value>(static_cast<std::int64_t>(*value)) : std::nullopt;
    }
    const auto value = parse_number<std::int64_t>(text);
    const Range range = range_of(type);
    if (!value || *value < range.lowest || *value > range.highest) return std::nullopt;
    return *value;
}

std::optional<Value> parse_hexadecimal(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto digit = [&](std::size_t at) {
            return at < text.size() ? digits.find(static_cast<char>(text[at] | 0x20))
                                    : std::string_view::npos;
        };
        const auto high = digit(i), low = digit(i + 1);
        if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

std::optional<Value> parse_value(ValueType type, std::string_view text) {
    if (type == ValueType::binary) return parse_hexadecimal(text);
    switch (storage_of(type)) {
    case Storage::real: {
        const auto value = parse_number<double>(text);
        return value ? std::optional<Value>(*value) : std::nullopt;
    }
    case Storage::integer: return parse_integer(type, text);
    case Storage::boolean: {
        const auto value = parse_boolean(text);
        return value ? std::optional<Value>(*value) : std::nullopt;
    }
    case Storage::string: return std::string(text);
    }
    return std::nullopt;
}

} // namespace

void read_common_attributes(const XmlReader& reader, pugi::xml_node node, Variable& variable) {
    variable.name = reader.text(node, "name");
    variable.description = reader.text(node, "description");
    variable.reference = reader.find_index(node, "valueReference").value_or(0);
    variable.causality = read_choice(reader, node, "causality", causalities, Causality::local);
    variable.variability =
        read_choice(reader, node, "variability", variabilities, default_variability(variable));
    if (variable.variability == Variability::continuous)
        variable.variability = default_variability(variable);
    variable.initial = read_choice(reader, node, "initial", initials, default_initial(variable));
}

void read_start(const XmlReader& reader, pugi::xml_node node, std::string_view text,
                Variable& variable) {
    variable.start = parse_value(variable.type, text);
    if (variable.start) return;
    reader.report(Rule::start_type, node,
                  format("variable \"{}\" has start=\"{}\", which is not a value of type {}",
                         variable.name, text, to_string(variable.type)));
}

void read_quantity(const XmlReader& reader, pugi::xml_node node, const Definitions& definitions,
                   Variable& variable) {
    const auto number = [&](const char* attribute) {
        return reader.find_number(definitions.having(attribute, node), attribute);
    };
    if (storage_of(variable.type) == Storage::real) {
        variable.unit = reader.text(definitions.having("unit", node), "unit");
        variable.nominal = number("nominal");
        if (variable.nominal && !(*variable.nominal > 0)) variable.nominal.reset();
    }
    variable.minimum = number("min");
    variable.maximum = number("max");
    if (variable.minimum && variable.maximum && *variable.minimum > *variable.maximum) {
        variable.minimum.reset();
        variable.maximum.reset();
    }
    const Definitions::Type* type = definitions.find_type(node);
    if (type == nullptr || type->items.empty()) return;
    variable.items = type->names;
    const auto least = static_cast<double>(*type->items.begin());
    const auto greatest = static_cast<double>(*type->items.rbegin());
    variable.minimum = std::min(variable.minimum.value_or(least), least);
    variable.maximum = std::max(variable.maximum.value_or(greatest), greatest);
}

bool VariableAdmission::admit(pugi::xml_node node, pugi::xml_node type) {
    const bool has_name = admit_name(node);
    const std::string_view name = node.attribute("name").value();
    if (!type)
        reader_.report(
            Rule::missing_type, node,
            format("variable \"{}\" in <{}> has no type of the standard", name, node.name()));
    const bool has_reference = reader_.find_index(node, "valueReference").has_value();
    if (!has_reference)
        reader_.report(Rule::missing_value_reference, node,
                       format("variable \"{}\" has no valueReference", name));
    return has_name && has_reference && type;
}

bool VariableAdmission::admit_name(pugi::xml_node node) {
    const std::string name = reader_.text(node, "name");
    if (name.empty()) {
        reader_.report(Rule::missing_name, node,
                       format("<{}> lacks the attribute name", node.name()));
        return false;
    }
    const bool is_new = names_.insert(name).second;
    if (!is_new)
        reader_.report(Rule::duplicate_name, node, format("two variables are named \"{}\"", name));
    return is_new;
}

} // namespace rubato::unit
