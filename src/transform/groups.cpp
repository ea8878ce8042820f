// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace rubato::transform {

using scenario::Connection;
using scenario::Scenario;
using scenario::Unit;

namespace {

std::map<std::string, std::size_t> places_of(const std::vector<Group>& groups) {
    std::map<std::string, std::size_t> places;
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (const std::string& unit : groups[g].units) places[unit] = g;
    return places;
}

/// Links that carry values only at events, or ticks: a composite has no event mode.
void check_events(const Subject& subject, const std::map<std::string, std::size_t>& places,
                  std::string_view purpose, Diagnostics& diagnostics) {
    const scenario::System& system = subject.orchestration.system;
    const auto group_of = [&](PortId port) {
        const auto found = places.find(system.unit(system.port(port).unit).name);
        return found == places.end() ? places.size() + port.value : found->second;
    };
    for (const auto* links : {&system.event_links, &system.clock_links}) {
        for (const scenario::Link& link : *links) {
            if (group_of(link.from) == group_of(link.to)) continue;
            diagnostics.error(
                system.unit(system.port(link.to).unit).where,
                format("{}, {} -> {} would lead into a scenario within the scenario, which has no "
                       "event mode",
                       purpose, system.name_of(link.from), system.name_of(link.to)),
                "leave the scenario as it is, or let both units be part of the same group");
        }
    }
}

bool names_grouped_unit(const std::string& text, const std::map<std::string, std::size_t>& places) {
    const auto port = scenario::split_variable_path(text);
    return port && places.contains(port->unit);
}

} // namespace

void check_groups_can_be_formed(const Subject& subject, const std::vector<Group>& groups,
                                std::string_view purpose, Diagnostics& diagnostics) {
    const Scenario& whole = subject.scenario;
    const auto refuse = [&](const Location& where, std::string_view what, std::string_view hint) {
        diagnostics.error(where, format("{}, {}", purpose, what), std::string(hint));
    };
    const auto places = places_of(groups);
    if (whole.written)
        refuse(whole.written->where, "the algorithm must not be written by hand",
               "name a recipe instead of algorithm.initialization and step");
    if (!whole.configurations.empty())
        refuse(whole.configurations.front().where, "the scenario must not have configurations",
               "write a scenario for each configuration");
    if (whole.clocks)
        refuse(whole.algorithm.where, "the scenario must not declare clocks",
               "remove the section clocks");
    if (whole.step_control.controller != scenario::StepController::fixed)
        refuse(whole.step_control.where,
               format("step control must be fixed, not {}: it would no longer see what is "
                      "exchanged within composites",
                      to_string(whole.step_control.controller)),
               "use step-control: fixed, or leave the loops where they are");
    for (const scenario::ChangeLimit& limit : whole.step_limits.changes)
        if (names_grouped_unit(limit.of, places) ||
            (limit.minus && names_grouped_unit(*limit.minus, places)))
            refuse(
                limit.where,
                format("step-limits must not concern \"{}\", which is part of a group", limit.of),
                "remove the limit");
    for (const auto* list : {&whole.hla.outputs, &whole.hla.inputs})
        for (const scenario::HlaAttribute& each : *list)
            if (names_grouped_unit(each.variable, places))
                refuse(
                    each.where,
                    format("hla must not concern \"{}\", which is part of a group", each.variable),
                    "remove the attribute, or leave the unit out of the group");
    for (const std::string& crossing : whole.events.crossings) {
        const auto condition = scenario::parse_condition(crossing);
        if (condition && places.contains(condition->unit))
            refuse(whole.events.where,
                   format("events.crossings must not concern \"{}\", which is part of a group",
                          condition->unit),
                   "remove the crossing");
    }
    check_events(subject, places, purpose, diagnostics);
}

namespace {

/// Moves units into scenarios of their own.
class Grouping {
public:
    Grouping(const Subject& subject, const std::vector<Group>& groups)
        : subject_(subject), groups_(groups), places_(places_of(groups)), inner_(groups.size()),
          outer_(groups.size()) {}

    Scenario result(const std::function<void(Scenario&)>& adjust) {
        Scenario whole = subject_.scenario;
        for (std::size_t g = 0; g < groups_.size(); ++g) begin(g);
        whole.connections.clear();
        for (const Connection& each : subject_.scenario.connections) place(each, whole);
        whole.bonds.clear();
        for (const scenario::BondSettings& each : subject_.scenario.bonds) place(each, whole);
        place_units(whole);
        place_on_machines(whole);
        record(whole);
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            if (adjust) adjust(inner_[g]);
            outer_[g].origin = scenario::NestedScenario{
                .file = {}, .scenario = std::make_shared<const Scenario>(std::move(inner_[g]))};
        }
        for (Unit& unit : whole.units)
            if (const auto group = group_named(unit.name)) unit = std::move(outer_[*group]);
        return whole;
    }

private:
    std::optional<std::size_t> group_of(const std::string& unit) const {
        const auto found = places_.find(unit);
        if (found == places_.end()) return std::nullopt;
        return found->second;
    }
    std::optional<std::size_t> group_named(const std::string& name) const {
        const auto found = std::ranges::find(groups_, name, &Group::name);
        if (found == groups_.end()) return std::nullopt;
        return static_cast<std::size_t>(found - groups_.begin());
    }
    const Unit& unit_called(const std::string& name) const {
        return *std::ranges::find(subject_.scenario.units, name, &Unit::name);
    }

    void begin(std::size_t g) {
        const Scenario& whole = subject_.scenario;
        Scenario& inner = inner_[g];
        inner.name = groups_[g].name;
        inner.file = whole.file;
        inner.experiment.open = {true, true, true, true};
        inner.algorithm = whole.algorithm;
        inner.algorithm.order = order_within(g);
        inner.algorithm.threads = 1;
        std::erase_if(inner.algorithm.guess, [&](const std::string& input) {
            const auto port = scenario::split_port_name(input);
            return !port || group_of(port->unit) != g;
        });
        inner.loops = whole.loops;
        inner.events = whole.events;
        inner.events.crossings.clear();
        inner.interface.emplace();
        for (const std::string& name : groups_[g].units) inner.units.push_back(unit_called(name));
        outer_[g].name = groups_[g].name;
        outer_[g].remark.text = groups_[g].remark;
        outer_[g].where = inner.units.front().where;
    }

    /// The order of the whole, which may have been derived, where the recipe has one.
    std::vector<std::string> order_within(std::size_t g) const {
        std::vector<std::string> order;
        if (!is_gauss_seidel(subject_.scenario.algorithm.recipe)) return order;
        for (const UnitId id : subject_.orchestration.order) {
            const std::string& name = subject_.orchestration.system.unit(id).name;
            if (group_of(name) == g) order.push_back(name);
        }
        return order;
    }

    static void expose(std::vector<scenario::ExposedVariable>& variables, const std::string& name) {
        // Elements of an array are those of the variable of the interface.
        const std::string variable = name.substr(0, name.find('['));
        if (std::ranges::find(variables, variable, &scenario::ExposedVariable::name) ==
            variables.end())
            variables.push_back({variable, {variable}, {}});
    }

    /// Settings of a variable of the interface: those of the inner input, which loses them.
    void move_input_settings(std::size_t g, const std::string& unit, const std::string& port) {
        auto& inputs = std::ranges::find(inner_[g].units, unit, &Unit::name)->inputs;
        const auto found = std::ranges::find(inputs, port, &scenario::InputSettings::name);
        if (found == inputs.end()) return;
        found->name = unit + "." + port;
        outer_[g].inputs.push_back(*found);
        inputs.erase(found);
    }

    /// What others need to know of an output: not its feed-through, which is derived.
    void copy_output_settings(std::size_t g, const std::string& unit, const std::string& port) {
        const std::string name = unit + "." + port;
        const auto& outputs = unit_called(unit).outputs;
        const auto found = std::ranges::find(outputs, port, &scenario::OutputSettings::name);
        const auto& known = outer_[g].outputs;
        if (found == outputs.end() ||
            std::ranges::find(known, name, &scenario::OutputSettings::name) != known.end())
            return;
        scenario::OutputSettings settings = *found;
        settings.name = name;
        settings.feedthrough.reset();
        settings.feedthrough_initial.reset();
        const scenario::OutputSettings nothing{.name = name, .where = settings.where};
        if (!(settings == nothing)) outer_[g].outputs.push_back(std::move(settings));
    }

    /// As it is called in the whole.
    Connection renamed(const Connection& connection) const {
        Connection own = connection;
        if (const auto g = group_of(own.from_unit)) {
            own.from_port = own.from_unit + "." + own.from_port;
            own.from_unit = groups_[*g].name;
        }
        if (const auto g = group_of(own.to_unit)) {
            own.to_port = own.to_unit + "." + own.to_port;
            own.to_unit = groups_[*g].name;
        }
        return own;
    }

    void place(const Connection& connection, Scenario& whole) {
        const auto from = group_of(connection.from_unit), to = group_of(connection.to_unit);
        if (from && from == to) {
            inner_[*from].connections.push_back(connection);
            return;
        }
        if (from) {
            expose(inner_[*from].interface->outputs,
                   connection.from_unit + "." + connection.from_port);
            copy_output_settings(*from, connection.from_unit, connection.from_port);
        }
        if (to) {
            expose(inner_[*to].interface->inputs, connection.to_unit + "." + connection.to_port);
            move_input_settings(*to, connection.to_unit, connection.to_port);
        }
        whole.connections.push_back(renamed(connection));
    }

    void place(const scenario::BondSettings& bond, Scenario& whole) {
        const auto from = group_of(bond.effort.from_unit), to = group_of(bond.effort.to_unit);
        if (from && from == to) {
            inner_[*from].bonds.push_back(bond);
            return;
        }
        scenario::BondSettings own = bond;
        own.effort = renamed(bond.effort);
        own.flow = renamed(bond.flow);
        whole.bonds.push_back(std::move(own));
    }

    /// A composite takes the place of the first of its units.
    void place_units(Scenario& whole) const {
        std::vector<Unit> units;
        std::set<std::size_t> placed;
        for (Unit& unit : whole.units) {
            const auto group = group_of(unit.name);
            if (!group) {
                units.push_back(std::move(unit));
            } else if (placed.insert(*group).second) {
                units.emplace_back();
                units.back().name = groups_[*group].name;
            }
        }
        whole.units = std::move(units);
    }

    /// A group is where its units were.
    void place_on_machines(Scenario& whole) const {
        for (scenario::Machine& machine : whole.machines) {
            std::vector<std::string> units;
            for (const std::string& unit : machine.units) {
                const auto group = group_of(unit);
                const std::string& name = group ? groups_[*group].name : unit;
                if (std::ranges::find(units, name) == units.end()) units.push_back(name);
            }
            machine.units = std::move(units);
        }
    }

    /// All that is recorded, by name: patterns would also find what the interfaces show.
    void record(Scenario& whole) const {
        const scenario::System& system = subject_.orchestration.system;
        whole.recording.variables.clear();
        for (const scenario::Observed& each : system.observed) {
            const std::string& unit = system.unit(each.unit).name;
            const auto group = group_of(unit);
            whole.recording.variables.push_back((group ? groups_[*group].name + "/" : "") +
                                                scenario::qualified_name(unit, each.name));
        }
        if (whole.bonds.empty()) whole.recording.bonds = false;
        if (whole.interface) show(*whole.interface);
    }

    /// What the whole shows to another scenario has other names.
    void show(scenario::InterfaceSettings& interface) const {
        const auto rename = [&](std::vector<scenario::ExposedVariable>& variables) {
            for (scenario::ExposedVariable& variable : variables)
                for (std::string& name : variable.of)
                    if (const auto port = scenario::split_port_name(name))
                        if (const auto g = group_of(port->unit))
                            name = groups_[*g].name + "." + name;
        };
        rename(interface.inputs);
        rename(interface.outputs);
        rename(interface.parameters);
    }

    const Subject& subject_;
    const std::vector<Group>& groups_;
    std::map<std::string, std::size_t> places_;
    std::vector<Scenario> inner_;
    std::vector<Unit> outer_;
};

} // namespace

scenario::Scenario with_groups(const Subject& subject, const std::vector<Group>& groups,
                               const std::function<void(Scenario&)>& adjust) {
    return Grouping(subject, groups).result(adjust);
}

std::string group_name(std::string_view prefix, const std::vector<std::string>& units,
                       const Scenario& scenario) {
    constexpr std::size_t most_named = 3;
    std::string name(prefix);
    for (std::size_t u = 0; u < units.size() && (u < most_named || units.size() == most_named); ++u)
        name += "-" + units[u];
    if (units.size() > most_named) name += format("-and-{}-more", units.size() - most_named);
    while (std::ranges::find(scenario.units, name, &Unit::name) != scenario.units.end())
        name += "-2";
    return name;
}

} // namespace rubato::transform
