// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "variables.hpp"

namespace rubato::unit {

/// The rules for start values, ranges and nominal values.
void check_start(const XmlReader& reader, const VariableNode& node, const Definitions& definitions,
                 const scenario::Variable& variable);

} // namespace rubato::unit
