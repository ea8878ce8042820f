// SPDX-License-Identifier: Apache-2.0
#include "tune/candidates.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <set>

namespace rubato::pipeline {

using scenario::Approximation;
using scenario::LoopMethod;
using scenario::Recipe;
using scenario::StepController;

namespace {

bool is_iterated(Recipe recipe) {
    return recipe == Recipe::iterated_jacobi || recipe == Recipe::iterated_gauss_seidel ||
           scenario::is_waveform(recipe);
}

/// A unit that takes no derivatives of inputs gets polynomials by its sub-steps.
unsigned order_of_all(const Assembly& assembly, const std::set<UnitId>& units) {
    unsigned order = 2;
    for (const UnitId unit : units) {
        const unsigned own = assembly.descriptions[unit.value].capabilities.input_derivatives;
        order = std::min(order, own);
    }
    return order;
}

} // namespace

std::string to_string(const TuneCandidate& candidate) {
    if (candidate.is_given) return "as given";
    std::string text(to_string(candidate.recipe));
    if (candidate.reversed) text += ", reversed order";
    if (candidate.iterations) text += format(", {} iterations", *candidate.iterations);
    if (is_iterated(candidate.recipe) && candidate.loops != LoopMethod::automatic)
        text += format(", {} loops", to_string(candidate.loops));
    text += format(", {} inputs", to_string(candidate.approximation));
    if (candidate.sub_steps > 1) text += format(", {} sub-steps", candidate.sub_steps);
    if (candidate.controller == StepController::fixed)
        return text + format(", steps of {:.4g} s", candidate.size);
    return text +
           format(", {} with tolerance {:.3g}", to_string(candidate.controller), candidate.size);
}

double TunedSystem::longest_step() const { return (stop - start) / 20; }

TunedSystem tuned_system(const Assembly& assembly) {
    const scenario::System& system = assembly.orchestration.system;
    TunedSystem result;
    std::set<UnitId> fed;
    for (const scenario::Link& link : system.links) {
        const scenario::Port& to = system.port(link.to);
        if (!to.is_continuous || storage_of(to.type) != Storage::real) continue;
        // Multipliers of constraints are constant over a step.
        const scenario::Unit& source = assembly.scenario.units[system.port(link.from).unit.value];
        if (std::holds_alternative<scenario::Links>(source.origin)) continue;
        const auto& variable = assembly.descriptions[to.unit.value].variables[to.variable];
        const std::string name = system.unit(to.unit).name + "." + variable.name;
        if (std::ranges::find(result.inputs, name) == result.inputs.end())
            result.inputs.push_back(name);
        fed.insert(to.unit);
    }
    result.highest_order = order_of_all(assembly, fed);
    result.can_roll_back = std::ranges::all_of(system.units, &scenario::SystemUnit::can_roll_back);
    result.has_bonds = !system.bonds.empty();
    result.units = system.units.size();
    result.recipe = assembly.scenario.algorithm.recipe;
    const scenario::Experiment& experiment = assembly.scenario.experiment;
    result.start = experiment.start;
    result.stop = experiment.stop;
    result.step = experiment.step;
    return result;
}

double expected_order(const TuneCandidate& way) {
    if (way.controller != StepController::fixed) return 1; // error over tolerance
    return 1 + static_cast<double>(way.approximation);
}

std::vector<TuneCandidate> first_ways(const TunedSystem& system, double tolerance) {
    std::vector<Recipe> recipes = {Recipe::gauss_seidel, Recipe::jacobi};
    if (system.can_roll_back) {
        recipes.push_back(Recipe::iterated_gauss_seidel);
        recipes.push_back(Recipe::iterated_jacobi);
    }
    if (std::ranges::find(recipes, system.recipe) == recipes.end())
        recipes.push_back(system.recipe);
    std::vector<StepController> controllers = {StepController::fixed};
    if (system.can_roll_back) {
        controllers.push_back(StepController::predictor);
        controllers.push_back(StepController::richardson);
        if (system.has_bonds) controllers.push_back(StepController::energy);
    }
    unsigned highest = system.highest_order;
    // If nothing is exchanged, all algorithms do the same, and nothing shows how long steps may be.
    if (system.inputs.empty()) {
        recipes = {system.recipe};
        controllers = {StepController::fixed};
        highest = 0;
    }
    const double step = std::min(system.step, system.longest_step());
    std::vector<TuneCandidate> ways;
    // What is most often the best comes first: a small budget may not reach the rest.
    for (const Recipe recipe : recipes)
        for (unsigned below = 0; below <= highest; ++below)
            for (const StepController controller : controllers)
                ways.push_back({.recipe = recipe,
                                .approximation = static_cast<Approximation>(highest - below),
                                .controller = controller,
                                .size = controller == StepController::fixed ? step : tolerance});
    return ways;
}

std::vector<TuneCandidate> variations(const TuneCandidate& good, const TunedSystem& system) {
    constexpr std::size_t few_units = 6;
    std::vector<TuneCandidate> ways;
    if (system.inputs.empty()) return ways;
    const auto add = [&](auto&& change) {
        TuneCandidate other = good;
        change(other);
        if (!(other == good)) ways.push_back(other);
    };
    if (scenario::is_gauss_seidel(good.recipe) && system.units <= few_units)
        add([](TuneCandidate& way) { way.reversed = !way.reversed; });
    for (const int count : {2, 4}) add([&](TuneCandidate& way) { way.sub_steps = count; });
    if (!is_iterated(good.recipe)) return ways;
    for (const int count : {2, 3}) add([&](TuneCandidate& way) { way.iterations = count; });
    for (const LoopMethod method : {LoopMethod::newton, LoopMethod::iqn_ils, LoopMethod::aitken})
        add([&](TuneCandidate& way) { way.loops = method; });
    return ways;
}

namespace {

void set_approximation(scenario::Scenario& scenario, const std::string& input,
                       Approximation approximation) {
    const std::size_t dot = input.find('.');
    const auto unit =
        std::ranges::find(scenario.units, input.substr(0, dot), &scenario::Unit::name);
    if (unit == scenario.units.end()) return;
    const std::string name = input.substr(dot + 1);
    auto settings = std::ranges::find(unit->inputs, name, &scenario::InputSettings::name);
    if (settings == unit->inputs.end()) {
        scenario::InputSettings added;
        added.name = name;
        settings = unit->inputs.insert(settings, added);
    }
    settings->approximation = approximation;
    settings->mode.reset();
}

void set_steps(scenario::Scenario& scenario, const TuneCandidate& candidate) {
    scenario.experiment.open.step = false;
    scenario.step_control.controller = candidate.controller;
    const double span = scenario.experiment.stop - scenario.experiment.start;
    if (candidate.controller == StepController::fixed) {
        scenario.experiment.step = candidate.size;
        return;
    }
    scenario.step_control.tolerance = candidate.size;
    if (!scenario.step_control.maximum) scenario.step_control.maximum = span / 20;
    scenario.experiment.step = std::min(scenario.experiment.step, *scenario.step_control.maximum);
}

} // namespace

scenario::Scenario with_candidate(scenario::Scenario scenario, const TuneCandidate& candidate,
                                  const std::vector<std::string>& inputs) {
    if (candidate.is_given) return scenario;
    scenario.written.reset();
    scenario::AlgorithmSettings& algorithm = scenario.algorithm;
    algorithm.recipe = candidate.recipe;
    algorithm.iterations = candidate.iterations;
    algorithm.order_estimator.reset();
    if (!scenario::is_gauss_seidel(candidate.recipe)) algorithm.order.clear();
    if (candidate.reversed) {
        algorithm.order.clear();
        for (const scenario::Unit& unit : scenario.units) algorithm.order.push_back(unit.name);
        std::ranges::reverse(algorithm.order);
    }
    if (is_iterated(candidate.recipe)) scenario.loops.method = candidate.loops;
    for (const std::string& input : inputs)
        set_approximation(scenario, input, candidate.approximation);
    if (candidate.sub_steps > 1)
        for (scenario::Unit& unit : scenario.units)
            unit.sub_steps = candidate.sub_steps * unit.sub_steps.value_or(1);
    set_steps(scenario, candidate);
    return scenario;
}

} // namespace rubato::pipeline
