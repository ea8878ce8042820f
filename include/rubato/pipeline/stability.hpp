// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/verdict.hpp>
#include <rubato/stability/stability.hpp>

#include <optional>
#include <string>
#include <vector>

/// Stability of scenarios (docs/explanation/stability.md).
namespace rubato::pipeline {

/// A map is stable if its spectral radius is at most this: rounding moves double eigenvalues by
/// that much.
inline constexpr double largest_stable_radius = 1 + 1e-6;

struct StabilitySettings {
    std::optional<double> at = {};   ///< time of the linearization [s]; none: the start
    std::optional<double> step = {}; ///< of communication from there on [s]; none: the scenario's
    stability::LinearizationSettings linearization = {};
};

/// Linearizes the map of one communication step. Loops are solved to rounding for that, and solvers
/// of model exchange to 1e-10. Throws InputError: the time is not within the experiment; Error: units
/// cannot save their states (all are named), or the run fails.
stability::Linearization linearize(const Assembly& assembly, unit::Library& library, Log& log,
                                   const StabilitySettings& settings = {});

/// What limits what has been found, a sentence each; none: nothing.
std::vector<std::string> remarks_of(const stability::Linearization& map);

/// Names of the units that cannot save their states, at all levels.
std::vector<std::string> units_without_rollback(const Assembly& assembly);

/// How long communication steps can be.
struct LargestStep {
    std::optional<double> stable;   ///< the longest that was found stable; none: no step was
    std::optional<double> unstable; ///< the shortest that was found unstable above it
    std::optional<double> radius;   ///< with the scenario's step
    std::string reason;             ///< why nothing longer, or nothing at all, was tried
};

/// Doubles or halves the step until stability changes, then bisects to a thousandth.
LargestStep find_largest_step(const Assembly& assembly, unit::Library& library, Log& log,
                              const StabilitySettings& settings);

struct RecipeStability {
    scenario::Recipe recipe = scenario::Recipe::synthesized;
    LargestStep step = {};
};

/// The same for every recipe. What cannot be derived or run has a reason.
std::vector<RecipeStability> compare_recipes(const scenario::Scenario& scenario,
                                             unit::Library& library, Log& log,
                                             const StabilitySettings& settings);

/// Why values grow in a run, where the run itself leaves that open: compares the map of a step with
/// that of an eighth of it. nullopt: it is not open, units cannot be rolled back, or the
/// linearization is not sure. Takes a few thousand steps at most.
std::optional<GrowthCause> find_growth_cause(const Assembly& assembly, const engine::Trust& trust,
                                             unit::Library& library);

} // namespace rubato::pipeline
