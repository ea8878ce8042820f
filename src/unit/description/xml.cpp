// SPDX-License-Identifier: Apache-2.0
#include "xml.hpp"

namespace rubato::unit {

namespace {

Rule rule_of(files::XmlFault fault) {
    return fault == files::XmlFault::malformed ? Rule::xml_malformed : Rule::xml_doctype;
}

} // namespace

XmlDocument::XmlDocument(std::string label, std::string bytes) try : files
    ::XmlDocument(std::move(label), std::move(bytes)) {}
catch (const files::XmlError& error) {
    throw Refusal({rule_of(error.fault()), error.where(), error.problem(), error.hint()});
}

void XmlReader::report(Rule rule, pugi::xml_node where, std::string message,
                       std::string hint) const {
    findings_.add(rule, document_.locate(where), std::move(message), std::move(hint));
}

std::string XmlReader::text(pugi::xml_node node, const char* attribute) const {
    return node.attribute(attribute).value();
}

bool XmlReader::flag(pugi::xml_node node, const char* attribute) const {
    return parse_boolean(node.attribute(attribute).value()).value_or(false);
}

unsigned XmlReader::count(pugi::xml_node node, const char* attribute) const {
    return find_index(node, attribute).value_or(0);
}

std::optional<double> XmlReader::find_number(pugi::xml_node node, const char* attribute) const {
    return parse_number<double>(node.attribute(attribute).value());
}

std::optional<std::uint32_t> XmlReader::find_index(pugi::xml_node node,
                                                   const char* attribute) const {
    return parse_number<std::uint32_t>(node.attribute(attribute).value());
}

std::optional<std::vector<std::uint32_t>> XmlReader::find_indices(pugi::xml_node node,
                                                                  const char* attribute) const {
    const auto found = node.attribute(attribute);
    return found ? parse_indices(found.value()) : std::nullopt;
}

} // namespace rubato::unit
