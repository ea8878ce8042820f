// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree.hpp"

#include <rubato/scenario/scenario.hpp>

namespace rubato::scenario::formats {

/// Updates a scenario from a document, a map without short forms: of a file, or the path to the
/// setting of an override. What a path does not name stays as it is.
void update(Reporter& reporter, const Node& document, Scenario& scenario);

} // namespace rubato::scenario::formats
