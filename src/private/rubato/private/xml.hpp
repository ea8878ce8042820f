// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <pugixml.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// XML, read by the room `files`. Private, since it shows types of pugixml.
namespace rubato::files {

enum class XmlFault : std::uint8_t { document_type, malformed };

class XmlError : public InputError {
public:
    XmlError(XmlFault fault, Location where, const std::string& problem, const std::string& hint);
    XmlFault fault() const { return fault_; }
    const Location& where() const { return where_; }
    const std::string& problem() const { return problem_; } ///< without the place
    const std::string& hint() const { return hint_; }

private:
    XmlFault fault_;
    Location where_;
    std::string problem_, hint_;
};

/// A parsed XML file that knows on which line each element stands. It must not declare a document
/// type: that is where entity bombs and references to other files live, and the formats that are
/// read here have no use for it.
class XmlDocument {
public:
    /// `label` is what messages call the file. Throws an XmlError.
    XmlDocument(std::string label, std::string bytes);

    /// What is wrong with the file's encoding; empty: it is UTF-8.
    const std::string& encoding_fault() const { return encoding_fault_; }

    pugi::xml_node root() const { return document_.document_element(); }
    Location locate(pugi::xml_node node) const { return at(node.offset_debug()); }

private:
    Location at(std::ptrdiff_t offset) const;

    std::string label_;
    std::string encoding_fault_;
    std::vector<std::ptrdiff_t> line_ends_;
    pugi::xml_document document_;
};

/// Numbers as XML writes them: nullopt when the text is not wholly one number of that type.
template <class Number>
std::optional<Number> parse_number(std::string_view text);
std::optional<bool> parse_boolean(std::string_view text);
std::optional<std::vector<std::uint32_t>> parse_indices(std::string_view text);

} // namespace rubato::files
