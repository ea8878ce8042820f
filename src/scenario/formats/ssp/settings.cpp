// SPDX-License-Identifier: Apache-2.0
#include "formats/ssp/settings.hpp"

#include <rubato/private/format.hpp>

namespace rubato::scenario::formats::ssp {

namespace {

bool is_master(const SolverHints& hints) {
    return hints.method.starts_with("oms-ma") || hints.method == "fixed-step";
}

bool is_solver(const SolverHints& hints) {
    return hints.method == "cvode" || hints.method == "euler" || hints.method == "explicit-euler";
}

bool is_own_step(const SolverHints& hints) { return hints.method == own_step; }

void warn_of_own_step(const SolverHints& hints, Diagnostics& diagnostics) {
    diagnostics.warning(hints.where, "the step size hint has no effect: it is for components");
}

/// OMSimulator's masters: oms-ma has equal steps, oms-mav compares what inputs were with what they
/// are after the step, oms-mav2 a step with two half steps.
void settle_master(const SolverHints& hints, Scenario& scenario) {
    Experiment& experiment = scenario.experiment;
    const auto step = hints.step ? hints.step : hints.initial_step;
    if (step && *step > 0) {
        experiment.step = *step;
        experiment.open.step = false;
    }
    if (hints.tolerance && *hints.tolerance > 0) {
        experiment.tolerance = *hints.tolerance;
        experiment.open.tolerance = false;
    }
    scenario.algorithm.recipe = Recipe::jacobi;
    scenario.algorithm.where = hints.where;
    if (hints.method != "oms-mav" && hints.method != "oms-mav2") return;
    StepControlSettings& control = scenario.step_control;
    control.controller =
        hints.method == "oms-mav" ? StepController::predictor : StepController::richardson;
    if (hints.tolerance && *hints.tolerance > 0) control.tolerance = *hints.tolerance;
    control.minimum = hints.minimum_step;
    control.maximum = hints.maximum_step;
    control.at_minimum = AtMinimum::accept; // as OMSimulator does
    control.where = hints.where;
}

} // namespace

void settle_algorithm(const Element& system, Scenario& scenario, Diagnostics& diagnostics) {
    for (const SolverHints& hints : system.hints) {
        if (is_master(hints))
            settle_master(hints, scenario);
        else if (is_own_step(hints))
            warn_of_own_step(hints, diagnostics);
        else if (!is_solver(hints))
            diagnostics.warning(hints.where, format("the solver \"{}\" of OMSimulator has no "
                                                    "counterpart",
                                                    hints.method));
        else if (!system.links.empty())
            diagnostics.note(hints.where,
                             format("system \"{}\" has one solver for all of its equations in "
                                    "OMSimulator; here each FMU has its own, and they exchange "
                                    "values at communication points",
                                    system.name));
    }
}

void settle_experiment(const Structure& structure, Scenario& scenario, Diagnostics& diagnostics) {
    Experiment& experiment = scenario.experiment;
    if (structure.start) experiment.start = *structure.start;
    if (structure.stop) experiment.stop = *structure.stop;
    experiment.open.start = !structure.start;
    experiment.open.stop = !structure.stop;
    for (const SolverHints& hints : structure.hints) {
        if (is_master(hints))
            settle_master(hints, scenario);
        else if (is_own_step(hints))
            warn_of_own_step(hints, diagnostics);
        else
            diagnostics.warning(hints.where,
                                format("the solver \"{}\" has no counterpart", hints.method));
    }
    for (Unit& unit : scenario.units) // they make the steps of all
        if (!experiment.open.step && unit.step == experiment.step) unit.step.reset();
}

void settle_own_step(const Element& component, Unit& unit, Diagnostics& diagnostics) {
    for (const SolverHints& hints : component.hints) {
        if (!is_own_step(hints) || !hints.step) continue;
        unit.step = hints.step;
        if (*hints.step > 0) continue;
        diagnostics.error(hints.where,
                          format("the step size hint of \"{}\" must be positive", component.name));
    }
}

void settle_solver(const Element& component, Unit& unit) {
    const UnitDescription* const description = component.description;
    if (!description || description->interface != Interface::model_exchange) return;
    // From the outside in: what is nearer goes before.
    std::vector<const Element*> around;
    for (const Element* each = &component; each; each = each->parent)
        around.insert(around.begin(), each);
    for (const Element* each : around) {
        for (const SolverHints& hints : each->hints) {
            if (!is_solver(hints)) continue;
            SolverSettings solver;
            solver.where = hints.where;
            solver.method = hints.method == "cvode" ? SolverMethod::cvode : SolverMethod::euler;
            if (solver.method == SolverMethod::cvode) {
                solver.tolerance = hints.tolerance;
                solver.max_step = hints.maximum_step;
            } else {
                solver.step = hints.step;
            }
            unit.solver = solver;
        }
    }
}

} // namespace rubato::scenario::formats::ssp
