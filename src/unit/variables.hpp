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

/// Units of measure that type definitions give to the variables declared with them.
using DeclaredUnits = std::map<std::string, std::string, std::less<>>;

/// The variable's own unit, else that of its declared type.
void read_unit(const XmlReader& reader, pugi::xml_node node, const DeclaredUnits& declared,
               scenario::Variable& variable);

/// Reports names that occur twice. `nodes` are the elements of the variables.
void check_names(const XmlReader& reader, const std::vector<pugi::xml_node>& nodes,
                 const std::vector<scenario::Variable>& variables);

} // namespace rubato::unit
