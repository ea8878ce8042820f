// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/transform/transform.hpp>

namespace rubato::transform {

/// Units that must be solved for together become one composite, whose own algorithm solves its loop.
extern const Transformation loop_transformation;

} // namespace rubato::transform
