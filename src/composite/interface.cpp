// SPDX-License-Identifier: Apache-2.0
#include "chain.hpp"
#include "exposure.hpp"
#include "feedthrough.hpp"

#include <rubato/composite/interface.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace rubato::composite {

using scenario::Causality;
using scenario::UnitDescription;
using scenario::Variable;

namespace {

constexpr unsigned highest_order = 2; ///< of the polynomials that inputs may be

class Derivation {
public:
    Derivation(const scenario::Scenario& inner, const scenario::System& system,
               std::span<const UnitDescription> descriptions, Diagnostics& diagnostics)
        : inner_(inner), system_(system), descriptions_(descriptions),
          exposure_(inner, system, descriptions, diagnostics) {}

    Interface derive() && {
        UnitDescription& description = result_.description;
        description.model = inner_.name;
        description.kind = "scenario";
        description.source = inner_.file.filename().string();
        for (Exposed& each : exposure_.find())
            add(std::move(each.name), each.causality, std::move(each.all));
        exposed_ = description.variables.size();
        derive_feedthrough();
        add_locals();
        result_.has_events = scenario::has_events(system_);
        derive_capabilities();
        suggest_experiment();
        return std::move(result_);
    }

private:
    const Variable& variable(const InnerVariable& inner) const { return exposure_.variable(inner); }
    std::vector<PortId> ports_of(const InnerVariable& inner) const {
        return exposure_.ports_of(inner);
    }

    void add(std::string name, Causality causality, std::vector<InnerVariable> all) {
        auto& variables = result_.description.variables;
        Variable variable = this->variable(all.front());
        variable.name = std::move(name);
        variable.causality = causality;
        variable.reference = static_cast<ValueRef>(variables.size());
        variable.derivative_of.reset();
        for (scenario::Dimension& dimension : variable.dimensions) dimension.parameter.reset();
        take_contract(all, variable);
        take_start(all.front(), variable);
        variable.intermediate = causality == Causality::output && has_own_steps() &&
                                variable.variability == scenario::Variability::continuous &&
                                variable.type == ValueType::float64 && !variable.is_array();
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
        return std::ranges::any_of(exposure_.connections(), [&](const auto& connection) {
            return reach.contains(connection.second);
        });
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
                if (!exposure_.obstacle(inner).empty() && !has_column) continue;
                // Those of deeper levels have their path already: "/clutch/disc.w".
                const std::string& name = variable(inner).name;
                add("/" + inner_.units[inner.unit.value].name + (name.starts_with('/') ? "" : ".") +
                        name,
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
        all.serialization = all.snapshots && have(&scenario::Capabilities::serialization);
        all.directional_derivatives = result_.chain.has_value();
        all.may_reject_step = all.snapshots && result_.has_events && has_discrete_output();
        all.may_return_early = all.may_reject_step;
        all.event_mode =
            has_unit_with_event_mode() && (has_discrete_output() || has_discrete_input());
        all.intermediate_outputs = has_own_steps();
        all.input_derivatives = order_of_inputs();
    }

    bool has_unit_with_event_mode() const {
        return std::ranges::any_of(system_.units, &scenario::SystemUnit::has_event_mode);
    }

    bool has_discrete_output() const { return has_discrete(Causality::output); }
    bool has_discrete_input() const { return has_discrete(Causality::input); }
    bool has_discrete(Causality causality) const {
        const auto& variables = result_.description.variables;
        return std::ranges::any_of(variables, [&](const Variable& each) {
            return each.causality == causality &&
                   each.variability != scenario::Variability::continuous;
        });
    }

    /// Otherwise it makes those of the whole.
    bool has_own_steps() const {
        return !inner_.experiment.open.step ||
               inner_.step_control.controller != scenario::StepController::fixed;
    }

    /// With steps of its own, polynomials can be evaluated at each of them; else the units that get
    /// them must do that.
    unsigned order_of_inputs() const {
        if (has_own_steps()) return highest_order;
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
        if (!experiment.open.step && experiment.step_output.empty())
            suggested.step = experiment.step;
        suggested.tolerance = experiment.tolerance;
    }

    const scenario::Scenario& inner_;
    const scenario::System& system_;
    std::span<const UnitDescription> descriptions_;
    Exposure exposure_;
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
