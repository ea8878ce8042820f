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
        for (Constraint& each : constraints_)
            if (!each.time_constant && each.levels.size() > 1)
                each.time_constant = subject.scenario.experiment.step;
    }

    Rewritten result() {
        Rewritten result{.scenario = subject_.scenario, .explanation = {}};
        result.scenario.constraints.clear();
        const Sensitivity sensitivity = subject_.measure();
        whole_ = residuals_per_multiplier(constraints_, sensitivity.whole);
        half_ = residuals_per_multiplier(constraints_, sensitivity.half);
        check_rank(constraints_, whole_, diagnostics_);
        if (diagnostics_.has_errors()) return result;
        for (std::size_t c = 0; c < constraints_.size(); ++c)
            constraints_[c].degree = degree_of(c, whole_, half_);
        for (const Component& component : components_of(constraints_)) add(component, result);
        return result;
    }

private:
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
        if (wanted == ConstraintMethod::stabilize && is_algebraic) {
            diagnostics_.error(first.where,
                               format("constraint \"{}\" holds at every instant: there is nothing "
                                      "to stabilize",
                                      first.name),
                               "use method: solve, which needs no rollback here");
        }
        if (wanted) return *wanted;
        return can_solve ? ConstraintMethod::solve : ConstraintMethod::stabilize;
    }

    scenario::Links links_of(const Component& component, ConstraintMethod method) const {
        Matrix matrix;
        for (const std::size_t row : component.constraints) {
            matrix.emplace_back();
            for (const std::size_t column : component.constraints)
                matrix.back().push_back(whole_[row][column]);
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
    Matrix whole_, half_;
};

bool links_apply(const Subject& subject) { return !subject.scenario.constraints.empty(); }

void check_before_links(const Subject& subject, Diagnostics& diagnostics) {
    const Scenario& scenario = subject.scenario;
    check_ports_of_constraints(subject, diagnostics);
    // The method is not verified yet: nothing is computed by it until its tests have passed.
    diagnostics.error(scenario.constraints.front().where,
                      format("constraint \"{}\": constraints cannot be kept yet",
                             scenario.constraints.front().name),
                      "join the units by a spring and a damper instead");
    if (scenario.written)
        diagnostics.error(scenario.written->where,
                          "with constraints, the algorithm must not be written by hand",
                          "name a recipe instead of algorithm.initialization and step");
    if (!scenario.configurations.empty())
        diagnostics.error(scenario.configurations.front().where,
                          "with constraints, the scenario must not have configurations",
                          "write a scenario for each configuration");
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
