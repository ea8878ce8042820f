// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "operation_graph.hpp"
#include "reduction.hpp"

#include <rubato/algorithm/algorithm.hpp>

namespace rubato::synthesis {

struct Derived {
    algorithm::Body body;
    std::vector<Loop> loops;
};

/// The operations in an order that keeps every edge; strongly connected components become loops:
///
///   with bound steps      negotiation; what is still cyclic without the binding edges becomes a
///                         fixed-point loop over the whole component within it
///   with steps            fixed point, with roll-back of the units that it steps
///   without               fixed point over values of one instant; nothing is saved
///
/// Units are saved once, before the outermost loop that rolls them back. Operations that become
/// ready together stand together, steps before gets before sets, by unit. Updates come last.
Derived derive_procedure(const OperationGraph& operations, const Opening& opening,
                         const algorithm::Convergence& until);

} // namespace rubato::synthesis
