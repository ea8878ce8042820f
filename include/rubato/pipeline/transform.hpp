// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/transform/transform.hpp>
#include <rubato/unit/library.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// What was done about one concern.
struct TransformStage {
    const transform::Transformation* transformation = nullptr;
    bool is_present = false; ///< false: there was nothing to do
    std::vector<std::string> explanation;
};

/// A scenario that was transformed.
struct Transformed {
    scenario::Scenario scenario;
    std::vector<TransformStage> stages; ///< in their order
    transform::Size before, after;
};

/// Transforms a scenario, one concern after the other, in the order of `transform::transformations`.
/// Precondition and postcondition of each are checked. `concerns` are those to deal with. Without any of
/// them in the scenario it comes back as it is. Problems go to `diagnostics`; with errors among them
/// the result is nullopt.
std::optional<Transformed> transform_scenario(const scenario::Scenario& scenario,
                                              unit::Library& library,
                                              std::span<const transform::Concern> concerns,
                                              Diagnostics& diagnostics);

/// A scenario as YAML, for a file in `folder`: relative paths lead from there to the same files.
std::string yaml_for_folder(const scenario::Scenario& scenario,
                            const std::filesystem::path& folder);

/// The same for a scenario that was transformed; `source` is named in a comment.
std::string transformed_yaml(const Transformed& transformed, const std::filesystem::path& source,
                             const std::filesystem::path& folder);

/// How the constraints of a scenario answer their multipliers: runs of one step and of half a step.
/// Throws Error where a unit fails.
transform::Sensitivity measure_constraints(const scenario::Scenario& scenario,
                                           unit::Library& library);

/// The scenario with its constraints as units, for a run; without constraints as it is.
scenario::Scenario with_constraints_as_units(const scenario::Scenario& scenario,
                                             unit::Library& library, Diagnostics& diagnostics);

} // namespace rubato::pipeline
