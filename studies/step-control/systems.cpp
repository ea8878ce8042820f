// SPDX-License-Identifier: Apache-2.0
#include "systems.hpp"

#include <rubato/models.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::studies {

std::vector<System> systems() {
    return {
        {.name = "coupled-oscillators",
         .exact = {.m1 = 1,
                   .c1 = 5,
                   .d1 = 1,
                   .m2 = 1,
                   .c2 = 0.1,
                   .cc = 1,
                   .dc = 1,
                   .initial = {.x1 = 1}},
         .masses = "msd1",
         .force = "msd2",
         .fixed_steps = {0.1, 0.03, 0.01, 0.003, 0.001, 0.0003}},
        {.name = "stiff-soft",
         .exact = {.m1 = 1,
                   .c1 = 1,
                   .d1 = 0.1,
                   .m2 = 0.01,
                   .c2 = 100,
                   .d2 = 0.2,
                   .cc = 1,
                   .dc = 0.05,
                   .initial = {.x1 = 1, .x2 = 0.1}},
         .masses = "msd1",
         .force = "msd2",
         .fixed_steps = {0.01, 0.003, 0.001, 0.0003, 0.0001}},
        {.name = "quarter-car",
         .exact = {.m1 = 30,
                   .c1 = 160e3,
                   .m2 = 300,
                   .c2 = 0,
                   .cc = 16e3,
                   .dc = 1.2e3,
                   .height = 0.05,
                   .begin = 0.5,
                   .length = 0.2},
         .masses = "wheel",
         .force = "body",
         .nominal_x1 = 0.05,
         .nominal_force = 1000,
         .fixed_steps = {0.003, 0.001, 0.0003, 0.0001, 0.00003}},
    };
}

Finished run(const System& system, const std::string& folder,
             std::vector<scenario::Override> overrides, const engine::Series* like,
             std::vector<Time> points) {
    overrides.push_back(
        {"record.variables", format("[{0}.x1, {0}.v1, {1}.Fc]", system.masses, system.force)});
    Diagnostics diagnostics;
    unit::Library library(silent_log());
    for (const model::ModelType* type : models::all()) library.add(*type);
    scenario::Scenario scenario =
        pipeline::read(folder + "/" + system.name + ".yaml", overrides, diagnostics);
    diagnostics.throw_if_errors();
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    engine::Simulation simulation =
        pipeline::build(assembly, library, silent_log(), {.points = std::move(points)});
    Finished result{.series = like ? engine::Series(*like) : engine::Series()};
    result.summary = simulation.run({.recorder = &result.series, .points = &result.points});
    return result;
}

std::vector<scenario::Override> controlled(const std::string& controller, double tolerance) {
    return {{"step-control.controller", controller},
            {"step-control.tolerance", format("{}", tolerance)}};
}

std::vector<std::vector<Expected>> expected(const System& system, const engine::Series& run) {
    std::vector<std::vector<Expected>> rows;
    for (const TwoMasses::State& state :
         system.exact.at({run.times().begin(), run.times().end()})) {
        rows.push_back({{state.x1, system.nominal_x1},
                        {state.v1, system.nominal_v1},
                        {system.exact.force(state), system.nominal_force}});
    }
    return rows;
}

double largest_error(const System& system, const engine::Series& run) {
    double largest = 0;
    const auto rows = expected(system, run);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < rows[r].size(); ++c) {
            const auto& [value, nominal] = rows[r][c];
            const double error = std::abs(run.value(r, c) - value) / (nominal + std::abs(value));
            largest = std::max(largest, error);
        }
    }
    return largest;
}

} // namespace rubato::studies
