// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/system.hpp>
#include <rubato/synthesis/synthesize.hpp>

namespace rubato::synthesis {

/// A system whose contracts are those of a recipe, and the algorithm that keeps them.
struct Orchestration {
    scenario::System system;
    SynthesisOptions options; ///< that the algorithm was derived with
    algorithm::Algorithm algorithm;
    std::vector<UnitId> order; ///< in which Gauss-Seidel steps the units; empty for Jacobi
    /// That are chosen from where the order adapts, by configuration; the first is `order`.
    std::vector<std::vector<UnitId>> orders;
    std::vector<Loop> initial_loops, step_loops;
    std::vector<std::string> remarks; ///< what was derived or assumed, for the user
};

/// When loops end that are not of steps.
algorithm::Convergence convergence_of(const scenario::AlgorithmSettings& settings);

/// Assigns contracts to all inputs as the recipe wants them and derives the procedures. Contracts
/// that the scenario itself declares and that the recipe cannot keep are problems.
Orchestration orchestrate(const scenario::System& system,
                          const scenario::AlgorithmSettings& settings, Diagnostics& diagnostics);

} // namespace rubato::synthesis
