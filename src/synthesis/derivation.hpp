// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/synthesis/recipe.hpp>

namespace rubato::synthesis {

struct Derivation {
    Orchestration orchestration;
    std::vector<std::vector<Loop>> step_loops; ///< by configuration
};

/// What `orchestrate` does, but whether units can roll back is not asked.
Derivation derive(const scenario::System& system, const scenario::AlgorithmSettings& settings,
                  Diagnostics& diagnostics);

/// "a, b"
std::string names_of(const scenario::System& system, std::span<const UnitId> units);
/// "a.x, b.y"
std::string names_of(const scenario::System& system, std::span<const PortId> ports);

/// Reports units that cannot roll back though they must: why they must, and what would do instead.
void require_roll_back(const scenario::System& system, const scenario::AlgorithmSettings& settings,
                       const Derivation& derivation, Diagnostics& diagnostics);

} // namespace rubato::synthesis
