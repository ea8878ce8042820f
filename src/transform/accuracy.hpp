// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/transform/transform.hpp>

namespace rubato::transform {

/// A tolerance becomes a unit that gives the communication step (Gomes 2016, section 3.1).
extern const Transformation accuracy_transformation;

} // namespace rubato::transform
