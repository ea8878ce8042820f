// SPDX-License-Identifier: Apache-2.0
#include "chain.hpp"
#include "feedthrough.hpp"

#include <rubato/composite/interface.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace rubato::composite {

using scenario::Causality;
using scenario::ExposedVariable;
using scenario::UnitDescription;
using scenario::Variable;

namespace {

constexpr unsigned highest_order = 2; ///< of the polynomials that inputs may be

/// "an input", for messages.
std::string_view role_of(Causality causality) {
    switch (causality) {
    case Causality::input: return "an input";
    case Causality::output: return "an output";
    default: return "a parameter";
    }
}

class Derivation {
public:
    Derivation(const scenario::Scenario& inner, const scenario::System& system,
               std::span<const UnitDescription> descriptions, Diagnostics& diagnostics)
        : inner_(inner), system_(system), descriptions_(descriptions), diagnostics_(diagnostics),
          ports_(descriptions.size()) {
        for (std::size_t p = 0; p < system.ports.size(); ++p)
            ports_[system.ports[p].unit.value][system.ports[p].variable].push_back(nth<PortId>(p));
        note_connected(system.links, system.event_links);
        for (const scenario::Configuration& each : system.configurations)
            note_connected(each.links, each.event_links);
    }

    Interface derive() && {
        UnitDescription& description = result_.description;
        description.model = inner_.name;
        description.kind = "scenario";
        description.source = inner_.file.filename().string();
        inner_.interface ? expose(*inner_.interface) : expose_all();
        exposed_ = description.variables.size();
        derive_feedthrough();
        add_locals();
        result_.has_events = scenario::has_events(system_);
        derive_capabilities();
        suggest_experiment();
        return std::move(result_);
    }

private:
    void note_connected(const std::vector<scenario::Link>& links,
                        const std::vector<scenario::Link>& event_links) {
        for (const auto* list : {&links, &event_links})
            for (const scenario::Link& link : *list) source_of_.emplace(link.to, link.from);
    }

    const std::string& unit_name(UnitId unit) const { return inner_.units[unit.value].name; }
    const Variable& variable(const InnerVariable& inner) const {
        return descriptions_[inner.unit.value].variables[inner.variable];
    }
    std::string name_of(const InnerVariable& inner) const {
        return unit_name(inner.unit) + "." + variable(inner).name;
    }

    // -- what is exposed --------------------------------------------------------------------------

    void expose(const scenario::InterfaceSettings& settings) {
        for (const ExposedVariable& each : settings.inputs) expose(each, Causality::input);
        for (const ExposedVariable& each : settings.outputs) expose(each, Causality::output);
        for (const ExposedVariable& each : settings.parameters) expose(each, Causality::parameter);
    }

    void expose_all() {
        for (const Causality causality :
             {Causality::input, Causality::output, Causality::parameter})
            for (std::size_t u = 0; u < descriptions_.size(); ++u)
                for (std::uint32_t v = 0; v < descriptions_[u].variables.size(); ++v)
                    expose_by_default({nth<UnitId>(u), v}, causality);
    }

    void expose_by_default(const InnerVariable& inner, Causality causality) {
        const Variable& variable = this->variable(inner);
        if (variable.causality != causality || !obstacle(inner).empty()) return;
        if (causality == Causality::input && source_of(inner)) return;
        add(name_of(inner), causality, {inner});
    }

    void expose(const ExposedVariable& exposed, Causality causality) {
        if (causality == Causality::output && exposed.of.size() != 1) {
            diagnostics_.error(exposed.where,
                               format("interface.outputs.{} stands for {} variables", exposed.name,
                                      exposed.of.size()),
                               "an output is one variable: give each its own name");
            return;
        }
        if (!names_.insert(exposed.name).second) {
            diagnostics_.error(exposed.where,
                               format("the interface has two variables \"{}\"", exposed.name),
                               "give one of them another name");
            return;
        }
        std::vector<InnerVariable> all;
        for (const std::string& name : exposed.of)
            if (const auto found = find(exposed, name, causality)) all.push_back(*found);
        if (all.size() == exposed.of.size() && are_alike(exposed, all))
            add(exposed.name, causality, std::move(all));
    }

    /// nullopt: it cannot be exposed, which has been reported.
    std::optional<InnerVariable> find(const ExposedVariable& exposed, const std::string& name,
                                      Causality causality) {
        const auto port = scenario::split_port_name(name);
        if (!port) return std::nullopt; // reported when it was read
        const auto unit = std::ranges::find(inner_.units, port->unit, &scenario::Unit::name);
        if (unit == inner_.units.end()) {
            std::vector<std::string> names;
            for (const scenario::Unit& each : inner_.units) names.push_back(each.name);
            diagnostics_.error(
                exposed.where,
                format("interface: \"{}\" is {} of unit \"{}\", which does not exist", exposed.name,
                       role_of(causality), port->unit),
                suggest(port->unit, names, "units"));
            return std::nullopt;
        }
        const auto id = nth<UnitId>(static_cast<std::size_t>(unit - inner_.units.begin()));
        const auto index = descriptions_[id.value].find_variable(port->port);
        if (!index) {
            report_unknown(exposed, *port, id, causality);
            return std::nullopt;
        }
        const InnerVariable inner{id, *index};
        return check(exposed, inner, causality) ? std::optional(inner) : std::nullopt;
    }

    void report_unknown(const ExposedVariable& exposed, const scenario::PortName& port, UnitId unit,
                        Causality causality) {
        std::vector<std::string> names;
        for (const Variable& each : descriptions_[unit.value].variables)
            if (each.causality == causality) names.push_back(each.name);
        diagnostics_.error(
            exposed.where,
            format("interface: unit \"{}\" has no variable \"{}\"", port.unit, port.port),
            suggest(port.port, names, "those of this kind"));
    }

    bool check(const ExposedVariable& exposed, const InnerVariable& inner, Causality causality) {
        const Variable& variable = this->variable(inner);
        const auto report = [&](const std::string& problem, std::string hint) {
            diagnostics_.error(
                exposed.where,
                format("interface: \"{}\": {} {}", exposed.name, name_of(inner), problem),
                std::move(hint));
            return false;
        };
        const bool fits = causality == Causality::parameter
                              ? scenario::is_parameter(variable.causality)
                              : variable.causality == causality;
        if (!fits)
            return report(format("is not {}", role_of(causality)),
                          format("its causality is {}", to_string(variable.causality)));
        if (const std::string_view why = obstacle(inner); !why.empty())
            return report(std::string(why), "connect it within the inner scenario");
        if (causality == Causality::input && source_of(inner))
            return report(format("is connected to {} within the inner scenario",
                                 system_.name_of(*source_of(inner))),
                          "an input has one source: remove the connection, or the interface's "
                          "input");
        if (causality != Causality::output && !taken_.insert({inner.unit, inner.variable}).second)
            return report("is already set by another variable of the interface",
                          "let one variable stand for it");
        return true;
    }

    /// Why it cannot be seen from outside; empty: it can.
    std::string_view obstacle(const InnerVariable& inner) const {
        const Variable& variable = this->variable(inner);
        if (variable.type == ValueType::clock) return "is a clock, which cannot be exposed yet";
        if (!variable.clocks.empty()) return "is clocked, which cannot be exposed yet";
        if (variable.causality == Causality::structural_parameter)
            return "sets the sizes of arrays, which are settled when the scenario is read";
        if (variable.causality == Causality::input && variable.derivative_of)
            return "carries the derivative of another input";
        return {};
    }

    std::optional<PortId> source_of(const InnerVariable& inner) const {
        for (const PortId port : ports_of(inner)) {
            const auto found = source_of_.find(port);
            if (found != source_of_.end()) return found->second;
        }
        return std::nullopt;
    }

    std::vector<PortId> ports_of(const InnerVariable& inner) const {
        const auto& ports = ports_[inner.unit.value];
        const auto found = ports.find(inner.variable);
        return found == ports.end() ? std::vector<PortId>() : found->second;
    }

    /// What stands for several variables gives all of them the same value.
    bool are_alike(const ExposedVariable& exposed, const std::vector<InnerVariable>& all) {
        const Variable& first = variable(all.front());
        for (const InnerVariable& inner : all) {
            const Variable& other = variable(inner);
            std::string difference;
            if (other.type != first.type)
                difference =
                    format("are of types {} and {}", to_string(first.type), to_string(other.type));
            else if (other.element_count() != first.element_count())
                difference = "are arrays of different sizes";
            else if (other.unit != first.unit)
                difference = format("are in \"{}\" and \"{}\"", first.unit, other.unit);
            if (difference.empty()) continue;
            diagnostics_.error(exposed.where,
                               format("interface: \"{}\" stands for {} and {}, which {}",
                                      exposed.name, name_of(all.front()), name_of(inner),
                                      difference),
                               "give each its own variable of the interface");
            return false;
        }
        return true;
    }

    void add(std::string name, Causality causality, std::vector<InnerVariable> all) {
        auto& variables = result_.description.variables;
        Variable variable = this->variable(all.front());
        variable.name = std::move(name);
        variable.causality = causality;
        variable.reference = static_cast<ValueRef>(variables.size());
        variable.derivative_of.reset();
        variable.intermediate = false;
        for (scenario::Dimension& dimension : variable.dimensions) dimension.parameter.reset();
        take_contract(all, variable);
        take_start(all.front(), variable);
        variables.push_back(std::move(variable));
        result_.stands_for.push_back(std::move(all));
    }

    void take_contract(const std::vector<InnerVariable>& all, Variable& variable) const {
        for (const InnerVariable& inner : all) {
            for (const PortId id : ports_of(inner)) {
                const scenario::Port& port = system_.port(id);
                variable.nominal = port.nominal;
                variable.reactive |= port.direction == scenario::Direction::input &&
                                     port.reactivity == scenario::Reactivity::reactive;
                if (storage_of(variable.type) == Storage::real)
                    variable.variability = port.is_continuous ? scenario::Variability::continuous
                                                              : scenario::Variability::discrete;
            }
        }
    }

    /// What the inner scenario sets is what the variable starts with.
    void take_start(const InnerVariable& inner, Variable& variable) const {
        const scenario::Unit& unit = inner_.units[inner.unit.value];
        const UnitDescription& description = descriptions_[inner.unit.value];
        for (const auto* list : {&unit.parameters, &unit.start}) {
            for (const auto& assigned : scenario::assigned_variables(description, *list)) {
                if (assigned.variable != inner.variable) continue;
                if (variable.is_array())
                    variable.start_elements = assigned.values;
                else
                    variable.start = assigned.values.front();
            }
        }
    }

    // -- contracts --------------------------------------------------------------------------------

    void derive_feedthrough() {
        auto& description = result_.description;
        const Feedthrough in_steps(system_, Moment::step);
        const Feedthrough initially(system_, Moment::initialization);
        result_.propagates.assign(exposed_, false);
        std::vector<scenario::Dependencies> dependencies;
        for (std::uint32_t v = 0; v < exposed_; ++v)
            if (description.variables[v].causality == Causality::output)
                dependencies.push_back(
                    {v, std::vector<std::uint32_t>{}, std::vector<std::uint32_t>{}});
        for (std::uint32_t v = 0; v < exposed_; ++v) {
            if (description.variables[v].causality != Causality::input) continue;
            const std::vector<PortId> inputs = ports_of_all(result_.stands_for[v]);
            const auto step = in_steps.of(inputs), initial = initially.of(inputs);
            result_.propagates[v] = reaches_connections(step);
            for (scenario::Dependencies& each : dependencies) {
                if (const auto port = reached(each.output, step)) {
                    each.step->push_back(v);
                    result_.feedthrough.push_back(
                        {v, each.output, text(v, step.way_to(*port), each.output)});
                }
                if (reached(each.output, initial)) each.initial->push_back(v);
            }
        }
        description.dependencies = std::move(dependencies);
        std::vector<PortId> inputs;
        for (std::uint32_t v = 0; v < exposed_; ++v) {
            result_.ports.push_back(ports_of_all(result_.stands_for[v]));
            if (description.variables[v].causality == Causality::input)
                inputs.insert(inputs.end(), result_.ports[v].begin(), result_.ports[v].end());
        }
        result_.chain = derive_chain(system_, descriptions_, inputs);
    }

    std::vector<PortId> ports_of_all(const std::vector<InnerVariable>& all) const {
        std::vector<PortId> ports;
        for (const InnerVariable& inner : all)
            for (const PortId port : ports_of(inner)) ports.push_back(port);
        return ports;
    }

    std::optional<PortId> reached(std::uint32_t output, const Feedthrough::Reach& reach) const {
        for (const PortId port : ports_of(result_.stands_for[output].front()))
            if (reach.contains(port)) return port;
        return std::nullopt;
    }

    /// Whether something has to be exchanged between units when the input has changed.
    bool reaches_connections(const Feedthrough::Reach& reach) const {
        return std::ranges::any_of(
            source_of_, [&](const auto& connection) { return reach.contains(connection.second); });
    }

    std::string text(std::uint32_t input, const std::vector<PortId>& way,
                     std::uint32_t output) const {
        std::string text = result_.description.variables[input].name;
        for (const PortId port : way) text += " → " + system_.name_of(port);
        return text + " → " + result_.description.variables[output].name;
    }

    void add_locals() {
        auto& variables = result_.description.variables;
        result_.columns.resize(variables.size());
        std::map<std::pair<UnitId, std::uint32_t>, std::uint32_t> recorded;
        for (std::uint32_t i = 0; i < system_.observed.size(); ++i) {
            const scenario::Observed& each = system_.observed[i];
            recorded.emplace(std::pair(each.unit, each.variable), i);
        }
        for (std::size_t u = 0; u < descriptions_.size(); ++u) {
            for (std::uint32_t v = 0; v < descriptions_[u].variables.size(); ++v) {
                const InnerVariable inner{nth<UnitId>(u), v};
                const auto column = recorded.find({inner.unit, v});
                const bool is_recorded = column != recorded.end();
                const bool has_column = is_recorded && is_whole(column->second);
                if (!obstacle(inner).empty() && !has_column) continue;
                // Those of deeper levels have their path already: "/clutch/disc.w".
                const std::string& name = variable(inner).name;
                add("/" + unit_name(inner.unit) + (name.starts_with('/') ? "" : ".") + name,
                    Causality::local, {inner});
                variables.back().recorded = is_recorded;
                variables.back().clocks.clear();
                result_.columns.push_back(has_column ? std::optional(column->second)
                                                     : std::nullopt);
            }
        }
    }

    /// Whether all elements of the variable are recorded, from this column on.
    bool is_whole(std::uint32_t column) const {
        const scenario::Observed& first = system_.observed[column];
        const auto end = std::size_t{column} + first.part.size;
        return first.part.first == 0 && end <= system_.observed.size() &&
               system_.observed[end - 1].variable == first.variable &&
               system_.observed[end - 1].unit == first.unit;
    }

    void derive_capabilities() {
        scenario::Capabilities& all = result_.description.capabilities;
        const auto have = [&](bool scenario::Capabilities::*ability) {
            return std::ranges::all_of(descriptions_, [&](const UnitDescription& each) {
                return each.capabilities.*ability;
            });
        };
        all.variable_step = have(&scenario::Capabilities::variable_step);
        all.snapshots = have(&scenario::Capabilities::snapshots);
        all.directional_derivatives = result_.chain.has_value();
        all.may_reject_step = all.snapshots && result_.has_events && has_discrete_output();
        all.may_return_early = all.may_reject_step;
        all.input_derivatives = order_of_inputs();
    }

    bool has_discrete_output() const {
        const auto& variables = result_.description.variables;
        return std::ranges::any_of(variables, [](const Variable& each) {
            return each.causality == Causality::output &&
                   each.variability != scenario::Variability::continuous;
        });
    }

    /// With steps of its own, polynomials can be evaluated at each of them; else the units that get
    /// them must do that.
    unsigned order_of_inputs() const {
        const bool has_own_steps =
            !inner_.experiment.open.step ||
            inner_.step_control.controller != scenario::StepController::fixed;
        if (has_own_steps) return highest_order;
        unsigned order = highest_order;
        for (std::uint32_t v = 0; v < exposed_; ++v) {
            if (result_.description.variables[v].causality != Causality::input) continue;
            for (const InnerVariable& inner : result_.stands_for[v])
                order =
                    std::min(order, descriptions_[inner.unit.value].capabilities.input_derivatives);
        }
        return order;
    }

    /// What the inner scenario says of its own run is a suggestion for the whole.
    void suggest_experiment() {
        const scenario::Experiment& experiment = inner_.experiment;
        scenario::DefaultExperiment& suggested = result_.description.default_experiment;
        if (!experiment.open.start) suggested.start = experiment.start;
        if (!experiment.open.stop) suggested.stop = experiment.stop;
        if (!experiment.open.step) suggested.step = experiment.step;
        suggested.tolerance = experiment.tolerance;
    }

    const scenario::Scenario& inner_;
    const scenario::System& system_;
    std::span<const UnitDescription> descriptions_;
    Diagnostics& diagnostics_;
    std::vector<std::unordered_map<std::uint32_t, std::vector<PortId>>> ports_; ///< by variable
    std::unordered_map<PortId, PortId> source_of_;
    std::unordered_set<std::string> names_;
    std::set<std::pair<UnitId, std::uint32_t>> taken_; ///< inputs and parameters
    std::size_t exposed_ = 0;
    Interface result_;
};

} // namespace

Interface derive_interface(const scenario::Scenario& inner, const scenario::System& system,
                           std::span<const UnitDescription> descriptions,
                           Diagnostics& diagnostics) {
    return Derivation(inner, system, descriptions, diagnostics).derive();
}

} // namespace rubato::composite
