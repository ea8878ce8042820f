// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "forms.hpp"
#include "support/run_scenario.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/model/declare.hpp>
#include <rubato/scenario/overrides.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rubato::test {

/// y = a u + b v
struct Mix {
    double a = 1, b = 1;
    double u = 0, v = 0, y = 0;
    static void declare(model::Declaration<Mix>& model) {
        model.parameter(&Mix::a, "a", "", "");
        model.parameter(&Mix::b, "b", "", "");
        model.input(&Mix::u, "u", "", "");
        model.input(&Mix::v, "v", "", "");
        model.output(&Mix::y, "y", "", "").fed_by(&Mix::u).fed_by(&Mix::v);
    }
    void outputs() { y = a * u + b * v; }
};

/// Makes FMUs of the native models at all levels, but for `mix`.
inline void use_at_all_levels(Form form, scenario::Scenario& scenario) {
    std::vector<scenario::Unit> mixes;
    for (scenario::Unit& unit : scenario.units) {
        if (unit.origin == scenario::UnitOrigin(scenario::NativeModel{"mix"}))
            mixes.push_back(unit);
        auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin);
        if (!nested) continue;
        scenario::Scenario inner = *nested->scenario;
        use_at_all_levels(form, inner);
        nested->scenario = std::make_shared<const scenario::Scenario>(std::move(inner));
    }
    use(form, scenario);
    for (const scenario::Unit& mix : mixes)
        std::ranges::find(scenario.units, mix.name, &scenario::Unit::name)->origin = mix.origin;
}

/// Runs the scenario that a text describes; native models are those of models/, `mix` and `others`.
inline CompletedRun run_text(
    const std::string& text, const std::vector<scenario::Override>& overrides = {},
    const std::function<void(scenario::Scenario&)>& change = [](auto&) {},
    const std::vector<const model::ModelType*>& others = {}) {
    static const model::ModelType mix = model::make_model_type<Mix>("mix");
    unit::Library library(silent_log());
    for (const model::ModelType* type : models::all()) library.add(*type);
    library.add(mix);
    for (const model::ModelType* type : others) library.add(*type);
    Diagnostics diagnostics;
    scenario::Scenario scenario = pipeline::parse(text, "levels.yaml", diagnostics);
    diagnostics.throw_if_errors();
    scenario::apply(overrides, scenario, diagnostics);
    diagnostics.throw_if_errors();
    change(scenario);
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    engine::Simulation simulation = pipeline::build(assembly, library, silent_log());
    TrajectoryRecorder recorder;
    const engine::Summary summary = simulation.run({.recorder = &recorder});
    return {std::move(recorder.trajectories), summary};
}

} // namespace rubato::test
