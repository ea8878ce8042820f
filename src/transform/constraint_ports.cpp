// SPDX-License-Identifier: Apache-2.0
#include "constraint_ports.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::transform {

namespace {

using scenario::Constraint;
using scenario::Unit;

/// Checks that a constraint names ports that exist, and inputs that nothing else sets.
class PortCheck {
public:
    PortCheck(const Subject& subject, Diagnostics& diagnostics)
        : subject_(subject), diagnostics_(diagnostics) {}

    void check(const Constraint& constraint) {
        for (const Constraint::Level& level : constraint.levels) {
            check_port(constraint, level.first, scenario::Causality::output);
            check_port(constraint, level.second, scenario::Causality::output);
            if (level.first == level.second)
                error(constraint, format("\"{}\" is to be equal to itself", level.first),
                      "name two different outputs");
        }
        for (const Constraint::Effect& effect : constraint.by) {
            check_port(constraint, effect.input, scenario::Causality::input);
            check_approximation(constraint, effect.input);
            const auto& connections = subject_.scenario.connections;
            const auto source = std::ranges::find_if(connections, [&](const auto& each) {
                return each.to_unit + "." + each.to_port == effect.input;
            });
            if (source != connections.end())
                error(constraint,
                      format("input \"{}\" is connected to \"{}.{}\" already", effect.input,
                             source->from_unit, source->from_port),
                      "let the constraint act on an input that is free");
        }
    }

private:
    void error(const Constraint& constraint, const std::string& what, const std::string& hint) {
        diagnostics_.error(constraint.where, format("constraint \"{}\": {}", constraint.name, what),
                           hint);
    }

    /// A multiplier is what makes outputs equal at the end of a step if it is constant over it.
    void check_approximation(const Constraint& constraint, const std::string& name) {
        const auto port = scenario::split_port_name(name);
        if (!port) return;
        const auto& units = subject_.scenario.units;
        const auto unit = std::ranges::find(units, port->unit, &Unit::name);
        if (unit == units.end()) return;
        for (const scenario::InputSettings& input : unit->inputs)
            if (input.name == port->port &&
                input.approximation.value_or(scenario::Approximation::constant) !=
                    scenario::Approximation::constant)
                error(constraint, format("input \"{}\" is approximated by a polynomial", name),
                      "what a constraint acts by is constant over a step: remove approximation");
    }

    void check_port(const Constraint& constraint, const std::string& name,
                    scenario::Causality causality) {
        const auto port = scenario::split_port_name(name);
        const auto& units = subject_.scenario.units;
        const auto unit = std::ranges::find(units, port ? port->unit : std::string(), &Unit::name);
        if (unit == units.end()) {
            std::vector<std::string> names;
            for (const Unit& each : units) names.push_back(each.name);
            error(constraint, format("\"{}\" names no unit", name),
                  suggest(port ? port->unit : name, names, "the units"));
            return;
        }
        const auto& description =
            subject_.descriptions[static_cast<std::size_t>(unit - units.begin())];
        const auto variable = description.find_variable(port->port);
        const bool fits = variable && description.variables[*variable].causality == causality &&
                          description.variables[*variable].type == ValueType::float64 &&
                          !description.variables[*variable].is_array();
        if (fits) return;
        std::vector<std::string> names;
        for (const scenario::Variable& each : description.variables)
            if (each.causality == causality && each.type == ValueType::float64 && !each.is_array())
                names.push_back(each.name);
        error(constraint,
              format("unit \"{}\" has no real {} \"{}\"", port->unit, to_string(causality),
                     port->port),
              suggest(port->port, names, format("its real {}s", to_string(causality))));
    }

    const Subject& subject_;
    Diagnostics& diagnostics_;
};

} // namespace

void check_ports_of_constraints(const Subject& subject, Diagnostics& diagnostics) {
    PortCheck check(subject, diagnostics);
    const auto& constraints = subject.scenario.constraints;
    for (const Constraint& constraint : constraints) {
        check.check(constraint);
        // What the guess of its multiplier is called.
        const auto other =
            std::ranges::find(constraints, constraint.name + "-guess", &Constraint::name);
        if (other != constraints.end())
            diagnostics.error(other->where,
                              format("constraint \"{}\" is called as the guess of \"{}\" is",
                                     other->name, constraint.name),
                              "give it another name");
    }
}

} // namespace rubato::transform
