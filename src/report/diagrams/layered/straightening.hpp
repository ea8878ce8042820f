// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layers.hpp"

namespace rubato::report::layered {

/// Where `vertex`, one end of the span, would have to be for the span to be vertical.
double upright_place(const Layers& layers, const Span& span, Index vertex);

/// How much it matters that a span is vertical: bends in a row of bends make a wire crooked.
double weight_of(const Layers& layers, const Span& span);

/// Makes wires straight where their neighbours leave room: bends move together, boxes to where one
/// of their wires is vertical and the others, taken together, get no more slanted.
void straighten(Layers& layers);

} // namespace rubato::report::layered
