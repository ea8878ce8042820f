// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "description/model_description.hpp"
#include "description/xml.hpp"

namespace rubato::unit {

/// Reads the <fmiModelDescription> of FMI 1.0. Rules that it breaks go to the reader's findings.
ModelDescription read_fmi1_description(const XmlReader& reader, pugi::xml_node root);

} // namespace rubato::unit
