// SPDX-License-Identifier: Apache-2.0
#include "schema.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace rubato::unit {

namespace {

/// 2026-11-15T13:40:00Z, with fractions of a second and another time zone if need be.
bool is_date_time(std::string_view text) {
    constexpr std::string_view pattern = "0000-00-00T00:00:00";
    if (text.size() < pattern.size()) return false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool is_digit = text[i] >= '0' && text[i] <= '9';
        if (pattern[i] == '0' ? !is_digit : text[i] != pattern[i]) return false;
    }
    return text.substr(pattern.size()).find_first_not_of("0123456789.:+-Z") ==
           std::string_view::npos;
}

bool is_of_kind(AttributeKind kind, std::string_view value) {
    switch (kind) {
    case AttributeKind::text: return true;
    case AttributeKind::boolean: return parse_boolean(value).has_value();
    case AttributeKind::index: return parse_number<std::uint32_t>(value).has_value();
    case AttributeKind::integer: return parse_number<std::int64_t>(value).has_value();
    case AttributeKind::number: return parse_number<double>(value).has_value();
    case AttributeKind::indices: return parse_indices(value).has_value();
    case AttributeKind::date_time: return is_date_time(value);
    }
    return true;
}

std::string_view name_of(AttributeKind kind) {
    switch (kind) {
    case AttributeKind::text: break;
    case AttributeKind::boolean: return "true or false";
    case AttributeKind::index: return "a whole number from 0 to 4294967295";
    case AttributeKind::integer: return "a whole number";
    case AttributeKind::number: return "a number";
    case AttributeKind::indices: return "a list of whole numbers";
    case AttributeKind::date_time: return "a date with a time, such as 2026-01-31T12:00:00Z";
    }
    return "a text";
}

/// Attributes of other namespaces, such as xmlns:xsi and xsi:schemaLocation, are XML's business.
bool is_foreign(std::string_view attribute) {
    return attribute.starts_with("xmlns") || attribute.find(':') != std::string_view::npos;
}

std::string unknown_attribute_hint(std::string_view name, const ElementSchema& schema) {
    std::vector<std::string> known;
    for (const auto group : schema.attributes)
        for (const AttributeSchema& attribute : group) known.emplace_back(attribute.name);
    return suggest(name, known, "its attributes");
}

void check_attributes(const XmlReader& reader, pugi::xml_node node, const ElementSchema& schema) {
    for (const auto attribute : node.attributes()) {
        const std::string_view name = attribute.name();
        if (is_foreign(name)) continue;
        const AttributeSchema* known = schema.find_attribute(name);
        if (known == nullptr) {
            reader.report(Rule::unknown_attribute, node,
                          format("<{}> has the unknown attribute {}", node.name(), name),
                          unknown_attribute_hint(name, schema));
        } else if (!is_of_kind(known->kind, attribute.value())) {
            reader.report(Rule::malformed_value, node,
                          format("<{}> has {}=\"{}\", which is not {}", node.name(), name,
                                 attribute.value(), name_of(known->kind)));
        }
    }
    for (const auto group : schema.attributes) {
        for (const AttributeSchema& attribute : group) {
            if (!attribute.required || node.attribute(attribute.name.data())) continue;
            reader.report(Rule::missing_attribute, node,
                          format("<{}> lacks the attribute {}", node.name(), attribute.name));
        }
    }
}

std::string unknown_element_hint(std::string_view name, const ElementSchema& schema) {
    std::vector<std::string> known;
    for (const ChildSchema& child : schema.children) known.emplace_back(child.name);
    return known.empty() ? std::string() : suggest(name, known, "its elements");
}

void check_children(const XmlReader& reader, pugi::xml_node node, const ElementSchema& schema) {
    const auto children = schema.children;
    std::vector<std::size_t> counts(children.size(), 0);
    std::size_t furthest = 0;
    for (const auto child : node.children()) {
        if (child.type() != pugi::node_element) continue;
        const auto known =
            std::ranges::find(children, std::string_view(child.name()), &ChildSchema::name);
        if (known == children.end()) {
            reader.report(Rule::unknown_element, child,
                          format("<{}> is not an element of <{}>", child.name(), node.name()),
                          unknown_element_hint(child.name(), schema));
            continue;
        }
        const auto position = static_cast<std::size_t>(known - children.begin());
        if (++counts[position] == 2 && known->occurs != Occurs::many) {
            reader.report(Rule::repeated_element, child,
                          format("<{}> has a second <{}>", node.name(), child.name()));
        }
        if (!known->anywhere && position < furthest) {
            reader.report(
                Rule::element_order, child,
                format("<{}> must come before <{}>", child.name(), children[furthest].name));
        }
        if (!known->anywhere) furthest = std::max(furthest, position);
        if (known->element != nullptr) check_schema(reader, child, *known->element);
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (counts[i] > 0 || children[i].occurs != Occurs::once) continue;
        reader.report(Rule::missing_element, node,
                      format("<{}> lacks the element <{}>", node.name(), children[i].name));
    }
}

} // namespace

const AttributeSchema* ElementSchema::find_attribute(std::string_view name) const {
    for (const auto group : attributes) {
        const auto found = std::ranges::find(group, name, &AttributeSchema::name);
        if (found != group.end()) return &*found;
    }
    return nullptr;
}

void check_schema(const XmlReader& reader, pugi::xml_node node, const ElementSchema& schema) {
    check_attributes(reader, node, schema);
    check_children(reader, node, schema);
}

} // namespace rubato::unit
