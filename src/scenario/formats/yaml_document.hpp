// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree.hpp"

#include <rubato/scenario/scenario.hpp>

namespace rubato::scenario::formats {

/// Updates a scenario from a document, a map without short forms: of a file, or the path to the
/// setting of an override. What a path does not name stays as it is.
void update(Reporter& reporter, const Node& document, Scenario& scenario);

/// A scenario that stands within another as the unit of that name: a map, or the path to a setting
/// of the scenario `before`.
Scenario read_inline(Reporter& reporter, const Entry& entry, const std::string& unit,
                     const Scenario* before);

} // namespace rubato::scenario::formats
