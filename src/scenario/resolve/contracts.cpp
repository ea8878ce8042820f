// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <cmath>
#include <numeric>
#include <unordered_set>

namespace rubato::scenario {

namespace {

bool is_input(const Variable& variable) { return variable.causality == Causality::input; }
bool is_output(const Variable& variable) { return variable.causality == Causality::output; }

/// A nominal value that is 0 or infinite says nothing.
double magnitude_of(const Variable& variable) {
    const double nominal = std::abs(variable.nominal.value_or(1));
    return nominal > 0 && std::isfinite(nominal) ? nominal : 1;
}

Port make_port(UnitId unit, std::uint32_t index, const Variable& variable, const Part& part) {
    Port port;
    port.unit = unit;
    port.variable = index;
    port.part = part;
    port.direction = is_output(variable) ? Direction::output : Direction::input;
    port.name = part.is_whole() ? variable.name : element_name(variable, part.first);
    port.type = variable.type;
    port.reference = variable.reference;
    port.is_continuous = storage_of(variable.type) == Storage::real &&
                         variable.variability == Variability::continuous;
    port.nominal = magnitude_of(variable);
    if (variable.reactive) {
        port.reactivity = Reactivity::reactive;
        port.reactivity_origin = Origin::model_description;
    }
    return port;
}

/// By unit and variable: a connection leads to it.
using Targets = std::vector<std::unordered_set<std::uint32_t>>;

Targets find_targets(const Resolver& resolver) {
    Targets targets(resolver.scenario.units.size());
    const auto add = [&](const std::vector<Connection>& connections) {
        for (const Connection& connection : connections) {
            const auto unit = resolver.find_unit(connection.to_unit);
            const auto part = unit ? resolver.find_part(*unit, connection.to_port) : std::nullopt;
            if (part) targets[unit->value].insert(part->variable);
        }
    };
    add(resolver.scenario.connections);
    for (const ConfigurationSettings& configuration : resolver.scenario.configurations)
        add(configuration.connections);
    return targets;
}

void make_ports_of(Resolver& resolver, UnitId id, const Targets& targets) {
    const UnitDescription& description = resolver.descriptions[id.value];
    SystemUnit unit;
    unit.name = resolver.unit(id).name;
    unit.where = resolver.unit(id).where;
    // A table whose jumps end steps announces them as events.
    const auto* const table = std::get_if<TableFile>(&resolver.unit(id).origin);
    unit.has_event_mode =
        description.capabilities.event_mode || (table && table->stop_at_jumps.value_or(false));
    unit.can_roll_back = description.capabilities.snapshots;
    if (const auto can_reject = resolver.unit(id).can_reject_step) {
        unit.can_reject_step = *can_reject;
        unit.can_reject_origin = Origin::scenario;
    } else if (description.capabilities.may_reject_step) {
        unit.can_reject_step = true;
        unit.can_reject_origin = Origin::model_description;
    }
    for (std::uint32_t v = 0; v < description.variables.size(); ++v) {
        const Variable& variable = description.variables[v];
        const bool is_fed = is_tunable_parameter(variable) && targets[id.value].contains(v);
        if (!is_input(variable) && !is_output(variable) && !is_fed) continue;
        if (!obstacle_to_port(variable).empty()) continue;
        resolver.units[id.value].ports[v] = nth<PortId>(resolver.system.ports.size());
        const std::uint32_t size = variable.element_count();
        const std::uint32_t each = resolver.units[id.value].is_split[v] ? 1 : size;
        for (std::uint32_t first = 0; first < size; first += each) {
            (is_output(variable) ? unit.outputs : unit.inputs)
                .push_back(nth<PortId>(resolver.system.ports.size()));
            resolver.system.ports.push_back(make_port(id, v, variable, {first, each, size}));
            resolver.system.ports.back().where = unit.where;
        }
    }
    resolver.system.units.push_back(std::move(unit));
}

unsigned order_of(Approximation approximation) { return static_cast<unsigned>(approximation); }

Reactivity implied_by(ApproximationMode mode) {
    return mode == ApproximationMode::interpolate ? Reactivity::reactive : Reactivity::delayed;
}

void settle_reactivity(Resolver& resolver, const InputSettings& settings, Port& port) {
    const auto from_mode = settings.mode ? std::optional(implied_by(*settings.mode)) : std::nullopt;
    if (settings.contract && from_mode && *settings.contract != *from_mode) {
        resolver.diagnostics.error(
            settings.where,
            format("input \"{}\" of unit \"{}\" cannot be {} and {}", port.name,
                   resolver.unit(port.unit).name, to_string(*settings.contract),
                   settings.mode == ApproximationMode::interpolate ? "interpolated"
                                                                   : "extrapolated"),
            "reactive inputs are interpolated, delayed ones extrapolated: give one of the two");
    }
    const auto reactivity = settings.contract ? settings.contract : from_mode;
    if (!reactivity) return;
    port.reactivity = *reactivity;
    port.reactivity_origin = Origin::scenario;
}

/// Of a real: the scenario knows better than the unit.
template <class Settings>
void settle_variability(Resolver& resolver, const Settings& settings, Port& port) {
    if (!settings.variability) return;
    const Variability wanted = *settings.variability;
    if (wanted != Variability::continuous && wanted != Variability::discrete) {
        resolver.diagnostics.error(settings.where,
                                   format("variability of {} cannot be {}",
                                          resolver.unit(port.unit).name + "." + port.name,
                                          to_string(wanted)),
                                   "a port is continuous or discrete");
    } else if (storage_of(port.type) != Storage::real && wanted == Variability::continuous) {
        resolver.diagnostics.error(settings.where,
                                   format("{}.{} is of type {}: it cannot be continuous",
                                          resolver.unit(port.unit).name, port.name,
                                          to_string(port.type)),
                                   "only reals are: remove variability");
    } else {
        port.is_continuous = wanted == Variability::continuous;
        port.variability_origin = Origin::scenario;
    }
}

/// Some exporters declare every real discrete.
void report_discrete(Resolver& resolver, const InputSettings& settings, const Port& port) {
    const UnitDescription& description = resolver.descriptions[port.unit.value];
    const Variability declared = resolver.variable(port.unit, port.variable).variability;
    const bool by_scenario = port.variability_origin == Origin::scenario;
    resolver.diagnostics.error(
        settings.where,
        format("input \"{}\" of unit \"{}\" is discrete: its approximation cannot be {}; {}",
               port.name, resolver.unit(port.unit).name, to_string(*settings.approximation),
               by_scenario ? std::string("the scenario says that it is discrete")
                           : format("the unit, {}, declares variability {}", description.kind,
                                    to_string(declared))),
        by_scenario ? "use constant: it holds between events"
                    : format("use constant: it holds between events; if it moves all the same, "
                             "write inputs: {{{}: {{variability: continuous}}}}",
                             port.name));
}

bool is_held_by_solver(const Resolver& resolver, const Port& port) {
    return resolver.descriptions[port.unit.value].interface == Interface::model_exchange &&
           resolver.variable(port.unit, port.variable).variability != Variability::continuous;
}

/// Whether a step of the whole is several of the unit, so that inputs can change between them.
bool changes_inputs_between_parts(const Unit& unit, const Experiment& experiment) {
    return unit.sub_steps || (unit.step && *unit.step < experiment.step * (1 - 1e-9));
}

void settle_approximation(Resolver& resolver, const InputSettings& settings, Port& port) {
    if (!settings.approximation) return;
    port.approximation = *settings.approximation;
    const unsigned order = order_of(*settings.approximation);
    if (order == 0) return;
    const std::string& unit = resolver.unit(port.unit).name;
    if (storage_of(port.type) != Storage::real) {
        resolver.diagnostics.error(
            settings.where,
            format("input \"{}\" of unit \"{}\" is of type {}: its approximation cannot be {}",
                   port.name, unit, to_string(port.type), to_string(*settings.approximation)),
            "use constant");
        return;
    }
    if (!port.is_continuous) {
        report_discrete(resolver, settings, port);
        return;
    }
    if (resolver.variable(port.unit, port.variable).is_array()) {
        resolver.diagnostics.error(
            settings.where,
            format("input \"{}\" of unit \"{}\" is of an array: its approximation cannot be {}",
                   port.name, unit, to_string(*settings.approximation)),
            "use constant");
        return;
    }
    if (changes_inputs_between_parts(resolver.unit(port.unit), resolver.scenario.experiment))
        return;
    if (is_held_by_solver(resolver, port)) {
        resolver.diagnostics.error(
            settings.where,
            format("input \"{}\" of unit \"{}\" cannot be approximated: the FMU declares it "
                   "discrete, and its equations are solved with what is discrete held",
                   port.name, unit),
            "cut its steps, so that the input can change between the parts: sub-steps: 10");
        return;
    }
    const unsigned possible = resolver.descriptions[port.unit.value].capabilities.input_derivatives;
    if (order <= possible) return;
    resolver.diagnostics.error(
        settings.where,
        format("unit \"{}\" cannot take input derivatives of order {}, which approximation {} of "
               "input \"{}\" needs",
               unit, order, to_string(*settings.approximation), port.name),
        format("cut its steps, so that the input can change between the parts: sub-steps: 10; or "
               "use {}",
               possible == 0 ? "constant" : "constant or linear"));
}

void settle_join(Resolver& resolver, const InputSettings& settings, Port& port) {
    if (!settings.join) return;
    port.join = *settings.join;
    if (port.join == Join::jump || port.approximation != Approximation::constant) return;
    resolver.diagnostics.error(
        settings.where,
        format("input \"{}\" of unit \"{}\" is constant between communication points: its pieces "
               "cannot join continuously",
               port.name, resolver.unit(port.unit).name),
        "remove join, or give it approximation: linear");
}

void settle_input(Resolver& resolver, UnitId unit, const InputSettings& settings) {
    const auto ports = resolver.find_ports(unit, settings.name, Direction::input);
    if (ports.empty())
        resolver.report_unknown_variable(settings.where, unit, settings.name, "input", is_input);
    for (const PortId id : ports) {
        Port& port = resolver.system.port(id);
        port.where = settings.where;
        settle_reactivity(resolver, settings, port);
        settle_variability(resolver, settings, port);
        settle_approximation(resolver, settings, port);
        settle_join(resolver, settings, port);
    }
}

/// The inputs that a scenario names as feeding through to an output.
std::vector<PortId> named_inputs(Resolver& resolver, UnitId unit, const OutputSettings& settings,
                                 const std::vector<std::string>& names) {
    std::vector<PortId> inputs;
    std::unordered_set<PortId> seen;
    for (const std::string& name : names) {
        const auto ports = resolver.find_ports(unit, name, Direction::input);
        if (ports.empty())
            resolver.report_unknown_variable(settings.where, unit, name, "input", is_input);
        for (const PortId port : ports)
            if (seen.insert(port).second) inputs.push_back(port);
    }
    return inputs;
}

/// The inputs that a unit names itself, without those that are no ports.
std::vector<PortId> declared_inputs(const Resolver& resolver, UnitId unit,
                                    const std::vector<std::uint32_t>& variables) {
    std::vector<PortId> inputs;
    for (const std::uint32_t variable : variables) {
        for (const PortId port : resolver.ports_of(unit, {variable, std::nullopt}))
            if (resolver.system.port(port).direction == Direction::input) inputs.push_back(port);
    }
    return inputs;
}

/// FMI 2.0 section 2.2.8 and FMI 3.0 section 2.4.8: what names no dependencies depends on all.
void assume_feedthrough(Resolver& resolver, UnitId unit) {
    const SystemUnit& system_unit = resolver.system.unit(unit);
    for (const PortId output : system_unit.outputs) {
        Port& port = resolver.system.port(output);
        port.feedthrough = port.feedthrough_initial = system_unit.inputs;
    }
}

void take_declared_feedthrough(Resolver& resolver, UnitId unit) {
    for (const Dependencies& declared : resolver.descriptions[unit.value].dependencies) {
        for (const PortId id : resolver.ports_of(unit, {declared.output, std::nullopt})) {
            Port& port = resolver.system.port(id);
            if (port.direction != Direction::output) continue;
            if (declared.step) {
                port.feedthrough = declared_inputs(resolver, unit, *declared.step);
                port.feedthrough_initial = port.feedthrough;
                port.feedthrough_origin = Origin::model_description;
            }
            if (declared.initial)
                port.feedthrough_initial = declared_inputs(resolver, unit, *declared.initial);
        }
    }
}

void check_tolerance(Resolver& resolver, const OutputSettings& settings, const Port& port,
                     std::string_view key, std::optional<double> value) {
    if (!value) return;
    const std::string& unit = resolver.unit(port.unit).name;
    if (storage_of(port.type) != Storage::real) {
        resolver.diagnostics.error(
            settings.where,
            format("output \"{}\" of unit \"{}\" is of type {}: it has no {}", port.name, unit,
                   to_string(port.type), key),
            "it has converged when it is the same twice");
    } else if (!(*value >= 0) || std::isinf(*value)) {
        resolver.diagnostics.error(
            settings.where, format("{} of output \"{}\" of unit \"{}\" is {}: it must not be "
                                   "negative",
                                   key, port.name, unit, shortest(*value)));
    }
}

void settle_tolerances(Resolver& resolver, const OutputSettings& settings, Port& port) {
    check_tolerance(resolver, settings, port, "absolute-tolerance", settings.absolute_tolerance);
    check_tolerance(resolver, settings, port, "relative-tolerance", settings.relative_tolerance);
    port.absolute_tolerance = settings.absolute_tolerance;
    port.relative_tolerance = settings.relative_tolerance;
    if (settings.nominal && !(*settings.nominal > 0 && std::isfinite(*settings.nominal))) {
        resolver.diagnostics.error(settings.where,
                                   format("nominal of output \"{}\" of unit \"{}\" is {}: it must "
                                          "be positive",
                                          port.name, resolver.unit(port.unit).name,
                                          shortest(*settings.nominal)));
    }
    port.nominal = settings.nominal.value_or(port.nominal);
}

void settle_output(Resolver& resolver, UnitId unit, const OutputSettings& settings) {
    const auto ports = resolver.find_ports(unit, settings.name, Direction::output);
    if (ports.empty())
        resolver.report_unknown_variable(settings.where, unit, settings.name, "output", is_output);
    for (const PortId id : ports) {
        Port& port = resolver.system.port(id);
        port.where = settings.where;
        settle_variability(resolver, settings, port);
        settle_tolerances(resolver, settings, port);
        if (settings.feedthrough) {
            port.feedthrough = named_inputs(resolver, unit, settings, *settings.feedthrough);
            port.feedthrough_initial = port.feedthrough;
            port.feedthrough_origin = Origin::scenario;
        }
        if (settings.feedthrough_initial) {
            port.feedthrough_initial =
                named_inputs(resolver, unit, settings, *settings.feedthrough_initial);
        }
    }
}

} // namespace

std::string_view obstacle_to_port(const Variable& variable) {
    const std::uint32_t count = variable.element_count();
    if (count == 0) return "is an array without elements";
    if (count == max_elements) return "is an array with too many elements to be exchanged";
    if (variable.type == ValueType::clock) return "is a clock: it can be connected to clocks only";
    if (is_input(variable) && variable.derivative_of) {
        return "carries the derivative of another input, not a value of its own";
    }
    return {};
}

bool is_tunable_parameter(const Variable& variable) {
    return variable.causality == Causality::parameter &&
           variable.variability == Variability::tunable;
}

void make_ports(Resolver& resolver) {
    const Targets targets = find_targets(resolver);
    for (std::size_t u = 0; u < resolver.scenario.units.size(); ++u) {
        make_ports_of(resolver, nth<UnitId>(u), targets);
    }
    make_clocks(resolver);
}

void settle_contracts(Resolver& resolver) {
    for (std::size_t u = 0; u < resolver.scenario.units.size(); ++u) {
        const auto id = nth<UnitId>(u);
        assume_feedthrough(resolver, id);
        take_declared_feedthrough(resolver, id);
        for (const InputSettings& settings : resolver.unit(id).inputs)
            settle_input(resolver, id, settings);
        for (const OutputSettings& settings : resolver.unit(id).outputs)
            settle_output(resolver, id, settings);
    }
}

} // namespace rubato::scenario
