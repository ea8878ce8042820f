// SPDX-License-Identifier: Apache-2.0
#include "xml.hpp"

#include "encoding.hpp"

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

XmlDocument::XmlDocument(std::string label, std::string bytes) : label_(std::move(label)) {
    auto [text, fault] = decode_xml(std::move(bytes));
    encoding_fault_ = std::move(fault);
    for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1)) {
        line_ends_.push_back(static_cast<std::ptrdiff_t>(end));
    }
    const auto result = document_.load_buffer(
        text.data(), text.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
    if (declares_document_type(document_)) {
        throw Refusal({Rule::xml_doctype,
                       {label_},
                       "declares a document type (<!DOCTYPE …>), which is refused",
                       "a model description needs none; document types can hold entity bombs"});
    }
    if (!result) {
        throw Refusal({Rule::xml_malformed, at(result.offset),
                       format("is not well-formed XML: {}", result.description()), ""});
    }
}

Location XmlDocument::at(std::ptrdiff_t offset) const {
    const auto line = std::ranges::lower_bound(line_ends_, offset) - line_ends_.begin();
    return {label_, static_cast<int>(line) + 1, 0};
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

std::optional<std::vector<std::uint32_t>> parse_indices(std::string_view text) {
    std::vector<std::uint32_t> indices;
    std::string_view rest = trimmed(text);
    while (!rest.empty()) {
        const auto end = std::min(rest.find_first_of(blanks), rest.size());
        const auto index = parse_number<std::uint32_t>(rest.substr(0, end));
        if (!index) return std::nullopt;
        indices.push_back(*index);
        rest = trimmed(rest.substr(end));
    }
    return indices;
}

} // namespace rubato::unit
