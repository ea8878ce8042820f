// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rules/definitions.hpp"
#include "xml.hpp"

#include <rubato/scenario/description.hpp>

#include <set>
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

/// Unit of measure, nominal value and range: the variable's own, else those of its declared type.
/// The range of an enumeration is that of its items. A nominal value of zero, or a range upside
/// down, is taken as absent.
void read_quantity(const XmlReader& reader, pugi::xml_node node, const Definitions& definitions,
                   scenario::Variable& variable);

/// Keeps out variables that cannot be used: those without name, value reference or type, and those
/// with the name of another one.
class VariableAdmission {
public:
    explicit VariableAdmission(const XmlReader& reader) : reader_(reader) {}

    /// Whether the variable can be used; reports why not. `type` is null where it has none.
    bool admit(pugi::xml_node node, pugi::xml_node type);
    /// The same for another name of a variable.
    bool admit_name(pugi::xml_node node);

private:
    const XmlReader& reader_;
    std::set<std::string> names_;
};

} // namespace rubato::unit
