// SPDX-License-Identifier: Apache-2.0
#include "accuracy.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <utility>

namespace rubato::transform {

namespace {

using scenario::Scenario;
using scenario::StepController;
using scenario::StepSizeUnit;
using scenario::System;
using scenario::Unit;

constexpr std::string_view step_output = "H";

bool is_followed(const System& system, const scenario::Link& link) {
    return system.port(link.from).is_continuous &&
           storage_of(system.port(link.to).type) == Storage::real;
}

bool has_array(const System& system) {
    return std::ranges::any_of(system.links, [&](const scenario::Link& link) {
        return is_followed(system, link) && system.port(link.from).part.count > 1;
    });
}

/// "step-size", or a name that no unit has.
std::string free_name(std::string name, const Scenario& scenario) {
    while (std::ranges::find(scenario.units, name, &Unit::name) != scenario.units.end())
        name += "-2";
    return name;
}

scenario::Connection connection(const std::string& from, const std::string& unit,
                                const std::string& input) {
    const auto source = scenario::split_port_name(from);
    scenario::Connection result;
    result.from_unit = source->unit;
    result.from_port = source->port;
    result.to_unit = unit;
    result.to_port = input;
    return result;
}

/// Makes the unit that gives the step.
class Steering {
public:
    explicit Steering(const Subject& subject)
        : before_(subject.scenario), system_(subject.orchestration.system),
          after_(subject.scenario), name_(free_name("step-size", before_)) {
        settings_.first = before_.experiment.step;
        settings_.control = before_.step_control;
    }

    Rewritten result() {
        follow_inputs();
        Unit unit;
        unit.name = name_;
        unit.where = before_.step_control.where;
        unit.remark.text =
            format("gives the communication step: {} with the tolerance {}.",
                   to_string(settings_.control.controller), shortest(settings_.control.tolerance));
        unit.origin = settings_;
        add(std::move(unit));
        after_.step_control = {};
        after_.experiment.step_output = format("{}.{}", name_, step_output);
        after_.experiment.open.step = false;
        explain();
        return {std::move(after_), std::move(explanation_)};
    }

private:
    void add(Unit unit) {
        if (!after_.algorithm.order.empty()) after_.algorithm.order.push_back(unit.name);
        after_.units.push_back(std::move(unit));
    }

    /// What inputs were continued to is compared with what they turn out to be.
    void follow_inputs() {
        for (const scenario::Link& link : system_.links) {
            if (!is_followed(system_, link)) continue;
            const scenario::Port& to = system_.port(link.to);
            const bool knows_end = to.reactivity == scenario::Reactivity::reactive;
            const std::string input = system_.name_of(link.to);
            settings_.inputs.push_back({.name = input,
                                        .approximation = to.approximation,
                                        .mode = knows_end
                                                    ? scenario::ApproximationMode::interpolate
                                                    : scenario::ApproximationMode::extrapolate,
                                        .join = to.join,
                                        .nominal = system_.port(link.from).nominal});
            after_.connections.push_back(connection(system_.name_of(link.from), name_, input));
        }
        if (settings_.control.controller != StepController::energy) return;
        for (const scenario::Bond& bond : system_.bonds)
            settings_.bonds.push_back({.name = bond.name,
                                       .effort = system_.name_of(bond.parts[0].effort.to),
                                       .flow = system_.name_of(bond.parts[0].flow.to),
                                       .factor = bond.parts[0].factor});
    }

    void explain() {
        explanation_.push_back(format("{}: follows {} values and gives the communication step; "
                                      "first step {} s, tolerance {}",
                                      name_, settings_.inputs.size(), shortest(settings_.first),
                                      shortest(settings_.control.tolerance)));
        if (std::ranges::all_of(system_.units, &scenario::SystemUnit::can_roll_back))
            explanation_.push_back("a step that misses the tolerance makes the next one shorter; "
                                   "it is not repeated, as it was before");
    }

    const Scenario& before_;
    const System& system_;
    Scenario after_;
    const std::string name_;
    StepSizeUnit settings_;
    std::vector<std::string> explanation_;
};

bool accuracy_applies(const Subject& subject) {
    return subject.scenario.step_control.controller != StepController::fixed;
}

void check_before_accuracy(const Subject& subject, Diagnostics& diagnostics) {
    const Scenario& scenario = subject.scenario;
    const System& system = subject.orchestration.system;
    const auto refuse = [&](const std::string& reason, const std::string& hint) {
        diagnostics.error(scenario.step_control.where,
                          "step control cannot become a unit: " + reason,
                          hint + "; or keep it: --only causality,loops,communication");
    };
    const StepController controller = scenario.step_control.controller;
    if (controller == StepController::divergence)
        refuse("divergence compares iterations, which no output shows", "use predictor or energy");
    if (controller == StepController::richardson)
        refuse("richardson makes each step twice from the same state, and a copy of the scenario "
               "would not stay in the state of the scenario",
               "use predictor or energy");
    if (has_events(system))
        refuse("there are events, at which values jump", "remove what makes events");
    if (!scenario.configurations.empty() || !system.configurations.empty())
        refuse("there are configurations", "use an algorithm with one order of the units");
    if (scenario.written) refuse("the algorithm is written by hand", "use a recipe");
    if (!scenario.machines.empty())
        refuse("machines exchange values with a fixed step", "remove machines or step-control");
    if (!scenario.constraints.empty())
        refuse("constraints need steps of one length", "remove step-control");
    if (has_array(system))
        refuse("an array is connected as a whole", "connect its elements singly");
    const bool has_large_bonds = std::ranges::any_of(
        system.bonds, [](const scenario::Bond& bond) { return bond.parts.size() != 1; });
    if (controller == StepController::energy && has_large_bonds)
        refuse("a bond connects arrays", "use predictor");
}

Rewritten rewrite_accuracy(const Subject& subject, Diagnostics&) {
    return Steering(subject).result();
}

void check_after_accuracy(const Subject& subject, Diagnostics& diagnostics) {
    const System& system = subject.orchestration.system;
    const auto fail = [&](const std::string& message) {
        diagnostics.error(subject.scenario.experiment.where, message,
                          "this is a defect of Rubato: please report it");
    };
    if (subject.scenario.step_control.controller != StepController::fixed)
        fail("step control is still adaptive");
    if (!system.step_output) return fail("no output gives the communication step");
    for (const PortId input : system.unit(system.port(*system.step_output).unit).inputs)
        if (std::ranges::find(system.links, input, &scenario::Link::to) == system.links.end())
            fail(format("{} has no source", system.name_of(input)));
}

} // namespace

const Transformation accuracy_transformation = {
    .concern = Concern::accuracy,
    .precondition = "exchanged values show the error of a step; nothing jumps at events",
    .postcondition = "an output gives the communication step; step control is fixed",
    .applies = accuracy_applies,
    .check_before = check_before_accuracy,
    .rewrite = rewrite_accuracy,
    .check_after = check_after_accuracy,
};

} // namespace rubato::transform
