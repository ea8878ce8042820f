// SPDX-License-Identifier: Apache-2.0
#include "systems/relocate.hpp"

#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/transform.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/yaml.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace rubato::pipeline {

namespace fs = std::filesystem;

namespace {

using scenario::Scenario;
using transform::Concern;
using transform::Subject;
using transform::Transformation;

void pass_on(const Diagnostics& from, Diagnostics& to) {
    for (const Diagnostic& each : from.all())
        if (each.severity == Severity::error) to.error(each.where, each.message, each.hint);
}

/// A scenario with all that transformations want to know of it. Constraints are left out of what is
/// assembled: the units are those without them.
class Known {
public:
    Known(const Scenario& scenario, unit::Library& library, Diagnostics& diagnostics) {
        Scenario without = scenario;
        without.constraints.clear();
        without.machines.clear();
        Diagnostics own;
        assembly_ = assemble(std::move(without), library, own);
        pass_on(own, diagnostics);
        scenario_ = assembly_.scenario;
        scenario_.constraints = scenario.constraints;
        scenario_.machines = scenario.machines;
        measure_ = [this, &library] { return measure_constraints(scenario_, library); };
    }
    Known(const Known&) = delete;
    Known& operator=(const Known&) = delete;

    Subject subject() const {
        return {scenario_, assembly_.descriptions, assembly_.orchestration, measure_};
    }

private:
    Assembly assembly_;
    Scenario scenario_;
    std::function<transform::Sensitivity()> measure_;
};

/// One stage: precondition, rewriting, postcondition. False: there are errors.
bool apply_stage(const Transformation& transformation, TransformStage& stage, Scenario& scenario,
                 unit::Library& library, Diagnostics& diagnostics) {
    const Known before(scenario, library, diagnostics);
    if (diagnostics.has_errors()) return false;
    if (!transformation.applies(before.subject())) return true;
    stage.is_present = true;
    transformation.check_before(before.subject(), diagnostics);
    if (diagnostics.has_errors()) return false;
    transform::Rewritten rewritten = transformation.rewrite(before.subject(), diagnostics);
    if (diagnostics.has_errors()) return false;
    const Known after(rewritten.scenario, library, diagnostics);
    if (diagnostics.has_errors()) return false;
    transformation.check_after(after.subject(), diagnostics);
    scenario = std::move(rewritten.scenario);
    stage.explanation = std::move(rewritten.explanation);
    return !diagnostics.has_errors();
}

} // namespace

std::optional<Transformed> transform_scenario(const Scenario& scenario, unit::Library& library,
                                              std::span<const Concern> concerns,
                                              Diagnostics& diagnostics) {
    Transformed result{.scenario = scenario};
    read_nested(result.scenario, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    result.before = transform::size_of(result.scenario);
    for (const Transformation& each : transform::transformations()) {
        if (std::ranges::find(concerns, each.concern) == concerns.end()) continue;
        TransformStage stage{.transformation = &each};
        if (!apply_stage(each, stage, result.scenario, library, diagnostics)) return std::nullopt;
        result.stages.push_back(std::move(stage));
    }
    result.after = transform::size_of(result.scenario);
    return result;
}

std::string yaml_for_folder(const Scenario& scenario, const fs::path& folder) {
    return scenario::write_yaml(relocated(scenario, folder), scenario::Detail::deviations);
}

std::string transformed_yaml(const Transformed& transformed, const fs::path& source,
                             const fs::path& folder) {
    std::string done;
    for (const TransformStage& stage : transformed.stages)
        if (stage.is_present)
            done +=
                format("{}{}", done.empty() ? "" : ", ", to_string(stage.transformation->concern));
    return format("# Written by rubato transform from {}: {}.\n{}", source.filename().string(),
                  done.empty() ? "nothing was to be done" : done,
                  yaml_for_folder(transformed.scenario, folder));
}

Scenario with_constraints_as_units(const Scenario& scenario, unit::Library& library,
                                   Diagnostics& diagnostics) {
    if (scenario.constraints.empty()) return scenario;
    Scenario result = scenario;
    for (const Transformation& each : transform::transformations()) {
        if (each.concern != Concern::causality) continue;
        TransformStage stage{.transformation = &each};
        if (apply_stage(each, stage, result, library, diagnostics))
            for (const std::string& line : stage.explanation)
                diagnostics.note(scenario.constraints.front().where, line);
    }
    return result;
}

} // namespace rubato::pipeline
