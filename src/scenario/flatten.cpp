// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/flatten.hpp>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace rubato::scenario {

namespace {

/// Why the units of `inner` cannot be units of `outer`; empty: they can.
std::string obstacle(const Scenario& inner, const Scenario& outer) {
    const Experiment& experiment = inner.experiment;
    if (!experiment.open.step &&
        (outer.experiment.open.step || experiment.step != outer.experiment.step))
        return format("its own step is {} s", shortest(experiment.step));
    if (inner.step_control.controller != StepController::fixed) return "it adapts its own step";
    if (!inner.step_limits.empty()) return "it limits its own steps";
    if (inner.written) return "its algorithm is written by hand";
    if (!inner.configurations.empty()) return "it has configurations";
    if (inner.clocks) return "it declares clocks";
    if (!(inner.events == EventSettings{.where = inner.events.where}))
        return "it has its own settings of events";
    const Recipe recipe = inner.algorithm.recipe;
    const bool is_plain = recipe == Recipe::jacobi || recipe == Recipe::synthesized;
    if (inner.units.size() == 1 && is_plain) return {};
    if (recipe != outer.algorithm.recipe || !is_plain)
        return format("its algorithm is {}, that of the whole {}", to_string(recipe),
                      to_string(outer.algorithm.recipe));
    return {};
}

/// Puts the units of one scenario into another.
class Dissolved {
public:
    Dissolved(const Unit& unit, const Scenario& inner, Diagnostics& diagnostics)
        : unit_(unit), inner_(inner), diagnostics_(diagnostics) {}

    /// What a variable of the unit is within; empty: there is none, which is reported. An element
    /// of an array is that of what the array is.
    std::vector<PortName> targets(const std::string& variable, const Location& where) {
        const std::size_t bracket = variable.find('[');
        const std::string name = variable.substr(0, bracket);
        const std::string element = variable.substr(name.size());
        std::vector<std::string> inner_names;
        if (!inner_.interface) {
            inner_names = {name};
        } else {
            for (const auto* list : {&inner_.interface->inputs, &inner_.interface->outputs,
                                     &inner_.interface->parameters})
                for (const ExposedVariable& each : *list)
                    if (each.name == name) inner_names = each.of;
        }
        std::vector<PortName> result;
        for (const std::string& each : inner_names)
            if (const auto port = split_port_name(each))
                result.push_back({renamed(port->unit), port->port + element});
        if (result.empty())
            diagnostics_.error(where,
                               format("unit \"{}\" has no variable \"{}\"", unit_.name, variable),
                               "its variables are those of its interface");
        return result;
    }

    std::string renamed(const std::string& inner_unit) const {
        return unit_.name + "-" + inner_unit;
    }

    std::vector<Unit> units() {
        std::vector<Unit> result = inner_.units;
        for (Unit& each : result) {
            each.name = renamed(each.name);
            if (auto* const fmu = std::get_if<FmuFile>(&each.origin)) relocate(fmu->file);
            if (auto* const table = std::get_if<TableFile>(&each.origin)) relocate(table->file);
            if (unit_.isolate && !each.isolate) each.isolate = unit_.isolate;
        }
        pass(unit_.parameters, result, &Unit::parameters, &Assignment::variable);
        pass(unit_.start, result, &Unit::start, &Assignment::variable);
        pass(unit_.inputs, result, &Unit::inputs, &InputSettings::name);
        pass(unit_.outputs, result, &Unit::outputs, &OutputSettings::name);
        return result;
    }

    std::vector<Connection> connections() const {
        std::vector<Connection> result = inner_.connections;
        for (Connection& each : result) {
            each.from_unit = renamed(each.from_unit);
            each.to_unit = renamed(each.to_unit);
        }
        return result;
    }

private:
    /// Paths are relative to the folder of the inner scenario.
    void relocate(std::filesystem::path& file) const {
        if (file.is_relative()) file = std::filesystem::absolute(inner_.file.parent_path() / file);
    }

    /// What is said of variables of the unit holds for what they stand for.
    template <class Settings>
    void pass(const std::vector<Settings>& settings, std::vector<Unit>& units,
              std::vector<Settings> Unit::*list, std::string Settings::*name) {
        for (const Settings& each : settings) {
            for (const PortName& target : targets(each.*name, each.where)) {
                Settings own = each;
                own.*name = target.port;
                auto& all = (*std::ranges::find(units, target.unit, &Unit::name)).*list;
                std::erase_if(all,
                              [&](const Settings& other) { return other.*name == target.port; });
                all.push_back(std::move(own));
            }
        }
    }

    const Unit& unit_;
    const Scenario& inner_;
    Diagnostics& diagnostics_;
};

/// What is recorded is then called differently: `right/msd2.x`, `right.force`.
void rename_recorded(std::vector<std::string>& names, const Unit& unit, Dissolved& dissolved,
                     const Location& where) {
    std::vector<std::string> renamed;
    for (const std::string& name : names) {
        if (name.starts_with(unit.name + "/")) {
            renamed.push_back(dissolved.renamed(name.substr(unit.name.size() + 1)));
        } else if (name.starts_with(unit.name + ".")) {
            for (const PortName& target :
                 dissolved.targets(name.substr(unit.name.size() + 1), where))
                renamed.push_back(target.unit + "." + target.port);
        } else {
            renamed.push_back(name);
        }
    }
    names = std::move(renamed);
}

/// Attributes of HLA keep the names that others know.
void rename_attributes(std::vector<HlaAttribute>& attributes, const Unit& unit,
                       Dissolved& dissolved) {
    std::vector<HlaAttribute> renamed;
    for (const HlaAttribute& each : attributes) {
        const auto port = split_port_name(each.variable);
        if (!port || port->unit != unit.name) {
            renamed.push_back(each);
            continue;
        }
        for (const PortName& target : dissolved.targets(port->port, each.where)) {
            HlaAttribute own = each;
            own.variable = target.unit + "." + target.port;
            own.instance = each.instance.value_or(port->unit);
            own.attribute = each.attribute.value_or(port->port);
            renamed.push_back(std::move(own));
        }
    }
    attributes = std::move(renamed);
}

void dissolve(Scenario& scenario, std::size_t index, const Scenario& inner,
              Diagnostics& diagnostics) {
    const Unit unit = scenario.units[index];
    Dissolved dissolved(unit, inner, diagnostics);
    std::vector<Connection> connections;
    for (const Connection& each : scenario.connections) {
        std::vector<PortName> from = {{each.from_unit, each.from_port}};
        std::vector<PortName> to = {{each.to_unit, each.to_port}};
        if (each.from_unit == unit.name) from = dissolved.targets(each.from_port, each.where);
        if (each.to_unit == unit.name) to = dissolved.targets(each.to_port, each.where);
        for (const PortName& source : from) {
            for (const PortName& target : to) {
                Connection own = each;
                std::tie(own.from_unit, own.from_port) = std::tie(source.unit, source.port);
                std::tie(own.to_unit, own.to_port) = std::tie(target.unit, target.port);
                connections.push_back(std::move(own));
            }
        }
    }
    std::ranges::move(dissolved.connections(), std::back_inserter(connections));
    scenario.connections = std::move(connections);
    rename_recorded(scenario.recording.variables, unit, dissolved, scenario.recording.where);
    for (auto* list : {&scenario.hla.outputs, &scenario.hla.inputs})
        rename_attributes(*list, unit, dissolved);
    auto units = dissolved.units();
    for (Machine& machine : scenario.machines)
        if (std::erase(machine.units, unit.name) > 0)
            for (const Unit& each : units) machine.units.push_back(each.name);
    const auto at = scenario.units.begin() + static_cast<std::ptrdiff_t>(index);
    scenario.units.insert(scenario.units.erase(at), std::make_move_iterator(units.begin()),
                          std::make_move_iterator(units.end()));
}

} // namespace

Scenario flatten(const Scenario& scenario, Diagnostics& diagnostics) {
    Scenario flat = scenario;
    for (std::size_t u = 0; u < flat.units.size();) {
        const auto* const nested = std::get_if<NestedScenario>(&flat.units[u].origin);
        if (!nested || !nested->scenario) {
            ++u;
            continue;
        }
        const Scenario inner = *nested->scenario;
        const std::string why = obstacle(inner, flat);
        if (!why.empty() || !flat.bonds.empty() || !flat.configurations.empty()) {
            diagnostics.error(flat.units[u].where,
                              format("unit \"{}\" cannot be made flat: {}", flat.units[u].name,
                                     why.empty() ? "the whole has bonds or configurations" : why),
                              "run the scenario as it is");
            return flat;
        }
        dissolve(flat, u, inner, diagnostics);
        if (diagnostics.has_errors()) return flat;
    }
    return flat;
}

} // namespace rubato::scenario
