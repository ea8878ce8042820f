// SPDX-License-Identifier: Apache-2.0
#include "communication.hpp"

#include "groups.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace rubato::transform {

namespace {

using scenario::Machine;
using scenario::Recipe;
using scenario::Scenario;
using scenario::Unit;

double step_between_machines(const Scenario& scenario) {
    return scenario.communication.step.value_or(scenario.experiment.step);
}

std::vector<std::string> unit_names(const Scenario& scenario) {
    std::vector<std::string> names;
    for (const Unit& unit : scenario.units) names.push_back(unit.name);
    return names;
}

void check_machines(const Scenario& scenario, Diagnostics& diagnostics) {
    std::map<std::string, std::string> machine_of;
    const std::vector<std::string> names = unit_names(scenario);
    for (const Machine& machine : scenario.machines) {
        if (machine.units.empty())
            diagnostics.error(machine.where, format("machine \"{}\" has no units", machine.name),
                              "give it a unit, or remove it");
        if (std::ranges::find(names, machine.name) != names.end())
            diagnostics.error(machine.where,
                              format("machine \"{}\" is called as a unit is", machine.name),
                              "give it another name: it becomes a composite");
        for (const std::string& unit : machine.units) {
            if (std::ranges::find(names, unit) == names.end())
                diagnostics.error(
                    machine.where,
                    format("machine \"{}\" names \"{}\", which is no unit", machine.name, unit),
                    suggest(unit, names, "the units"));
            const auto [known, is_new] = machine_of.try_emplace(unit, machine.name);
            if (!is_new)
                diagnostics.error(machine.where,
                                  format("unit \"{}\" is on two machines, \"{}\" and \"{}\"", unit,
                                         known->second, machine.name),
                                  "let it be on one of them");
        }
    }
    for (const Unit& unit : scenario.units)
        if (!machine_of.contains(unit.name))
            diagnostics.error(unit.where, format("unit \"{}\" is on no machine", unit.name),
                              "name it in the section machines");
}

void check_steps(const Scenario& scenario, Diagnostics& diagnostics) {
    const double large = step_between_machines(scenario), small = scenario.experiment.step;
    const Location& where = scenario.communication.where;
    if (!(large > 0) || !std::isfinite(large)) {
        diagnostics.error(
            where, format("communication.step is {}: it must be positive [s]", shortest(large)));
        return;
    }
    constexpr double rounding = 1e-9;
    const double parts = large / small;
    if (parts < 1 - rounding || std::abs(parts - std::round(parts)) > rounding * parts)
        diagnostics.error(where,
                          format("communication.step is {}, which is no whole number of steps of "
                                 "experiment.step, {}",
                                 shortest(large), shortest(small)),
                          "make it a multiple: units on one machine exchange values every "
                          "experiment.step");
}

/// Loops are solved within a machine; across machines they would be exchanged every iteration.
bool is_trivial(Recipe recipe) { return recipe == Recipe::jacobi; }

std::vector<Group> groups_of(const Scenario& scenario) {
    std::vector<Group> groups;
    for (const Machine& machine : scenario.machines)
        groups.push_back(
            {machine.name,
             format("the units of machine {}: they exchange values every {} s, and with other "
                    "machines every {} s.",
                    machine.name, shortest(scenario.experiment.step),
                    shortest(step_between_machines(scenario))),
             machine.units});
    return groups;
}

bool machines_apply(const Subject& subject) { return !subject.scenario.machines.empty(); }

void check_before_machines(const Subject& subject, Diagnostics& diagnostics) {
    const Scenario& scenario = subject.scenario;
    check_machines(scenario, diagnostics);
    check_steps(scenario, diagnostics);
    if (diagnostics.has_errors()) return;
    if (!is_trivial(scenario.algorithm.recipe) && !scenario.algorithm.order.empty())
        diagnostics.error(scenario.algorithm.where,
                          "machines work at the same time: no order of their units is kept",
                          "use algorithm: jacobi");
    check_groups_can_be_formed(subject, groups_of(scenario), "to group units by machine",
                               diagnostics);
    if (!scenario.communication.iterate) return;
    for (const scenario::SystemUnit& unit : subject.orchestration.system.units)
        if (!unit.can_roll_back)
            diagnostics.error(unit.where,
                              format("communication.iterate repeats steps between machines, but "
                                     "unit \"{}\" cannot be rolled back",
                                     unit.name),
                              "use iterate: false");
}

bool can_move(const scenario::System& system, const scenario::Link& link) {
    return system.port(link.from).is_continuous && system.port(link.to).is_continuous &&
           storage_of(system.port(link.to).type) == Storage::real;
}

/// How inputs from other machines continue between their samples.
void approximate_inputs(const Subject& subject, Scenario& result) {
    const scenario::System& system = subject.orchestration.system;
    const scenario::CommunicationSettings& settings = subject.scenario.communication;
    for (const scenario::Connection& connection : result.connections) {
        const auto link = std::ranges::find_if(system.links, [&](const scenario::Link& each) {
            return system.name_of(each.to) == connection.to_port;
        });
        if (link == system.links.end() || !can_move(system, *link)) continue;
        auto& inputs = std::ranges::find(result.units, connection.to_unit, &Unit::name)->inputs;
        auto input = std::ranges::find(inputs, connection.to_port, &scenario::InputSettings::name);
        if (input == inputs.end()) {
            inputs.push_back({.name = connection.to_port});
            input = inputs.end() - 1;
        }
        if (!input->approximation) input->approximation = settings.extrapolation;
        if (settings.iterate) input->mode = scenario::ApproximationMode::interpolate;
    }
}

struct Count {
    double messages = 0, bytes = 0;
};

constexpr double bytes_of_value = 8;

/// Connections between machines, and pairs of machines that are connected, in each direction.
Count traffic(const Subject& subject, double step) {
    std::map<std::string, std::string> machine_of;
    for (const Machine& machine : subject.scenario.machines)
        for (const std::string& unit : machine.units) machine_of[unit] = machine.name;
    std::set<std::pair<std::string, std::string>> pairs;
    std::set<std::pair<std::string, std::string>> values; // an output goes to a machine once
    for (const scenario::Connection& each : subject.scenario.connections) {
        const std::string &from = machine_of[each.from_unit], &to = machine_of[each.to_unit];
        if (from == to) continue;
        pairs.emplace(from, to);
        values.emplace(each.from_unit + "." + each.from_port, to);
    }
    return {static_cast<double>(pairs.size()) / step,
            static_cast<double>(values.size()) * bytes_of_value / step};
}

Rewritten rewrite_machines(const Subject& subject, Diagnostics&) {
    const Scenario& before = subject.scenario;
    const std::vector<Group> groups = groups_of(before);
    Rewritten result{.scenario = with_groups(subject, groups,
                                             [&](Scenario& inner) {
                                                 inner.experiment.step = before.experiment.step;
                                                 inner.experiment.open.step = false;
                                             }),
                     .explanation = {}};
    Scenario& after = result.scenario;
    after.experiment.step = step_between_machines(before);
    after.experiment.open.step = false;
    after.algorithm = {.where = before.algorithm.where};
    after.algorithm.recipe =
        before.communication.iterate ? Recipe::waveform_jacobi : Recipe::jacobi;
    after.algorithm.threads = before.algorithm.threads;
    approximate_inputs(subject, after);
    after.machines.clear();
    after.communication = {};
    const Count now = traffic(subject, before.experiment.step);
    const Count then = traffic(subject, after.experiment.step);
    const auto add = [&](std::string_view when, const Count& count) {
        result.explanation.push_back(format(
            "{}: {} messages and {} bytes between machines per simulated second{}", when,
            shortest(count.messages), shortest(count.bytes),
            when == "after" && before.communication.iterate ? " and iteration (waveform relaxation)"
                                                            : ""));
    };
    for (const Group& group : groups)
        result.explanation.push_back(format("{}: {} with steps of {} s inside", group.name,
                                            fmt::join(group.units, ", "),
                                            shortest(before.experiment.step)));
    add("before", now);
    add("after", then);
    return result;
}

void check_after_machines(const Subject& subject, Diagnostics& diagnostics) {
    for (const Unit& unit : subject.scenario.units)
        if (!std::holds_alternative<scenario::NestedScenario>(unit.origin))
            diagnostics.error(unit.where,
                              format("unit \"{}\" is left outside the machines", unit.name),
                              "this is a defect of Rubato: please report it");
}

} // namespace

const Transformation communication_transformation = {
    .concern = Concern::communication,
    .precondition = "every unit is on one machine",
    .postcondition = "machines exchange values once per communication step",
    .applies = machines_apply,
    .check_before = check_before_machines,
    .rewrite = rewrite_machines,
    .check_after = check_after_machines,
};

} // namespace rubato::transform
