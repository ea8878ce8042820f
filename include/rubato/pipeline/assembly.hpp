// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/verify.hpp>
#include <rubato/composite/interface.hpp>
#include <rubato/core/diagnostics.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/scenario/assumptions.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/synthesis/recipe.hpp>
#include <rubato/unit/library.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rubato::pipeline {

struct NestedAssembly;

/// A scenario understood: every unit described, every name resolved, the algorithm derived. Nothing
/// has been loaded or run yet.
struct Assembly {
    scenario::Scenario scenario;
    std::vector<scenario::UnitDescription> descriptions; ///< of the units, in their order
    synthesis::Orchestration orchestration;              ///< its system is the resolved one
    std::optional<algorithm::Verdict> verdict;           ///< absent: not verified
    /// Numbers of the experiment that the scenario left open, and what they are now.
    std::vector<scenario::DefaultedSetting> assumed;
    /// By unit: the scenario that it is; null: it is none.
    std::vector<std::shared_ptr<const NestedAssembly>> nested;
    std::string path; ///< before the names of units: "drivetrain/"; empty: this is the whole
};

/// A scenario that is a unit of another.
struct NestedAssembly {
    Assembly assembly;
    composite::Interface interface;
};

/// Whether an algorithm is checked against the contracts before it may run.
enum class Verification : std::uint8_t { perform, skip };

/// Describes, resolves, orchestrates and verifies. Problems go to `diagnostics`, all of them; with
/// errors among them the result is not to be built.
Assembly assemble(scenario::Scenario scenario, unit::Library& library, Diagnostics& diagnostics,
                  Verification verification = Verification::perform);

/// The assembly of the same scenario where the step is negotiated with a unit that has rejected
/// one. nullopt: the scenario says that the unit accepts every step, or has an algorithm of its
/// own, or a unit would have to go back that cannot.
std::optional<Assembly> with_negotiation(const Assembly& assembly,
                                         const engine::StepRejected& rejection);

struct BuildOptions {
    bool estimate_errors = false;    ///< so that the simulation can say how far to trust it
    bool stop_at_not_finite = false; ///< see engine::SimulationOptions
    /// Communication points, whatever the scenario says of steps; empty: as it says.
    std::vector<Time> points = {};
    /// That share the units; null: this process has all of them. They must outlive the simulation.
    engine::Processes* processes = nullptr;
    std::vector<std::uint32_t> placement = {}; ///< ranks, by unit, if there are several processes
    /// Puts another unit around each new one, those of scenarios within included; empty: none.
    std::function<std::unique_ptr<unit::Unit>(std::unique_ptr<unit::Unit>)> wrap = {};
};

/// Instantiates the units, sets their values and compiles. `library` must outlive the simulation.
engine::Simulation build(const Assembly& assembly, unit::Library& library, Log& log,
                         const BuildOptions& options = {});

} // namespace rubato::pipeline
