// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/log.hpp>
#include <rubato/engine/reference.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/transform.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace rubato::pipeline {

namespace {

using scenario::Constraint;
using scenario::Scenario;
using transform::Answers;

/// What the outputs that constraints name are after one step, by their names.
using Outputs = std::map<std::string, double>;

/// Relative to the start value of an input, or to 1.
constexpr double perturbation = 1e-2;

/// Adds to the start value of an input that nothing is connected to.
void shift_start(Scenario& scenario, const std::string& input, double by) {
    const auto port = scenario::split_port_name(input);
    auto& start = std::ranges::find(scenario.units, port->unit, &scenario::Unit::name)->start;
    const auto known = std::ranges::find(start, port->port, &scenario::Assignment::variable);
    if (known == start.end()) {
        start.push_back({port->port, Value(by), {}, {}, {}});
        return;
    }
    if (const auto* const integer = std::get_if<std::int64_t>(&known->value))
        known->value = static_cast<double>(*integer) + by;
    else if (auto* const real = std::get_if<double>(&known->value))
        *real += by;
}

/// The units alone, one step long.
Scenario excerpt(const Scenario& scenario) {
    Scenario one = scenario;
    one.constraints.clear();
    one.machines.clear();
    one.step_control = {};
    one.step_limits = {};
    one.recording = {};
    one.interface.reset();
    for (const Constraint& constraint : scenario.constraints)
        for (const Constraint::Level& level : constraint.levels)
            for (const std::string& output : {level.first, level.second})
                if (std::ranges::find(one.recording.variables, output) ==
                    one.recording.variables.end())
                    one.recording.variables.push_back(output);
    return one;
}

Outputs after_one_step(Scenario scenario, double step, unit::Library& library) {
    scenario.experiment.step = step;
    scenario.experiment.stop = scenario.experiment.start + step;
    scenario.experiment.open = {};
    Diagnostics diagnostics;
    const Assembly assembly =
        assemble(std::move(scenario), library, diagnostics, Verification::skip);
    diagnostics.throw_if_errors();
    engine::Simulation simulation = build(assembly, library, silent_log());
    engine::Series series;
    (void)simulation.run({.recorder = &series});
    Outputs outputs;
    for (std::size_t c = 0; c < series.columns().size(); ++c)
        outputs[series.columns()[c].name] = series.value(series.times().size() - 1, c);
    return outputs;
}

/// Of a difference that is rounding, nothing is left.
double difference(double changed, double usual) {
    constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
    const double by = changed - usual;
    return std::abs(by) <= rounding * std::max(std::abs(changed), std::abs(usual)) ? 0 : by;
}

Answers answers(const Scenario& scenario, double step, unit::Library& library) {
    const Scenario one = excerpt(scenario);
    const Outputs usual = after_one_step(one, step, library);
    Answers result;
    for (const Constraint& constraint : scenario.constraints)
        result.emplace_back(constraint.levels.size(),
                            std::vector<double>(scenario.constraints.size(), 0));
    for (std::size_t m = 0; m < scenario.constraints.size(); ++m) {
        Scenario pulled = one;
        for (const Constraint::Effect& effect : scenario.constraints[m].by)
            shift_start(pulled, effect.input, perturbation * effect.factor);
        const Outputs changed = after_one_step(pulled, step, library);
        const auto change = [&](const std::string& output) {
            return difference(changed.at(output), usual.at(output)) / perturbation;
        };
        for (std::size_t c = 0; c < scenario.constraints.size(); ++c)
            for (std::size_t k = 0; k < scenario.constraints[c].levels.size(); ++k) {
                const Constraint::Level& level = scenario.constraints[c].levels[k];
                result[c][k][m] = change(level.first) - change(level.second);
            }
    }
    return result;
}

} // namespace

transform::Sensitivity measure_constraints(const Scenario& scenario, unit::Library& library) {
    const double step = scenario.experiment.step;
    return {answers(scenario, step, library), answers(scenario, step / 2, library)};
}

} // namespace rubato::pipeline
