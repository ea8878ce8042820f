// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "definitions.hpp"
#include "description/fmi_version.hpp"
#include "description/xml.hpp"

#include <rubato/scenario/description.hpp>

#include <span>
#include <vector>

namespace rubato::unit {

/// Where a variable stands: in FMI 2.0 its type is an element of its own, in FMI 3.0 the same.
struct VariableNode {
    pugi::xml_node variable, type;
};

/// The rules for variables by themselves, and of one with the others. `nodes` are those of the
/// variables.
void check_variables(const XmlReader& reader, FmiVersion version, pugi::xml_node root,
                     const Definitions& definitions, std::span<const VariableNode> nodes,
                     std::span<const scenario::Variable> variables);

} // namespace rubato::unit
