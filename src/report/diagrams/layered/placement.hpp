// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layers.hpp"

namespace rubato::report::layered {

/// Shifts the vertices of each row, in their order and at their distances, towards those they are
/// wired to: long wires become straight first. The leftmost border is then at 0.
void place(Layers& layers);

} // namespace rubato::report::layered
