// SPDX-License-Identifier: Apache-2.0
#include "xml_source.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::scenario::formats {

std::string_view local_name(pugi::xml_node node) {
    const std::string_view name = node.name();
    const auto colon = name.find(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::vector<pugi::xml_node> children_of(pugi::xml_node node, std::string_view name) {
    std::vector<pugi::xml_node> found;
    for (const pugi::xml_node child : node.children())
        if (child.type() == pugi::node_element && local_name(child) == name) found.push_back(child);
    return found;
}

pugi::xml_node child_of(pugi::xml_node node, std::string_view name) {
    for (const pugi::xml_node child : node.children())
        if (child.type() == pugi::node_element && local_name(child) == name) return child;
    return {};
}

XmlSource::XmlSource(const std::string& label, std::string bytes, Diagnostics& diagnostics)
    : diagnostics_(diagnostics) {
    try {
        document_.emplace(label, std::move(bytes));
        if (!document_->encoding_fault().empty())
            diagnostics_.warning({label, 0, 0}, document_->encoding_fault());
    } catch (const files::XmlError& error) {
        diagnostics_.error(error.where(), error.problem(), error.hint());
    }
}

Location XmlSource::locate(pugi::xml_node node) const {
    return document_ ? document_->locate(node) : Location{};
}

void XmlSource::error(pugi::xml_node node, std::string message, std::string hint) const {
    diagnostics_.error(locate(node), std::move(message), std::move(hint));
}

void XmlSource::warning(pugi::xml_node node, std::string message, std::string hint) const {
    diagnostics_.warning(locate(node), std::move(message), std::move(hint));
}

std::string XmlSource::text(pugi::xml_node node, const char* attribute) const {
    return node.attribute(attribute).value();
}

std::string XmlSource::required(pugi::xml_node node, const char* attribute) const {
    std::string value = text(node, attribute);
    if (value.empty())
        error(node, format("<{}> {} its attribute \"{}\"", node.name(),
                           node.attribute(attribute) ? "has no text in" : "lacks", attribute));
    return value;
}

template <class T>
std::optional<T> XmlSource::parsed(pugi::xml_node node, const char* attribute,
                                   std::optional<T> (*parse)(std::string_view),
                                   const char* what) const {
    const pugi::xml_attribute found = node.attribute(attribute);
    if (!found) return std::nullopt;
    const auto value = parse(found.value());
    if (!value)
        error(node,
              format("{}=\"{}\" of <{}> is no {}", attribute, found.value(), node.name(), what));
    return value;
}

std::optional<double> XmlSource::number(pugi::xml_node node, const char* attribute) const {
    return parsed<double>(node, attribute, files::parse_number<double>, "number");
}

std::optional<std::int64_t> XmlSource::integer(pugi::xml_node node, const char* attribute) const {
    return parsed<std::int64_t>(node, attribute, files::parse_number<std::int64_t>, "whole number");
}

std::optional<bool> XmlSource::boolean(pugi::xml_node node, const char* attribute) const {
    return parsed<bool>(node, attribute, files::parse_boolean, "boolean (true or false)");
}

void XmlSource::check_known(pugi::xml_node node, std::initializer_list<std::string_view> children,
                            std::initializer_list<std::string_view> attributes) const {
    for (const pugi::xml_node child : node.children()) {
        if (child.type() != pugi::node_element) continue;
        if (std::ranges::find(children, local_name(child)) == children.end())
            warning(child, format("<{}> within <{}> has no effect: it is not known there",
                                  child.name(), node.name()));
    }
    for (const pugi::xml_attribute attribute : node.attributes()) {
        const std::string_view name = attribute.name();
        const bool is_foreign = name.starts_with("xmlns") || name.find(':') != name.npos;
        if (!is_foreign && std::ranges::find(attributes, name) == attributes.end())
            warning(node, format("attribute \"{}\" of <{}> has no effect: it is not known there",
                                 name, node.name()));
    }
}

} // namespace rubato::scenario::formats
