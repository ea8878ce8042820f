// SPDX-License-Identifier: Apache-2.0
#include "chain.hpp"

#include <rubato/core/log.hpp>
#include <rubato/engine/reference.hpp>
#include <rubato/models.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/transform.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::studies::hierarchy {

namespace {

std::string name_of(std::size_t i) { return "o" + std::to_string(i + 1); }

double stiffness(const Chain& chain, std::size_t i) {
    return i < chain.slow ? chain.slow_stiffness : chain.fast_stiffness;
}

scenario::Approximation approximation(int order) {
    return static_cast<scenario::Approximation>(order);
}

/// x and v of all masses; each is joined to the one before by a spring and a damper.
std::vector<double> derivatives(const Chain& chain, const std::vector<double>& state) {
    const std::size_t n = state.size() / 2;
    std::vector<double> change(state.size());
    const auto force = [&](std::size_t i) { // of the coupling before i, on the mass before
        return chain.coupling * (state[i] - state[i - 1]) +
               chain.damping * (state[n + i] - state[n + i - 1]);
    };
    for (std::size_t i = 0; i < n; ++i) {
        change[i] = state[n + i];
        change[n + i] = -stiffness(chain, i) * state[i];
        if (i > 0) change[n + i] -= force(i);
        if (i + 1 < n) change[n + i] += force(i + 1);
    }
    return change;
}

} // namespace

scenario::Scenario scenario_of(const Chain& chain, const Setting& setting) {
    scenario::Scenario scenario;
    scenario.name = "chain";
    scenario.machines = {{"slow", {}, {}}, {"fast", {}, {}}};
    for (std::size_t i = 0; i < chain.slow + chain.fast; ++i) {
        scenario::Unit unit;
        unit.name = name_of(i);
        unit.origin = scenario::NativeModel{"oscillator"};
        unit.parameters = {{"c", Value(stiffness(chain, i)), {}, {}, {}}};
        if (i == chain.displaced) unit.start = {{"x", Value(1.0), {}, {}, {}}};
        if (i > 0) {
            unit.parameters.push_back({"cc", Value(chain.coupling), {}, {}, {}});
            unit.parameters.push_back({"dc", Value(chain.damping), {}, {}, {}});
            scenario.connections.push_back({name_of(i), "Fc", name_of(i - 1), "F"});
            scenario.connections.push_back({name_of(i - 1), "x", name_of(i), "xo"});
            scenario.connections.push_back({name_of(i - 1), "v", name_of(i), "vo"});
        }
        const bool is_slow = i < chain.slow;
        const auto add = [&](const char* input, bool from_other_machine) {
            if (from_other_machine) return;
            scenario::InputSettings settings;
            settings.name = input;
            settings.approximation = approximation(setting.inner_order);
            unit.inputs.push_back(std::move(settings));
        };
        if (i + 1 < chain.slow + chain.fast) add("F", i + 1 == chain.slow);
        if (i > 0) add("xo", i == chain.slow);
        if (i > 0) add("vo", i == chain.slow);
        scenario.machines[is_slow ? 0 : 1].units.push_back(unit.name);
        scenario.recording.variables.push_back(unit.name + ".x");
        scenario.units.push_back(std::move(unit));
    }
    scenario.experiment = {.start = 0, .stop = chain.stop, .step = setting.small_step};
    scenario.communication.step = setting.step;
    scenario.communication.extrapolation = approximation(setting.order);
    scenario.communication.iterate = setting.iterate;
    scenario.algorithm.recipe = scenario::Recipe::jacobi;
    scenario.algorithm.absolute_tolerance = scenario.algorithm.relative_tolerance = 1e-12;
    return scenario;
}

std::vector<double> simulated(const Chain& chain, const Setting& setting) {
    unit::Library library(silent_log());
    for (const model::ModelType* type : models::all()) library.add(*type);
    Diagnostics diagnostics;
    auto transformed =
        pipeline::transform_scenario(scenario_of(chain, setting), library,
                                     std::vector{transform::Concern::communication}, diagnostics);
    diagnostics.throw_if_errors();
    transformed->scenario.algorithm.absolute_tolerance = 1e-12;
    transformed->scenario.algorithm.relative_tolerance = 1e-12;
    const pipeline::Assembly assembly =
        pipeline::assemble(transformed->scenario, library, diagnostics);
    diagnostics.throw_if_errors();
    engine::Simulation simulation = pipeline::build(assembly, library, silent_log());
    engine::Series series;
    (void)simulation.run({.recorder = &series});
    std::vector<double> positions;
    for (std::size_t c = 0; c < series.columns().size(); ++c)
        positions.push_back(series.value(series.times().size() - 1, c));
    return positions;
}

/// Classical Runge-Kutta with steps so short that its error is that of rounding.
std::vector<double> exact(const Chain& chain) {
    constexpr double longest = 1e-4;
    const std::size_t n = chain.slow + chain.fast;
    std::vector<double> state(2 * n, 0);
    state[chain.displaced] = 1;
    const double count = std::ceil(chain.stop / longest), h = chain.stop / count;
    const auto moved = [&](const std::vector<double>& slope, double by) {
        std::vector<double> result = state;
        for (std::size_t i = 0; i < result.size(); ++i) result[i] += by * slope[i];
        return result;
    };
    for (double step = 0; step < count; ++step) {
        const auto k1 = derivatives(chain, state), k2 = derivatives(chain, moved(k1, h / 2));
        const auto k3 = derivatives(chain, moved(k2, h / 2));
        const auto k4 = derivatives(chain, moved(k3, h));
        for (std::size_t i = 0; i < state.size(); ++i)
            state[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    state.resize(n);
    return state;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

} // namespace rubato::studies::hierarchy
