// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

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
    /// `label` is what messages call the file. Throws InputError.
    XmlDocument(std::string label, const std::string& text);

    pugi::xml_node root() const { return document_.document_element(); }
    Location locate(pugi::xml_node node) const { return at(node.offset_debug()); }

private:
    Location at(std::ptrdiff_t offset) const;

    std::string label_;
    std::vector<std::ptrdiff_t> line_ends_;
    pugi::xml_document document_;
};

/// Reads attributes. What is wrong with them goes to the diagnostics, with its line, and reading
/// goes on with a harmless value: the user sees all that is wrong at once.
class XmlReader {
public:
    XmlReader(const XmlDocument& document, Diagnostics& diagnostics)
        : document_(document), diagnostics_(diagnostics) {}

    void error(pugi::xml_node where, std::string message, std::string hint = {}) const;

    std::string required(pugi::xml_node node, const char* attribute) const;
    std::string text(pugi::xml_node node, const char* attribute) const; ///< absent: empty
    bool flag(pugi::xml_node node, const char* attribute) const;        ///< absent: false
    unsigned count(pugi::xml_node node, const char* attribute) const;   ///< absent: 0
    std::optional<double> find_number(pugi::xml_node node, const char* attribute) const;
    std::optional<std::uint32_t> find_index(pugi::xml_node node, const char* attribute) const;
    std::optional<std::vector<std::uint32_t>> find_indices(pugi::xml_node node,
                                                           const char* attribute) const;
    std::uint32_t required_index(pugi::xml_node node, const char* attribute) const;

private:
    void malformed(pugi::xml_node node, const char* attribute, std::string_view expected) const;

    const XmlDocument& document_;
    Diagnostics& diagnostics_;
};

/// Numbers as XML writes them: nullopt when the text is not wholly one number of that type.
template <class Number>
std::optional<Number> parse_number(std::string_view text);
std::optional<bool> parse_boolean(std::string_view text);

} // namespace rubato::unit
