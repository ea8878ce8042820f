// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "feedback.hpp"
#include "operation_graph.hpp"
#include "reduction.hpp"

namespace rubato::synthesis {

/// Operations of a component that need the same inputs, put together: a unit's step with the gets
/// that need nothing more, and gets of a unit that need the same further inputs. Inputs that can be
/// guessed are the arcs, from the block of their source to those that need them.
struct GuessBlocks {
    /// Inputs that are guessed already are left out. By position in the component: `guessed`, and
    /// `delayed`, which are guessed only where it is that or one more guess.
    GuessBlocks(const OperationGraph& operations, const Component& component,
                const std::vector<bool>& guessed, const std::vector<bool>& delayed);

    ArcGraph graph;
    std::vector<Graph::Node> inputs; ///< by arc: its position in the component
};

} // namespace rubato::synthesis
