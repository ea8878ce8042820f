// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layers.hpp"

namespace rubato::report::layered {

/// How often spans cross.
std::size_t count_crossings(const Layers& layers);

/// Orders the rows by the barycentres of their neighbours, down and up in turns, as long as that
/// helps; the best order that was met stays. Leaves the rows packed.
void reduce_crossings(Layers& layers);

} // namespace rubato::report::layered
