// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "findings.hpp"

#include <rubato/private/xml.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rubato::unit {

using files::parse_boolean;
using files::parse_indices;
using files::parse_number;

/// What is wrong with it as XML is a Refusal.
class XmlDocument : public files::XmlDocument {
public:
    XmlDocument(std::string label, std::string bytes);
};

/// Reads attributes. An attribute whose text is not of its kind counts as absent; saying so is up
/// to check_schema. Rules that are broken go to the findings, with their line, and reading
/// continues: the user sees all that is wrong at once.
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

} // namespace rubato::unit
