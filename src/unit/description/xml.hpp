// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "findings.hpp"

#include <pugixml.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::unit {

/// A parsed XML file that knows on which line each element stands. It must not declare a document
/// type: that is where entity bombs and references to other files live, and FMI has no use for it.
class XmlDocument {
public:
    /// `label` is what messages call the file. Throws a Refusal.
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

/// Reads attributes. An attribute whose text is not of its kind counts as absent; saying so is up
/// to check_schema. Rules that are broken go to the findings, with their line, and reading goes on:
/// the user sees all that is wrong at once.
class XmlReader {
public:
    XmlReader(const XmlDocument& document, Findings& findings)
        : document_(document), findings_(findings) {}

    void report(Rule rule, pugi::xml_node where, std::string message, std::string hint = {}) const;

    std::string text(pugi::xml_node node, const char* attribute) const; ///< absent: empty
    bool flag(pugi::xml_node node, const char* attribute) const;        ///< absent: false
    unsigned count(pugi::xml_node node, const char* attribute) const;   ///< absent: 0
    std::optional<double> find_number(pugi::xml_node node, const char* attribute) const;
    std::optional<std::uint32_t> find_index(pugi::xml_node node, const char* attribute) const;
    std::optional<std::vector<std::uint32_t>> find_indices(pugi::xml_node node,
                                                           const char* attribute) const;

private:
    const XmlDocument& document_;
    Findings& findings_;
};

/// Numbers as XML writes them: nullopt when the text is not wholly one number of that type.
template <class Number>
std::optional<Number> parse_number(std::string_view text);
std::optional<bool> parse_boolean(std::string_view text);
std::optional<std::vector<std::uint32_t>> parse_indices(std::string_view text);

} // namespace rubato::unit
