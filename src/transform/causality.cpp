// SPDX-License-Identifier: Apache-2.0
#include "causality.hpp"

#include "constraint_ports.hpp"
#include "groups.hpp"
#include "interface_jacobian.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace rubato::transform {

namespace {

using scenario::Constraint;
using scenario::ConstraintMethod;
using scenario::Scenario;
using scenario::System;
using scenario::Unit;

/// Units that a constraint concerns, in the order of the scenario.
std::set<std::string> units_of(const Constraint& constraint) {
    std::set<std::string> units;
    const auto add = [&](const std::string& port) {
        units.insert(scenario::split_port_name(port)->unit);
    };
    for (const Constraint::Level& level : constraint.levels) {
        add(level.first);
        add(level.second);
    }
    for (const Constraint::Effect& effect : constraint.by) add(effect.input);
    return units;
}

/// Constraints that have a unit in common, directly or by others: they are kept together.
struct Component {
    std::vector<std::size_t> constraints;
    std::set<std::string> units;
};

std::vector<Component> components_of(std::span<const Constraint> constraints) {
    std::vector<Component> components;
    for (std::size_t c = 0; c < constraints.size(); ++c) {
        Component merged{{}, units_of(constraints[c])};
        std::vector<Component> others;
        for (Component& each : components) {
            const bool meets = std::ranges::any_of(
                each.units, [&](const std::string& unit) { return merged.units.contains(unit); });
            if (!meets) {
                others.push_back(std::move(each));
                continue;
            }
            merged.units.insert(each.units.begin(), each.units.end());
            merged.constraints.insert(merged.constraints.end(), each.constraints.begin(),
                                      each.constraints.end());
        }
        merged.constraints.push_back(c);
        others.push_back(std::move(merged));
        components = std::move(others);
    }
    return components;
}

/// Refuses links that nothing keeps, and links that others keep already.
void check_rank(std::span<const Constraint> constraints, const Matrix& matrix,
                Diagnostics& diagnostics) {
    for (std::size_t c = 0; c < constraints.size(); ++c) {
        const bool reacts = std::ranges::any_of(matrix[c], [](double each) { return each != 0; });
        if (reacts) continue;
        std::vector<std::string> inputs;
        for (const Constraint::Effect& effect : constraints[c].by) inputs.push_back(effect.input);
        diagnostics.error(constraints[c].where,
                          format("constraint \"{}\": {} and {} do not react to {} within a step",
                                 constraints[c].name, constraints[c].levels.back().first,
                                 constraints[c].levels.back().second, fmt::join(inputs, ", ")),
                          "name inputs that act on what is to be equal");
    }
    if (diagnostics.has_errors()) return;
    for (const Dependence& each : dependent_rows(matrix)) {
        std::vector<std::string> others;
        for (const std::size_t other : each.others)
            others.push_back(format("\"{}\"", constraints[other].name));
        diagnostics.error(
            constraints[each.row].where,
            format("constraint \"{}\" is redundant: {} determine{} it already (the rank of the {} "
                   "constraints is {})",
                   constraints[each.row].name, fmt::join(others, ", "),
                   others.size() == 1 ? "s" : "", constraints.size(),
                   constraints.size() - dependent_rows(matrix).size()),
            "remove it, or one of the others");
    }
}

/// Makes units of constraints.
class Linking {
public:
    Linking(const Subject& subject, Diagnostics& diagnostics)
        : subject_(subject), diagnostics_(diagnostics), constraints_(subject.scenario.constraints) {
    }

    Rewritten result() {
        Rewritten result{.scenario = subject_.scenario, .explanation = {}};
        result.scenario.constraints.clear();
        answers_ = subject_.measure();
        const Matrix whole = highest_levels_per_multiplier(answers_.whole);
        const Matrix half = highest_levels_per_multiplier(answers_.half);
        check_rank(constraints_, whole, diagnostics_);
        if (diagnostics_.has_errors()) return result;
        for (std::size_t c = 0; c < constraints_.size(); ++c) {
            constraints_[c].degree = degree_of(c, whole, half);
            note_start(c);
        }
        for (const Component& component : components_of(constraints_)) add(component, result);
        return result;
    }

private:
    /// Start values that contradict a constraint.
    void note_start(std::size_t c) {
        for (std::size_t k = 0; k < constraints_[c].levels.size(); ++k) {
            // The first multiplier makes equal what answers at once.
            const bool is_made_equal =
                constraints_[c].degree == 0 && k + 1 == constraints_[c].levels.size();
            if (is_made_equal || answers_.at_start[c][k] == 0) continue;
            const Constraint::Level& level = constraints_[c].levels[k];
            diagnostics_.warning(constraints_[c].where,
                                 format("constraint \"{}\": {} and {} differ by {} at the start",
                                        constraints_[c].name, level.first, level.second,
                                        answers_.at_start[c][k]),
                                 "give them equal start values; else the first steps remove the "
                                 "difference by force");
        }
    }

    bool can_roll_back(const std::string& name) const {
        const auto& units = subject_.orchestration.system.units;
        return std::ranges::find(units, name, &scenario::SystemUnit::name)->can_roll_back;
    }

    ConstraintMethod method_of(const Component& component) {
        std::optional<ConstraintMethod> wanted;
        bool is_algebraic = true;
        for (const std::size_t c : component.constraints) {
            is_algebraic = is_algebraic && constraints_[c].degree == 0;
            if (constraints_[c].method) wanted = constraints_[c].method;
        }
        const auto stays = std::ranges::find_if_not(
            component.units, [&](const std::string& unit) { return can_roll_back(unit); });
        const bool can_solve = is_algebraic || stays == component.units.end();
        const Constraint& first = constraints_[component.constraints.front()];
        if (wanted == ConstraintMethod::solve && !can_solve)
            diagnostics_.error(first.where,
                               format("constraint \"{}\" is to be solved, but unit \"{}\" cannot "
                                      "be rolled back",
                                      first.name, *stays),
                               "use method: stabilize");
        const ConstraintMethod method =
            wanted.value_or(can_solve ? ConstraintMethod::solve : ConstraintMethod::stabilize);
        if (method == ConstraintMethod::stabilize) check_can_be_stabilized(component);
        return method;
    }

    /// There is a law for speeds, for positions with speeds, and for positions alone.
    void check_can_be_stabilized(const Component& component) {
        const Constraint& first = constraints_[component.constraints.front()];
        for (const std::size_t c : component.constraints) {
            const Constraint& each = constraints_[c];
            if (each.degree == 0)
                diagnostics_.error(each.where,
                                   format("constraint \"{}\" holds at every instant: there is "
                                          "nothing to stabilize",
                                          each.name),
                                   "use method: solve, which needs no rollback here");
            else if (each.levels.size() + static_cast<std::size_t>(*each.degree) > 3)
                diagnostics_.error(
                    each.where,
                    format("constraint \"{}\" cannot be stabilized: {} and {} answer {} only after "
                           "{} integrations, with {} level{}",
                           each.name, each.levels.back().first, each.levels.back().second,
                           each.by.front().input, *each.degree, each.levels.size(),
                           each.levels.size() == 1 ? "" : "s"),
                    "name speeds, speeds and positions, or positions alone; or use method: solve");
            else if (each.degree != first.degree || each.levels.size() != first.levels.size())
                diagnostics_.error(
                    each.where,
                    format("constraints \"{}\" and \"{}\" share a unit and cannot be stabilized "
                           "together: their levels differ",
                           first.name, each.name),
                    "name the same levels in both");
        }
    }

    /// In which a deviation decays. The shortest that is safe: poles at 1/3 (solve), 1/2
    /// (stabilize), and 0.7 if multipliers are found at the start of a step (degree 0).
    double usual_time_constant(const Constraint& constraint, ConstraintMethod method) const {
        const double step = subject_.scenario.experiment.step;
        if (method == ConstraintMethod::stabilize) return 1.5 * step;
        return constraint.degree == 0 ? 2 * step : step;
    }

    scenario::Links links_of(const Component& component, ConstraintMethod method) {
        for (const std::size_t c : component.constraints) {
            const bool decays =
                constraints_[c].levels.size() > 1 || method == ConstraintMethod::stabilize;
            if (decays && !constraints_[c].time_constant)
                constraints_[c].time_constant = usual_time_constant(constraints_[c], method);
        }
        const Matrix all = method == ConstraintMethod::solve
                               ? residuals_per_multiplier(constraints_, answers_.whole)
                               : highest_levels_per_multiplier(answers_.whole);
        Matrix matrix;
        for (const std::size_t row : component.constraints) {
            matrix.emplace_back();
            for (const std::size_t column : component.constraints)
                matrix.back().push_back(all[row][column]);
        }
        const Matrix gain = negative_inverse(matrix);
        scenario::Links links;
        for (std::size_t i = 0; i < component.constraints.size(); ++i) {
            links.links.push_back(constraints_[component.constraints[i]]);
            links.links.back().method = method;
            links.links.back().gain = gain[i];
        }
        return links;
    }

    void add(const Component& component, Rewritten& result) {
        const ConstraintMethod method = method_of(component);
        if (diagnostics_.has_errors()) return;
        const scenario::Links links = links_of(component, method);
        Unit unit;
        const std::vector<std::string> units(component.units.begin(), component.units.end());
        unit.name = group_name("link", units, result.scenario);
        std::vector<std::string> equations;
        for (const Constraint& link : links.links)
            for (const Constraint::Level& level : link.levels)
                equations.push_back(format("{} = {}", level.first, level.second));
        unit.remark.text = format("computes inputs that keep {}, by the method {}.",
                                  fmt::join(equations, ", "), to_string(method));
        unit.origin = links;
        unit.where = links.links.front().where;
        connect(links, unit.name, method, result.scenario);
        result.explanation.push_back(format("{}: keeps {}; method {}, degree {}", unit.name,
                                            fmt::join(equations, ", "), to_string(method),
                                            *links.links.front().degree));
        place_on_machine(component, unit.name, result.scenario);
        result.scenario.units.push_back(std::move(unit));
    }

    /// Where the first of the units is that it links.
    static void place_on_machine(const Component& component, const std::string& name,
                                 Scenario& scenario) {
        for (scenario::Machine& machine : scenario.machines) {
            const bool has_one = std::ranges::any_of(machine.units, [&](const std::string& unit) {
                return component.units.contains(unit);
            });
            if (!has_one) continue;
            machine.units.push_back(name);
            return;
        }
    }

    void connect(const scenario::Links& links, const std::string& name, ConstraintMethod method,
                 Scenario& scenario) const {
        std::set<std::string> connected;
        const auto join = [&](const std::string& from, const std::string& to) {
            if (!connected.insert(from + " " + to).second) return;
            const auto source = scenario::split_port_name(from);
            const auto target = scenario::split_port_name(to);
            scenario::Connection connection;
            connection.from_unit = source->unit;
            connection.from_port = source->port;
            connection.to_unit = target->unit;
            connection.to_port = target->port;
            connection.where = links.links.front().where;
            scenario.connections.push_back(std::move(connection));
        };
        for (const Constraint& link : links.links) {
            for (const Constraint::Level& level : link.levels)
                for (const std::string& output : {level.first, level.second})
                    join(output, name + "." + output);
            for (const Constraint::Effect& effect : link.by)
                join(name + "." + effect.input, effect.input);
        }
        if (method != ConstraintMethod::solve) return;
        for (const Constraint& link : links.links) {
            join(name + "." + link.name, name + "." + link.name + "-guess");
            if (*link.degree > 0) expect_advanced(link, name, scenario);
        }
    }

    /// The multiplier acts on the step whose end it makes right: inputs react to it.
    void expect_advanced(const Constraint& link, const std::string& name,
                         Scenario& scenario) const {
        keep_contracts(scenario);
        for (const Constraint::Effect& effect : link.by) {
            const auto port = scenario::split_port_name(effect.input);
            input_of(scenario, *port).contract = scenario::Reactivity::reactive;
        }
        const std::string guess = name + "." + link.name + "-guess";
        scenario.algorithm.guess.push_back(guess);
    }

    static scenario::InputSettings& input_of(Scenario& scenario, const scenario::PortName& port) {
        auto& inputs = std::ranges::find(scenario.units, port.unit, &Unit::name)->inputs;
        const auto known = std::ranges::find(inputs, port.port, &scenario::InputSettings::name);
        if (known != inputs.end()) return *known;
        inputs.push_back({.name = port.port});
        return inputs.back();
    }

    /// Recipes have their own idea of what reacts: what the recipe says of the other inputs is
    /// written down.
    void keep_contracts(Scenario& scenario) const {
        if (scenario.algorithm.recipe == scenario::Recipe::synthesized) return;
        const System& system = subject_.orchestration.system;
        for (const scenario::Link& link : system.links) {
            if (system.port(link.to).reactivity != scenario::Reactivity::reactive) continue;
            const scenario::Port& port = system.port(link.to);
            input_of(scenario, {system.unit(port.unit).name, port.name}).contract =
                scenario::Reactivity::reactive;
        }
        scenario.algorithm.recipe = scenario::Recipe::synthesized;
        scenario.algorithm.order.clear();
        scenario.algorithm.iterations.reset();
    }

    const Subject& subject_;
    Diagnostics& diagnostics_;
    std::vector<Constraint> constraints_;
    Sensitivity answers_;
};

bool links_apply(const Subject& subject) { return !subject.scenario.constraints.empty(); }

void check_before_links(const Subject& subject, Diagnostics& diagnostics) {
    const Scenario& scenario = subject.scenario;
    check_ports_of_constraints(subject, diagnostics);
    if (scenario.written)
        diagnostics.error(scenario.written->where,
                          "with constraints, the algorithm must not be written by hand",
                          "name a recipe instead of algorithm.initialization and step");
    if (!scenario.configurations.empty())
        diagnostics.error(scenario.configurations.front().where,
                          "with constraints, the scenario must not have configurations",
                          "write a scenario for each configuration");
    if (scenario.step_control.controller != scenario::StepController::fixed)
        diagnostics.error(scenario.step_control.where,
                          "with constraints, all steps must have the same length",
                          "remove step-control");
    if (!scenario.experiment.step_output.empty())
        diagnostics.error(scenario.experiment.where,
                          format("with constraints, all steps must have the same length, but {} "
                                 "gives them",
                                 scenario.experiment.step_output),
                          "give experiment.step as a number");
}

Rewritten rewrite_links(const Subject& subject, Diagnostics& diagnostics) {
    return Linking(subject, diagnostics).result();
}

void check_after_links(const Subject& subject, Diagnostics& diagnostics) {
    const auto& connections = subject.scenario.connections;
    for (std::size_t u = 0; u < subject.scenario.units.size(); ++u) {
        const Unit& unit = subject.scenario.units[u];
        if (!std::holds_alternative<scenario::Links>(unit.origin)) continue;
        for (const scenario::Variable& variable : subject.descriptions[u].variables) {
            if (variable.causality != scenario::Causality::input) continue;
            const bool has_source = std::ranges::any_of(connections, [&](const auto& each) {
                return each.to_unit == unit.name && each.to_port == variable.name;
            });
            if (!has_source)
                diagnostics.error(unit.where,
                                  format("{}.{} has no source", unit.name, variable.name),
                                  "this is a defect of Rubato: please report it");
        }
    }
}

} // namespace

const Transformation causality_transformation = {
    .concern = Concern::causality,
    .precondition = "constraints name outputs, and inputs that nothing sets",
    .postcondition = "every input that a constraint acts by has a source",
    .applies = links_apply,
    .check_before = check_before_links,
    .rewrite = rewrite_links,
    .check_after = check_after_links,
};

} // namespace rubato::transform
