// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "nested/levels.hpp"
#include "support/run_scenario.hpp"

#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/transform.hpp>
#include <rubato/scenario/overrides.hpp>
#include <rubato/scenario/yaml.hpp>

#include <string>
#include <vector>

namespace rubato::test {

/// Scenarios before and after a transformation, with all native models and `mix`.
class Transformer {
public:
    Transformer() {
        static const model::ModelType mix = model::make_model_type<Mix>("mix");
        pipeline::add_native_models(library_);
        library_.add(mix);
    }

    scenario::Scenario parse(const std::string& text,
                             const std::vector<scenario::Override>& overrides = {}) {
        Diagnostics diagnostics;
        scenario::Scenario scenario = pipeline::parse(text, "test.yaml", diagnostics);
        scenario::apply(overrides, scenario, diagnostics);
        diagnostics.throw_if_errors();
        return scenario;
    }

    pipeline::Transformed transform(const scenario::Scenario& scenario,
                                    std::vector<transform::Concern> concerns = {
                                        transform::Concern::causality, transform::Concern::loops,
                                        transform::Concern::communication}) {
        Diagnostics diagnostics;
        auto result = pipeline::transform_scenario(scenario, library_, concerns, diagnostics);
        diagnostics.throw_if_errors();
        return std::move(*result);
    }

    /// What is wrong with a scenario that is not transformed.
    std::string refusal(const std::string& text) {
        Diagnostics diagnostics;
        const scenario::Scenario scenario = pipeline::parse(text, "test.yaml", diagnostics);
        if (!diagnostics.has_errors())
            (void)pipeline::transform_scenario(scenario, library_,
                                               std::vector{transform::Concern::causality,
                                                           transform::Concern::loops,
                                                           transform::Concern::communication},
                                               diagnostics);
        return diagnostics.has_errors() ? InputError(diagnostics.all()).what() : "";
    }

    /// The scenario as its file says: written, and read again.
    scenario::Scenario rewritten(const pipeline::Transformed& transformed) {
        return parse(pipeline::transformed_yaml(transformed, "test.yaml", {}));
    }

    /// Names without the composites that units are in.
    Trajectories run(const scenario::Scenario& scenario) {
        Diagnostics diagnostics;
        const pipeline::Assembly assembly = pipeline::assemble(scenario, library_, diagnostics);
        diagnostics.throw_if_errors();
        engine::Simulation simulation = pipeline::build(assembly, library_, silent_log());
        TrajectoryRecorder recorder;
        (void)simulation.run({.recorder = &recorder});
        Trajectories plain;
        for (auto& [name, values] : recorder.trajectories)
            plain[name.substr(name.rfind('/') == std::string::npos ? 0 : name.rfind('/') + 1)] =
                std::move(values);
        return plain;
    }

    unit::Library& library() { return library_; }

private:
    unit::Library library_{silent_log()};
};

} // namespace rubato::test
