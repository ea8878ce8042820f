// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "xml.hpp"

#include <rubato/scenario/description.hpp>

#include <map>
#include <string>

namespace rubato::unit {

/// What FMI 2.0 and 3.0 say in the same words about a variable.

/// Name, description, value reference, causality, variability and initial, with the standard's
/// defaults where the attributes are absent. `variable.type` must be known.
void read_common_attributes(const XmlReader& reader, pugi::xml_node node,
                            scenario::Variable& variable);

/// The start value in `text`; a value that is none of the variable's type is an error at `node`.
void read_start(const XmlReader& reader, pugi::xml_node node, std::string_view text,
                scenario::Variable& variable);

/// The elements of type definitions, by name: what they say holds for the variables declared with
/// them.
using DeclaredTypes = std::map<std::string, pugi::xml_node, std::less<>>;

/// Unit of measure, nominal value and range: the variable's own, else those of its declared type.
/// The range of an enumeration is that of its items.
void read_quantity(const XmlReader& reader, pugi::xml_node node, const DeclaredTypes& declared,
                   scenario::Variable& variable);

/// Reports names that occur twice. `nodes` are the elements of the variables.
void check_names(const XmlReader& reader, const std::vector<pugi::xml_node>& nodes,
                 const std::vector<scenario::Variable>& variables);

} // namespace rubato::unit
