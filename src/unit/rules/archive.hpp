// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "description/archive.hpp"
#include "description/fmi_version.hpp"
#include "description/xml.hpp"

namespace rubato::unit {

/// The rules for what else is in the archive than the description, whose root is `root`.
void check_archive(const XmlReader& reader, FmiVersion version, pugi::xml_node root,
                   const Archive& archive);

} // namespace rubato::unit
