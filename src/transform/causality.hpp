// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/transform/transform.hpp>

namespace rubato::transform {

/// Constraints that are no assignments become artificial units, which compute the inputs by which
/// outputs are kept equal.
extern const Transformation causality_transformation;

} // namespace rubato::transform
