// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "description/fmi_version.hpp"
#include "description/fmu_archive.hpp"
#include "description/xml.hpp"

namespace rubato::unit {

/// The rules for what else is in the archive than the description, whose root is `root`.
void check_archive(const XmlReader& reader, FmiVersion version, pugi::xml_node root,
                   const FmuArchive& archive);

} // namespace rubato::unit
