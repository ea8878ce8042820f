// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "xml.hpp"

#include <rubato/scenario/description.hpp>

#include <string>

namespace rubato::unit {

/// Elements of a model description that FMI 2.0 and 3.0 write alike.

/// The model identifier names a file: it must be a plain name.
std::string read_model_identifier(const XmlReader& reader, pugi::xml_node interface);

/// GUID or instantiation token.
std::string read_identifier(const XmlReader& reader, pugi::xml_node root, const char* attribute);

/// What the units of variables are: as <UnitDefinitions> says, else as their names do.
void read_measures(const XmlReader& reader, pugi::xml_node root,
                   std::vector<scenario::Variable>& variables);
scenario::DefaultExperiment read_default_experiment(const XmlReader& reader, pugi::xml_node root);

} // namespace rubato::unit
