// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "operation_graph.hpp"

#include <rubato/algorithm/algorithm.hpp>

#include <functional>

namespace rubato::synthesis {

/// How loops are opened and when they end.
struct LoopPolicy {
    /// Whether an iteration guesses this input, rather than waiting for its source.
    std::function<bool(const Operation& set, const Operation& source)> guess;
    algorithm::Convergence until;
};

/// The operations in an order that keeps every edge; each strongly connected component becomes a
/// fixed-point loop over all values that circulate in it. Components that step units save them
/// first and restore them before each repetition; pure feed-through loops need neither. Operations
/// that become ready together stand together, steps before gets before sets, by unit.
algorithm::Body derive_procedure(const OperationGraph& operations, const LoopPolicy& policy);

} // namespace rubato::synthesis
