// SPDX-License-Identifier: Apache-2.0
#include "encoding.hpp"

#include <rubato/private/format.hpp>
#include <rubato/private/xml.hpp>

#include <algorithm>
#include <charconv>

namespace rubato::files {

namespace {

constexpr std::string_view xml_blanks = " \t\r\n";

std::string_view without_blanks(std::string_view text) {
    const auto first = text.find_first_not_of(xml_blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(xml_blanks) - first + 1);
}

bool declares_document_type(const pugi::xml_document& document) {
    return std::ranges::any_of(document.children(), [](const pugi::xml_node& node) {
        return node.type() == pugi::node_doctype;
    });
}

} // namespace

XmlError::XmlError(XmlFault fault, Location where, const std::string& problem,
                   const std::string& hint)
    : InputError(format("{}: {}", to_string(where), problem), hint), fault_(fault),
      where_(std::move(where)), problem_(problem), hint_(hint) {}

XmlDocument::XmlDocument(std::string label, std::string bytes) : label_(std::move(label)) {
    auto [text, fault] = decode_xml(std::move(bytes));
    encoding_fault_ = std::move(fault);
    for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1)) {
        line_ends_.push_back(static_cast<std::ptrdiff_t>(end));
    }
    const auto result = document_.load_buffer(
        text.data(), text.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
    if (declares_document_type(document_)) {
        throw XmlError(XmlFault::document_type, {label_},
                       "declares a document type (<!DOCTYPE …>), which is refused",
                       "it needs none; document types can hold entity bombs");
    }
    if (!result) {
        throw XmlError(XmlFault::malformed, at(result.offset),
                       format("is not well-formed XML: {}", result.description()), "");
    }
}

Location XmlDocument::at(std::ptrdiff_t offset) const {
    const auto line = std::ranges::lower_bound(line_ends_, offset) - line_ends_.begin();
    return {label_, static_cast<int>(line) + 1, 0};
}

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
    text = without_blanks(text);
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
    text = without_blanks(text);
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    return std::nullopt;
}

std::optional<std::vector<std::uint32_t>> parse_indices(std::string_view text) {
    std::vector<std::uint32_t> indices;
    std::string_view rest = without_blanks(text);
    while (!rest.empty()) {
        const auto end = std::min(rest.find_first_of(xml_blanks), rest.size());
        const auto index = parse_number<std::uint32_t>(rest.substr(0, end));
        if (!index) return std::nullopt;
        indices.push_back(*index);
        rest = without_blanks(rest.substr(end));
    }
    return indices;
}

} // namespace rubato::files
