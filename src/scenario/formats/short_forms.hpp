// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree.hpp"

namespace rubato::scenario::formats {

/// Turns `algorithm: jacobi` and `record: [a.x]` into the maps that they stand for.
void expand_short_forms(Node& document);

} // namespace rubato::scenario::formats
