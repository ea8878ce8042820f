// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree_values.hpp"
#include "yaml_text.hpp"

#include <rubato/scenario/scenario.hpp>

/// Where units come from, in YAML. A new kind is a row of the table of keys, a function that reads
/// it and one that writes it.
namespace rubato::scenario::formats {

/// `entry` is that of the unit. A unit that names its ports may have no origin: it is only
/// declared.
void update_origin(Reporter& reporter, MapReader& map, const Entry& entry, Unit& unit);

void write_origin(Lines& lines, const UnitOrigin& origin, Detail detail);

} // namespace rubato::scenario::formats
