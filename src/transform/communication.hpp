// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/transform/transform.hpp>

namespace rubato::transform {

/// The units of each machine become one composite with small steps of its own. What comes from other
/// machines is extrapolated between the samples, of which there is one per communication step.
extern const Transformation communication_transformation;

} // namespace rubato::transform
