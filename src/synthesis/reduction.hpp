// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "operation_graph.hpp"

#include <rubato/synthesis/synthesize.hpp>

namespace rubato::synthesis {

/// Nodes of the operation graph that form a cycle, sorted.
using Component = std::vector<Graph::Node>;

/// How cycles are opened: by guessing inputs, so that their sets no longer wait for their sources.
struct Opening {
    scenario::Reduction reduction = scenario::Reduction::minimum;
    std::vector<std::size_t> place; ///< by unit, in an order to guess by; may be empty
    std::vector<bool> hinted;       ///< by port: guessed in any case; may be empty
};

/// As the options ask for it.
Opening opening_of(const scenario::System& system, const SynthesisOptions& options);

struct Guesses {
    std::vector<bool> guessed; ///< by position in the component
    bool are_fewest = true;    ///< false: fewer might do
};

/// By position in `component`: whether this set is guessed. Without the connections to guessed
/// inputs (and the edges that only bind steps together) the component has no cycle.
///
///   maximum   every reactive input of a loop that steps, every input of one that does not
///             (Jacobi-like); in what is still cyclic then, the delayed inputs too
///   minimum   as few as possible (Gauss-Seidel-like), reactive ones rather than delayed ones:
///             exact for up to 36 candidates, if that does not take too long; else by the order of
///             Eades, Lin and Smyth, improved by moves of one, and compared with a number of
///             cycles that have no input in common
///   an order  inputs whose source comes no earlier in the order
Guesses choose_guesses(const OperationGraph& operations, const Component& component,
                       const Opening& opening);

} // namespace rubato::synthesis
