// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_set>

namespace rubato::scenario {

bool is_gauss_seidel(Recipe recipe) {
    return recipe == Recipe::gauss_seidel || recipe == Recipe::iterated_gauss_seidel ||
           recipe == Recipe::adaptive_gauss_seidel || recipe == Recipe::waveform_gauss_seidel;
}

bool is_waveform(Recipe recipe) {
    return recipe == Recipe::waveform_jacobi || recipe == Recipe::waveform_gauss_seidel;
}

namespace {

bool may_iterate(Recipe recipe) {
    return recipe == Recipe::synthesized || recipe == Recipe::iterated_jacobi ||
           recipe == Recipe::iterated_gauss_seidel || is_waveform(recipe);
}

/// Whether steps can be counted, and each of them moves the time.
bool advances_clock(const Experiment& experiment, Diagnostics& diagnostics) {
    constexpr double most_steps = 9007199254740992.0; // 2^53: a double counts no further
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    constexpr double least_units = 16; // in the last place of the time; the grid needs a few
    const double span = experiment.stop - experiment.start;
    if (span / experiment.step > most_steps) {
        diagnostics.error(experiment.where,
                          format("experiment.step is {}: it takes more than 2^53 steps to get from "
                                 "{} to {}",
                                 shortest(experiment.step), shortest(experiment.start),
                                 shortest(experiment.stop)),
                          "choose a longer step or an earlier stop");
        return false;
    }
    const double latest = std::max(std::abs(experiment.start), std::abs(experiment.stop));
    if (experiment.step >= least_units * epsilon * latest) return true;
    diagnostics.error(experiment.where,
                      format("experiment.step is {}: it does not advance the clock at t = {} s, "
                             "where times are {:.2g} s apart",
                             shortest(experiment.step), shortest(latest), epsilon * latest),
                      "choose a longer step, or let the time start at 0");
    return false;
}

void check_span(const Experiment& experiment, Diagnostics& diagnostics) {
    const double span = experiment.stop - experiment.start;
    if (!(span >= 0) || !std::isfinite(span)) {
        diagnostics.error(experiment.where,
                          format("experiment.stop is {}, experiment.start is {}",
                                 shortest(experiment.stop), shortest(experiment.start)),
                          "stop must not lie before start");
        return;
    }
    if (span == 0) return; // the system is initialized, and no step made
    if (experiment.step > span) {
        diagnostics.error(experiment.where,
                          format("experiment.step is {}, longer than the experiment, which lasts "
                                 "{}",
                                 shortest(experiment.step), shortest(span)),
                          "choose a shorter step or a later stop");
        return;
    }
    if (!(experiment.step > 0)) return; // reported already
    if (!advances_clock(experiment, diagnostics)) return;
    if (!experiment.step_output.empty()) return;
    const double steps = span / experiment.step;
    if (std::abs(steps - std::round(steps)) <= 1e-9 * steps) return;
    diagnostics.warning(experiment.where,
                        format("the experiment lasts {}, which is not a whole number of steps of "
                               "{}: the last step is shorter",
                               shortest(span), shortest(experiment.step)));
}

void check_minimum_step(const Experiment& experiment, Diagnostics& diagnostics) {
    if (!experiment.minimum_step) return;
    const double minimum = *experiment.minimum_step;
    if (!(minimum > 0)) {
        diagnostics.error(
            experiment.where,
            format("experiment.minimum-step is {}: it must be positive", shortest(minimum)));
    } else if (minimum > experiment.step) {
        diagnostics.error(experiment.where,
                          format("experiment.minimum-step is {}, longer than experiment.step, "
                                 "which is {}",
                                 shortest(minimum), shortest(experiment.step)),
                          "give a shorter one, or leave it out");
    }
}

void check_at_least(int least, int value, std::string_view name, const Location& where,
                    Diagnostics& diagnostics) {
    if (value >= least) return;
    diagnostics.error(where, format("{} is {}: it must be at least {}", name, value, least));
}

void check_not_negative(double value, std::string_view name, const Location& where,
                        Diagnostics& diagnostics) {
    if (value >= 0 && std::isfinite(value)) return;
    diagnostics.error(where, format("{} is {}: it must not be negative", name, shortest(value)));
}

void check_order(Resolver& resolver) {
    const AlgorithmSettings& settings = resolver.scenario.algorithm;
    if (settings.order.empty()) return;
    if (!is_gauss_seidel(settings.recipe)) {
        resolver.diagnostics.warning(
            settings.where,
            format("algorithm.order is ignored: {} knows no order", to_string(settings.recipe)),
            "remove it, or use gauss-seidel");
    }
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : settings.order) {
        if (!resolver.find_unit(name)) {
            resolver.report_unknown_unit(settings.where, name);
        } else if (!seen.insert(name).second) {
            resolver.diagnostics.error(settings.where,
                                       format("algorithm.order names unit \"{}\" twice", name));
        }
    }
    for (const Unit& unit : resolver.scenario.units) {
        if (seen.contains(unit.name)) continue;
        resolver.diagnostics.error(settings.where,
                                   format("algorithm.order lacks unit \"{}\"", unit.name),
                                   "name every unit once, or leave the order out");
    }
}

void check_positive(std::optional<double> value, std::string_view name, const Location& where,
                    Diagnostics& diagnostics) {
    if (!value || (*value > 0 && std::isfinite(*value))) return;
    diagnostics.error(where, format("{} is {}: it must be positive", name, shortest(*value)));
}

void check_solver(const Unit& unit, Diagnostics& diagnostics) {
    const SolverSettings& solver = *unit.solver;
    const auto check = [&](const char* key, std::optional<double> value) {
        check_positive(value, format("units.{}.solver.{}", unit.name, key), solver.where,
                       diagnostics);
    };
    check("tolerance", solver.tolerance);
    check("max-step", solver.max_step);
    check("step", solver.step);
}

bool is_fmu(const Unit& unit) { return std::holds_alternative<FmuFile>(unit.origin); }

void check_isolation(const Unit& unit, Diagnostics& diagnostics) {
    const IsolationSettings& settings = *unit.isolate;
    if (!is_fmu(unit) && !std::holds_alternative<NestedScenario>(unit.origin))
        diagnostics.error(settings.where,
                          format("unit \"{}\" is isolated, but is no FMU", unit.name),
                          "remove isolate: only FMUs run in a process of their own");
    check_not_negative(settings.time_limit, format("units.{}.isolate.time-limit", unit.name),
                       settings.where, diagnostics);
}

void check_logging(const Unit& unit, Diagnostics& diagnostics) {
    const LoggingSettings& settings = *unit.logging;
    if (!is_fmu(unit))
        diagnostics.error(settings.where,
                          format("unit \"{}\" has logging, but is no FMU", unit.name),
                          "remove logging: it sets what an FMU logs");
    check_at_least(0, settings.limit, format("units.{}.logging.limit", unit.name), settings.where,
                   diagnostics);
}

} // namespace

void check_interfaces(Resolver& resolver) {
    for (std::size_t u = 0; u < resolver.scenario.units.size(); ++u) {
        const Unit& unit = resolver.scenario.units[u];
        if (unit.type && !is_fmu(unit)) {
            resolver.diagnostics.error(unit.where,
                                       format("unit \"{}\" has a type, but is no FMU", unit.name),
                                       "remove type: it chooses between the interfaces of an FMU");
        }
        if (unit.isolate) check_isolation(unit, resolver.diagnostics);
        if (unit.logging) check_logging(unit, resolver.diagnostics);
        if (unit.sub_steps)
            check_at_least(1, *unit.sub_steps, format("units.{}.sub-steps", unit.name), unit.where,
                           resolver.diagnostics);
        if (!unit.solver) continue;
        if (resolver.descriptions[u].interface != Interface::model_exchange) {
            resolver.diagnostics.error(
                unit.solver->where,
                format("unit \"{}\" has a solver, but solves its equations itself", unit.name),
                is_fmu(unit) ? "remove solver, or choose model exchange by type: me"
                             : "remove solver");
        }
        check_solver(unit, resolver.diagnostics);
    }
}

void check_experiment(const Scenario& scenario, bool is_nested, Diagnostics& diagnostics) {
    const Experiment& experiment = scenario.experiment;
    if (!(experiment.step > 0)) {
        diagnostics.error(experiment.where, format("experiment.step is {}: it must be positive",
                                                   shortest(experiment.step)));
    }
    if (!is_nested)
        check_span(experiment, diagnostics);
    else if (experiment.step > 0) // the whole says how long it lasts
        (void)advances_clock(experiment, diagnostics);
    check_minimum_step(experiment, diagnostics);
    const bool has_output = !experiment.step_output.empty();
    if (experiment.after_partial_step == AfterPartialStep::proceed &&
        (has_output || scenario.step_control.controller != StepController::fixed))
        diagnostics.warning(experiment.where,
                            format("experiment.after-partial-step is ignored: {} chooses each step",
                                   has_output ? std::string_view(experiment.step_output)
                                              : to_string(scenario.step_control.controller)),
                            has_output ? "remove it" : "remove it, or use step-control: fixed");
    if (experiment.tolerance && !(*experiment.tolerance > 0)) {
        diagnostics.error(experiment.where,
                          format("experiment.tolerance is {}: it must be positive",
                                 shortest(*experiment.tolerance)));
    }
}

void check_algorithm(Resolver& resolver) {
    const AlgorithmSettings& settings = resolver.scenario.algorithm;
    Diagnostics& diagnostics = resolver.diagnostics;
    check_order(resolver);
    check_order_control(resolver);
    if (settings.iterations) {
        check_at_least(1, *settings.iterations, "algorithm.iterations", settings.where,
                       diagnostics);
        if (!may_iterate(settings.recipe)) {
            diagnostics.warning(
                settings.where,
                format("algorithm.iterations is ignored: {} does not iterate",
                       to_string(settings.recipe)),
                format("remove it, or use {}",
                       to_string(is_gauss_seidel(settings.recipe) ? Recipe::iterated_gauss_seidel
                                                                  : Recipe::iterated_jacobi)));
        }
    }
    check_at_least(1, settings.iteration_limit, "algorithm.iteration-limit", settings.where,
                   diagnostics);
    check_at_least(1, settings.threads, "algorithm.threads", settings.where, diagnostics);
    check_not_negative(settings.absolute_tolerance, "algorithm.absolute-tolerance", settings.where,
                       diagnostics);
    check_not_negative(settings.relative_tolerance, "algorithm.relative-tolerance", settings.where,
                       diagnostics);
}

void check_loops(const Scenario& scenario, Diagnostics& diagnostics) {
    const LoopSettings& loops = scenario.loops;
    if (!(loops.relaxation > 0 && loops.relaxation < 2)) {
        diagnostics.error(loops.where, format("loops.relaxation is {}", shortest(loops.relaxation)),
                          "it must lie between 0 and 2: 1 goes all the way, less damps");
    }
    check_at_least(0, loops.reuse, "loops.reuse", loops.where, diagnostics);
}

} // namespace rubato::scenario
