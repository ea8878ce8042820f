// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/transform/transform.hpp>

namespace rubato::transform {

/// Constraints must name real outputs and inputs that exist, and inputs that nothing else sets.
void check_ports_of_constraints(const Subject& subject, Diagnostics& diagnostics);

} // namespace rubato::transform
