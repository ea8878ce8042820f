// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "description/xml.hpp"

#include <rubato/scenario/description.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace rubato::unit {

/// What a description defines for its variables, by name.
struct Definitions {
    using Names = std::set<std::string, std::less<>>;

    std::map<std::string, Names, std::less<>> units; ///< with their display units
    struct Type {
        pugi::xml_node node; ///< that holds its attributes: <Real> in FMI 2.0, <Float64Type> in 3.0
        std::set<std::int64_t> items; ///< values of an enumeration
        std::shared_ptr<const std::vector<scenario::EnumerationItem>> names; ///< and their names
    };
    std::map<std::string, Type, std::less<>> types;
    bool structured_names = false;

    /// The element that an attribute of a variable stands in: its own, else that of its type.
    pugi::xml_node having(const char* attribute, pugi::xml_node variable) const;
    const Type* find_type(pugi::xml_node variable) const; ///< null: none declared, or undefined
};

/// Reads the definitions and reports what is wrong with them.
Definitions check_definitions(const XmlReader& reader, pugi::xml_node root);

/// Names of log categories.
void check_log_categories(const XmlReader& reader, pugi::xml_node root);

/// Capabilities of one of the elements <CoSimulation> and <ModelExchange>.
void check_capabilities(const XmlReader& reader, pugi::xml_node interface);

} // namespace rubato::unit
