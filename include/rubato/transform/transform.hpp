// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Rewrites scenarios until a trivial algorithm suffices, by artificial units and by wrapping groups
/// of units (Gomes 2016, Foundations for Continuous Time Hierarchical Co-simulation). Each concern is
/// a pure function of a scenario with a precondition and a postcondition.
namespace rubato::transform {

/// What makes a scenario need more than Jacobi, in the order in which it is dealt with: none comes
/// back in a later stage.
enum class Concern { causality, loops, accuracy, communication };
std::string_view to_string(Concern concern);
/// nullopt: there is none of that name.
std::optional<Concern> find_concern(std::string_view name);
std::vector<std::string> concern_names();

/// How constraints answer their multipliers: [constraint][level][multiplier] is by how much the
/// difference of the two outputs changes in one communication step, per multiplier that acts from its
/// start. What is 0 but for rounding is 0.
using Answers = std::vector<std::vector<std::vector<double>>>;
struct Sensitivity {
    Answers whole, half; ///< in a step, and in one of half the length
    /// [constraint][level]: by how much the two outputs differ at the start, where that is more than
    /// rounding; else 0.
    std::vector<std::vector<double>> at_start;
};

/// A scenario and what is known of it.
struct Subject {
    const scenario::Scenario& scenario;
    std::span<const scenario::UnitDescription> descriptions; ///< of its units, in their order
    const synthesis::Orchestration& orchestration;           ///< that a run of it would use
    std::function<Sensitivity()> measure;                    ///< of the constraints of the scenario
};

/// A scenario that was rewritten, and what was done, a line for each change.
struct Rewritten {
    scenario::Scenario scenario;
    std::vector<std::string> explanation;
};

/// How one concern is dealt with.
struct Transformation {
    Concern concern;
    std::string_view precondition, postcondition; ///< in words
    /// Whether there is anything to do. Where there is not, the scenario stays as it is.
    bool (*applies)(const Subject&) = nullptr;
    /// What `rewrite` needs; what is missing goes to the diagnostics.
    void (*check_before)(const Subject&, Diagnostics&) = nullptr;
    Rewritten (*rewrite)(const Subject&, Diagnostics&) = nullptr;
    /// What holds of the result.
    void (*check_after)(const Subject&, Diagnostics&) = nullptr;
};

/// All of them, in their order.
std::span<const Transformation> transformations();

/// How large a scenario is, with all scenarios within it.
struct Size {
    std::size_t units = 0;      ///< that simulate something
    std::size_t artificial = 0; ///< composites, units that keep constraints or give the step
    std::size_t connections = 0;
    std::size_t levels = 1;
};
Size size_of(const scenario::Scenario& scenario);

} // namespace rubato::transform
