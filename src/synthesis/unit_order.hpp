// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/id.hpp>
#include <rubato/scenario/system.hpp>

#include <vector>

namespace rubato::synthesis {

/// An order for Gauss-Seidel, from the couplings: sources before those they feed. Within a cycle of
/// units, the order with the least to guess: contracts declared in the scenario count most, then
/// outputs propagated before inputs that feed through to them, then inputs that must wait. Exact
/// for cycles of up to eight units; beyond, the heuristic of Eades, Lin and Smyth (1993). Ties go
/// to the order of the scenario.
std::vector<UnitId> derive_order(const scenario::System& system);

} // namespace rubato::synthesis
