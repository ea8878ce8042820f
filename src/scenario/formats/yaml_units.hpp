// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree_values.hpp"

#include <rubato/scenario/scenario.hpp>

namespace rubato::scenario::formats {

/// Updates the units from the section `units` of a document. `is_path`: the document is only the
/// path to a setting, and may lack the section.
void update_units(Reporter& reporter, MapReader& document, bool is_path, Mark where,
                  std::vector<Unit>& units);

} // namespace rubato::scenario::formats
