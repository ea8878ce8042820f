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

/// Values of the outputs that constraints name, by these names.
using Outputs = std::map<std::string, double>;
struct Step {
    Outputs before, after;
};

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
    for (scenario::Unit& unit : one.units) unit.step.reset(); // all make the one step
    for (const Constraint& constraint : scenario.constraints)
        for (const Constraint::Level& level : constraint.levels)
            for (const std::string& output : {level.first, level.second})
                if (std::ranges::find(one.recording.variables, output) ==
                    one.recording.variables.end())
                    one.recording.variables.push_back(output);
    return one;
}

Step one_step(Scenario scenario, double step, unit::Library& library) {
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
    Step made;
    for (std::size_t c = 0; c < series.columns().size(); ++c) {
        made.before[series.columns()[c].name] = series.value(0, c);
        made.after[series.columns()[c].name] = series.value(series.times().size() - 1, c);
    }
    return made;
}

/// Of a difference that is rounding, nothing is left.
double difference(double changed, double usual) {
    constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
    const double by = changed - usual;
    return std::abs(by) <= rounding * std::max(std::abs(changed), std::abs(usual)) ? 0 : by;
}

/// Runs with one multiplier changed, against the usual run.
class Perturbed {
public:
    Perturbed(const Scenario& scenario, double step, unit::Library& library)
        : scenario_(scenario), one_(excerpt(scenario)), step_(step), library_(library),
          usual_(one_step(one_, step, library)) {}

    const Step& usual() const { return usual_; }

    Answers answers() const {
        const std::size_t count = scenario_.constraints.size();
        Answers result;
        for (const Constraint& constraint : scenario_.constraints)
            result.emplace_back(constraint.levels.size(), std::vector<double>(count, 0));
        for (std::size_t m = 0; m < count; ++m) {
            const Outputs slopes = slopes_of(scenario_.constraints[m]);
            for (std::size_t c = 0; c < count; ++c)
                for (std::size_t k = 0; k < scenario_.constraints[c].levels.size(); ++k) {
                    const Constraint::Level& level = scenario_.constraints[c].levels[k];
                    result[c][k][m] = slopes.at(level.first) - slopes.at(level.second);
                }
        }
        return result;
    }

private:
    /// Perturbations grow until an output shows them well above rounding: nobody knows whether a
    /// unit counts in millinewtons or in meganewtons.
    Outputs slopes_of(const Constraint& constraint) const {
        constexpr double first = 1e-2, factor = 1e2, largest = 1e10, clear = 1e-7;
        Outputs slopes;
        double clearest = -1;
        for (double size = first; size <= largest && clearest < clear; size *= factor) {
            Scenario pulled = one_;
            for (const Constraint::Effect& effect : constraint.by)
                shift_start(pulled, effect.input, size * effect.factor);
            Outputs changed;
            try {
                changed = one_step(std::move(pulled), step_, library_).after;
            } catch (const Error&) {
                if (clearest < 0) throw;
                break; // more than the unit can take
            }
            double clearness = 0;
            Outputs found;
            for (const auto& [name, usual] : usual_.after) {
                found[name] = difference(changed.at(name), usual) / size;
                const double scale = std::max(std::abs(changed.at(name)), std::abs(usual));
                if (scale > 0)
                    clearness = std::max(clearness, std::abs(found[name]) * size / scale);
            }
            if (!(clearness > clearest)) continue;
            clearest = clearness;
            slopes = std::move(found);
        }
        return slopes;
    }

    const Scenario& scenario_;
    Scenario one_;
    double step_;
    unit::Library& library_;
    Step usual_;
};

std::vector<std::vector<double>> differences(const Scenario& scenario, const Outputs& outputs) {
    constexpr double small = 1e-9;
    std::vector<std::vector<double>> result;
    for (const Constraint& constraint : scenario.constraints) {
        result.emplace_back();
        for (const Constraint::Level& level : constraint.levels) {
            const double first = outputs.at(level.first), second = outputs.at(level.second);
            const double scale = std::max(std::abs(first), std::abs(second));
            const double by = first - second;
            result.back().push_back(std::abs(by) <= small * scale ? 0 : by);
        }
    }
    return result;
}

} // namespace

transform::Sensitivity measure_constraints(const Scenario& scenario, unit::Library& library) {
    const double step = scenario.experiment.step;
    const Perturbed whole(scenario, step, library), half(scenario, step / 2, library);
    return {whole.answers(), half.answers(), differences(scenario, whole.usual().before)};
}

} // namespace rubato::pipeline
