// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/description.hpp>

namespace rubato::cli {

/// Whether a unit has a binary for this machine.
bool runs_here(const scenario::UnitDescription& unit);

} // namespace rubato::cli
