// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "description/model_description.hpp"
#include "description/xml.hpp"

namespace rubato::unit {

/// Reads the <fmiModelDescription> of FMI 3.0. Problems go to the reader's diagnostics.
ModelDescription read_fmi3_description(const XmlReader& reader, pugi::xml_node root);

} // namespace rubato::unit
