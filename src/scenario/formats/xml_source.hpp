// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/private/xml.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario::formats {

/// The name of an element without the prefix of its namespace.
std::string_view local_name(pugi::xml_node node);

/// The children of this local name, in their order.
std::vector<pugi::xml_node> children_of(pugi::xml_node node, std::string_view name);
/// The first of them; null: there is none.
pugi::xml_node child_of(pugi::xml_node node, std::string_view name);

/// An XML file of another tool. Names of elements are compared without the prefixes of namespaces.
/// All that is wrong is reported with its line, and reading continues.
class XmlSource {
public:
    /// What is not XML is reported; then there is no root.
    XmlSource(const std::string& label, std::string bytes, Diagnostics& diagnostics);

    pugi::xml_node root() const { return document_ ? document_->root() : pugi::xml_node(); }
    Location locate(pugi::xml_node node) const;
    Diagnostics& diagnostics() const { return diagnostics_; }

    void error(pugi::xml_node node, std::string message, std::string hint = {}) const;
    void warning(pugi::xml_node node, std::string message, std::string hint = {}) const;

    std::string text(pugi::xml_node node, const char* attribute) const; ///< absent: empty
    /// An attribute that must be there; otherwise that is reported, and the result is empty.
    std::string required(pugi::xml_node node, const char* attribute) const;
    /// Attributes whose text is no number, or no boolean, are reported and count as absent.
    std::optional<double> number(pugi::xml_node node, const char* attribute) const;
    std::optional<std::int64_t> integer(pugi::xml_node node, const char* attribute) const;
    std::optional<bool> boolean(pugi::xml_node node, const char* attribute) const;

    /// Names what is there beyond these children and attributes.
    void check_known(pugi::xml_node node, std::initializer_list<std::string_view> children,
                     std::initializer_list<std::string_view> attributes) const;

private:
    template <class T>
    std::optional<T> parsed(pugi::xml_node node, const char* attribute,
                            std::optional<T> (*parse)(std::string_view), const char* what) const;

    std::optional<files::XmlDocument> document_;
    Diagnostics& diagnostics_;
};

} // namespace rubato::scenario::formats
