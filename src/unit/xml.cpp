// SPDX-License-Identifier: Apache-2.0
#include "xml.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <charconv>

namespace rubato::unit {

namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool declares_document_type(const pugi::xml_document& document) {
    return std::ranges::any_of(document.children(), [](const pugi::xml_node& node) {
        return node.type() == pugi::node_doctype;
    });
}

} // namespace

XmlDocument::XmlDocument(std::string label, const std::string& text) : label_(std::move(label)) {
    for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1)) {
        line_ends_.push_back(static_cast<std::ptrdiff_t>(end));
    }
    const auto result =
        document_.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_doctype);
    if (declares_document_type(document_)) {
        throw InputError(
            format("{}: declares a document type (<!DOCTYPE …>), which is refused", label_),
            "a model description needs none; document types can hold entity bombs");
    }
    if (!result) {
        throw InputError(format("{}: is not well-formed XML: {}", to_string(at(result.offset)),
                                result.description()));
    }
}

Location XmlDocument::at(std::ptrdiff_t offset) const {
    const auto line = std::ranges::lower_bound(line_ends_, offset) - line_ends_.begin();
    return {label_, static_cast<int>(line) + 1, 0};
}

void XmlReader::error(pugi::xml_node where, std::string message, std::string hint) const {
    diagnostics_.error(document_.locate(where), std::move(message), std::move(hint));
}

void XmlReader::malformed(pugi::xml_node node, const char* attribute,
                          std::string_view expected) const {
    error(node, format("<{}> has {}=\"{}\", which is not {}", node.name(), attribute,
                       node.attribute(attribute).value(), expected));
}

std::string XmlReader::required(pugi::xml_node node, const char* attribute) const {
    const auto found = node.attribute(attribute);
    if (!found) error(node, format("<{}> lacks the attribute {}", node.name(), attribute));
    return found.value();
}

std::string XmlReader::text(pugi::xml_node node, const char* attribute) const {
    return node.attribute(attribute).value();
}

bool XmlReader::flag(pugi::xml_node node, const char* attribute) const {
    const auto found = node.attribute(attribute);
    if (!found) return false;
    const auto value = parse_boolean(found.value());
    if (!value) malformed(node, attribute, "true or false");
    return value.value_or(false);
}

unsigned XmlReader::count(pugi::xml_node node, const char* attribute) const {
    return find_index(node, attribute).value_or(0);
}

std::optional<double> XmlReader::find_number(pugi::xml_node node, const char* attribute) const {
    const auto found = node.attribute(attribute);
    if (!found) return std::nullopt;
    const auto value = parse_number<double>(found.value());
    if (!value) malformed(node, attribute, "a number");
    return value;
}

std::optional<std::uint32_t> XmlReader::find_index(pugi::xml_node node,
                                                   const char* attribute) const {
    const auto found = node.attribute(attribute);
    if (!found) return std::nullopt;
    const auto value = parse_number<std::uint32_t>(found.value());
    if (!value) malformed(node, attribute, "a whole number from 0 to 4294967295");
    return value;
}

std::optional<std::vector<std::uint32_t>> XmlReader::find_indices(pugi::xml_node node,
                                                                  const char* attribute) const {
    const auto found = node.attribute(attribute);
    if (!found) return std::nullopt;
    std::vector<std::uint32_t> indices;
    std::string_view rest = trimmed(found.value());
    while (!rest.empty()) {
        const auto end = std::min(rest.find_first_of(blanks), rest.size());
        const auto index = parse_number<std::uint32_t>(rest.substr(0, end));
        if (!index) {
            malformed(node, attribute, "a list of whole numbers");
            return std::nullopt;
        }
        indices.push_back(*index);
        rest = trimmed(rest.substr(end));
    }
    return indices;
}

std::uint32_t XmlReader::required_index(pugi::xml_node node, const char* attribute) const {
    if (!node.attribute(attribute)) required(node, attribute);
    return find_index(node, attribute).value_or(0);
}

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    Number value{};
    const char* end = text.data() + text.size();
    const auto [stopped, trouble] = std::from_chars(text.data(), end, value);
    if (trouble != std::errc{} || stopped != end) return std::nullopt;
    return value;
}

template std::optional<double> parse_number(std::string_view text);
template std::optional<std::uint32_t> parse_number(std::string_view text);
template std::optional<std::int64_t> parse_number(std::string_view text);
template std::optional<std::uint64_t> parse_number(std::string_view text);

std::optional<bool> parse_boolean(std::string_view text) {
    text = trimmed(text);
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    return std::nullopt;
}

} // namespace rubato::unit
