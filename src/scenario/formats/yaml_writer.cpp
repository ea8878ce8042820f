// SPDX-License-Identifier: Apache-2.0
#include "unit_origins.hpp"
#include "yaml_coupling.hpp"
#include "yaml_text.hpp"

#include <rubato/scenario/words.hpp>
#include <rubato/scenario/yaml.hpp>

#include <algorithm>

namespace rubato::scenario {

using formats::in_quotes;
using formats::InlineMap;
using formats::is_plain;
using formats::Lines;
using formats::PartialSettingsWriter;
using formats::SettingsWriter;
using formats::to_yaml;
using formats::write_settings;

namespace {

/// The elements, in rows within rows where they have a shape.
std::string to_list(const Assignment& assignment) {
    std::vector<std::string> items;
    for (const Value& element : assignment.elements) items.push_back(to_yaml(element));
    for (std::size_t d = assignment.shape.size(); d-- > 1;) {
        std::vector<std::string> rows;
        const auto length = static_cast<std::ptrdiff_t>(assignment.shape[d]);
        for (auto first = items.begin(); first != items.end(); first += length)
            rows.push_back(format("[{}]", fmt::join(first, first + length, ", ")));
        items = std::move(rows);
    }
    return format("[{}]", fmt::join(items, ", "));
}

void write_assignments(Lines& lines, std::string_view section,
                       const std::vector<Assignment>& assignments) {
    if (assignments.empty()) return;
    lines.add(2, section);
    for (const Assignment& assignment : assignments) {
        lines.add(3, to_yaml(assignment.variable),
                  assignment.elements.empty() ? to_yaml(assignment.value) : to_list(assignment));
    }
}

void write_inputs(Lines& lines, const std::vector<InputSettings>& inputs) {
    if (inputs.empty()) return;
    lines.add(2, "inputs");
    for (const InputSettings& input : inputs) {
        InlineMap map;
        map.add("approximation", input.approximation);
        map.add("mode", input.mode).add("contract", input.contract).add("join", input.join);
        map.add("error-gain", input.error_gain).add("error-weight", input.error_weight);
        map.add("variability", input.variability);
        lines.add(3, to_yaml(input.name), map.text());
    }
}

std::string settings_of(const OutputSettings& output) {
    InlineMap map;
    map.add("feedthrough", output.feedthrough);
    map.add("feedthrough-initial", output.feedthrough_initial);
    map.add("absolute-tolerance", output.absolute_tolerance);
    map.add("relative-tolerance", output.relative_tolerance);
    map.add("nominal", output.nominal);
    map.add("variability", output.variability);
    map.add("approximation", output.approximation);
    return map.text();
}

void write_outputs(Lines& lines, const std::vector<OutputSettings>& outputs) {
    if (outputs.empty()) return;
    lines.add(2, "outputs");
    for (const OutputSettings& output : outputs)
        lines.add(3, to_yaml(output.name), settings_of(output));
}

void write_stepping(Lines& lines, const Unit& unit) {
    if (unit.sub_steps) lines.add(2, "sub-steps", to_yaml(*unit.sub_steps));
    if (unit.step) lines.add(2, "step", to_yaml(*unit.step));
    if (!unit.energy.empty()) lines.add(2, "energy", to_yaml(unit.energy));
    if (!unit.losses.empty()) lines.add(2, "losses");
    for (const LossSettings& loss : unit.losses) {
        InlineMap map;
        map.add("effort", std::optional(loss.effort));
        map.add("displacement", std::optional(loss.displacement));
        lines.add_item(3, map.text());
    }
}

void write_unit(Lines& lines, const Unit& unit, Detail detail) {
    lines.add_comment(1, unit.remark.text);
    lines.add(1, to_yaml(unit.name));
    formats::write_origin(lines, unit.origin, detail);
    if (unit.type) lines.add(2, "type", to_yaml(*unit.type));
    if (unit.solver) {
        lines.add(2, "solver");
        SolverSettings::fields(*unit.solver, SettingsWriter(lines, 3));
    }
    if (unit.isolate) {
        lines.add(2, "isolate");
        IsolationSettings::fields(*unit.isolate, SettingsWriter(lines, 3));
    }
    if (unit.logging) {
        lines.add(2, "logging");
        LoggingSettings::fields(*unit.logging, SettingsWriter(lines, 3));
    }
    write_assignments(lines, "parameters", unit.parameters);
    write_assignments(lines, "start", unit.start);
    const bool has_ports = !unit.inputs.empty() || !unit.outputs.empty();
    if (unit.is_only_declared() && !has_ports) lines.add(2, "inputs", "{}");
    write_inputs(lines, unit.inputs);
    write_outputs(lines, unit.outputs);
    if (unit.can_reject_step) lines.add(2, "can-reject-step", to_yaml(*unit.can_reject_step));
    write_stepping(lines, unit);
}

std::string arrow(const std::string& from, const std::string& to) {
    const bool plain = is_plain(from) && is_plain(to);
    const std::string text = from + " -> " + to;
    return plain ? text : in_quotes(text);
}

void write_connection(Lines& lines, int depth, const Connection& connection) {
    const std::string text = arrow(connection.from_unit + "." + connection.from_port,
                                   connection.to_unit + "." + connection.to_port);
    const bool is_plain_copy =
        connection.factor == 1 && connection.offset == 0 && connection.convert;
    if (is_plain_copy && !connection.to_type) {
        lines.add_item(depth, text);
        return;
    }
    InlineMap map;
    if (connection.factor != 1) map.add("factor", std::optional(connection.factor));
    if (connection.offset != 0) map.add("offset", std::optional(connection.offset));
    if (connection.to_type)
        map.add("convert", connection.to_type);
    else if (!connection.convert)
        map.add("convert", std::optional(false));
    if (connection.to_type == TypeConversion::threshold)
        map.add("threshold", std::optional(connection.threshold));
    lines.add_item(depth, text + ": " + map.text());
}

void write_connections(Lines& lines, int depth, const std::vector<Connection>& connections) {
    lines.add(depth, "connections", connections.empty() ? "[]" : "");
    for (const Connection& connection : connections) write_connection(lines, depth + 1, connection);
}

void write_bonds(Lines& lines, const std::vector<BondSettings>& bonds) {
    if (!bonds.empty()) lines.add(0, "bonds");
    const auto text = [](const Connection& connection) {
        return connection.from_unit + "." + connection.from_port + " -> " + connection.to_unit +
               "." + connection.to_port;
    };
    for (const BondSettings& bond : bonds) {
        lines.add(1, to_yaml(bond.name));
        lines.add(2, "effort", to_yaml(text(bond.effort)));
        lines.add(2, "flow", to_yaml(text(bond.flow)));
    }
}

void write_step_limits(Lines& lines, const StepLimitSettings& limits) {
    if (!limits.empty()) lines.add(0, "step-limits");
    if (!limits.changes.empty()) lines.add(1, "changes");
    for (const ChangeLimit& change : limits.changes) {
        InlineMap map;
        map.add("of", std::optional(change.of)).add("minus", change.minus);
        map.add("absolute", change.absolute).add("relative", change.relative);
        lines.add_item(2, map.text());
    }
    if (!limits.sampling.empty()) lines.add(1, "sampling");
    for (const SamplingInstants& sampling : limits.sampling) {
        InlineMap map;
        map.add("period", std::optional(sampling.period)).add("start", sampling.start);
        lines.add_item(2, map.text());
    }
}

void write_statements(Lines& lines, int depth, std::string_view key,
                      const std::vector<WrittenOp>& ops);

void write_items(Lines& lines, int depth, const std::vector<WrittenOp>& ops);

void write_statement(Lines& lines, int depth, const WrittenOp& op) {
    if (op.operation == Operation::loop) {
        lines.add_item(depth, "loop:");
        if (op.until_converged)
            lines.add(depth + 2, "until-converged", to_yaml(*op.until_converged));
        if (op.until_step_accept)
            lines.add(depth + 2, "until-step-accept", to_yaml(*op.until_step_accept));
        write_statements(lines, depth + 2, "iterate", op.iterate);
        write_statements(lines, depth + 2, "if-retry-needed", op.if_retry_needed);
    } else if (op.operation == Operation::parallel) {
        lines.add_item(depth, op.branches.empty() ? "parallel: []" : "parallel:");
        for (const std::vector<WrittenOp>& branch : op.branches) {
            lines.add_item(depth + 2, branch.empty() ? "[]" : "");
            write_items(lines, depth + 3, branch);
        }
    } else if (op.by || op.by_same_as) {
        InlineMap map;
        map.add(to_string(op.operation), std::optional(op.object));
        map.add("by", op.by).add("by-same-as", op.by_same_as);
        lines.add_item(depth, map.text());
    } else {
        lines.add_item(depth, format("{}: {}", to_string(op.operation), to_yaml(op.object)));
    }
}

void write_items(Lines& lines, int depth, const std::vector<WrittenOp>& ops) {
    for (const WrittenOp& op : ops) write_statement(lines, depth, op);
}

void write_statements(Lines& lines, int depth, std::string_view key,
                      const std::vector<WrittenOp>& ops) {
    lines.add(depth, key, ops.empty() ? "[]" : "");
    write_items(lines, depth + 1, ops);
}

/// What is open stays so.
void write_experiment(Lines& all_lines, const Experiment& experiment, Detail detail) {
    const Experiment::Open& open = experiment.open;
    const bool returns_to_grid = detail == Detail::deviations &&
                                 experiment.after_partial_step == AfterPartialStep::return_to_grid;
    Lines lines;
    SettingsWriter writer(lines);
    Experiment::fields(
        experiment, [&](std::string_view key, const auto& member, std::string_view meaning) {
            const bool is_open = (key == "start" && open.start) || (key == "stop" && open.stop) ||
                                 (key == "step" && open.step);
            if (!is_open && !(key == "after-partial-step" && returns_to_grid))
                writer(key, member, meaning);
        });
    const std::string text = lines.take();
    if (text.empty() && detail == Detail::deviations) return;
    all_lines.add(0, "experiment");
    all_lines.add_text(0, text);
}

/// `key` is that of the only one, if it has no name.
void write_procedures(Lines& lines, const std::vector<WrittenProcedure>& procedures,
                      std::string_view unnamed, const std::string& key) {
    if (procedures.size() == 1 && procedures[0].name == unnamed) {
        write_statements(lines, 1, key, procedures[0].body);
        return;
    }
    lines.add(1, key + "s", procedures.empty() ? "{}" : "");
    for (const WrittenProcedure& procedure : procedures)
        write_statements(lines, 2, to_yaml(procedure.name), procedure.body);
}

/// An algorithm that is written out has no recipe.
void write_algorithm(Lines& lines, const Scenario& scenario, Detail detail) {
    if (!scenario.written) {
        write_settings(lines, "algorithm", scenario.algorithm, detail);
        return;
    }
    lines.add(0, "algorithm");
    AlgorithmSettings::fields(scenario.algorithm, PartialSettingsWriter(lines, "recipe"));
    const WrittenAlgorithm& written = *scenario.written;
    write_statements(lines, 1, "initialization", written.initialization);
    write_procedures(lines, written.steps, unnamed_procedure, "step");
    if (!written.events.empty()) write_procedures(lines, written.events, unnamed_event, "event");
}

void write_configurations(Lines& lines, const Scenario& scenario) {
    if (scenario.largest_step != 1) lines.add(0, "largest-step", to_yaml(scenario.largest_step));
    if (!scenario.configurations.empty()) lines.add(0, "configurations");
    for (const ConfigurationSettings& configuration : scenario.configurations) {
        lines.add(1, to_yaml(configuration.name));
        lines.add(2, "procedure", to_yaml(configuration.procedure));
        if (configuration.from) lines.add(2, "from", to_yaml(*configuration.from));
        if (configuration.when) lines.add(2, "when", to_yaml(to_string(*configuration.when)));
        if (!configuration.contracts.empty()) lines.add(2, "inputs");
        for (const auto& contract : configuration.contracts)
            lines.add(3, to_yaml(contract.unit + "." + contract.input),
                      to_yaml(contract.reactivity));
        write_connections(lines, 2, configuration.connections);
    }
}

void write_unit_clocks(Lines& lines, const UnitClocks& unit) {
    lines.add(2, to_yaml(unit.unit));
    if (!unit.inputs.empty()) lines.add(3, "input-clocks");
    for (const InputClock& clock : unit.inputs) {
        InlineMap map;
        map.add("type-of-clock", std::optional(clock.type));
        if (clock.interval != 0) map.add("interval", std::optional(clock.interval));
        lines.add(4, to_yaml(clock.name), map.text());
    }
    if (!unit.outputs.empty()) lines.add(3, "output-clocks");
    for (const OutputClock& clock : unit.outputs) {
        InlineMap map;
        map.add("type-of-clock", std::optional(clock.type));
        map.add("dependencies", std::optional(clock.dependencies));
        map.add("dependencies-clocks", std::optional(clock.dependencies_clocks));
        lines.add(4, to_yaml(clock.name), map.text());
    }
    if (!unit.ports.empty()) lines.add(3, "ports");
    for (const ClockedPort& port : unit.ports)
        lines.add(4, to_yaml(port.port), to_yaml(port.clocks));
}

void write_strategy(Lines& lines, const EventStrategy& strategy) {
    lines.add(2, to_yaml(strategy.name));
    lines.add(3, "clocks", to_yaml(strategy.clocks));
    lines.add(3, "iterate", strategy.iterate.empty() ? "[]" : "");
    for (const EventOp& op : strategy.iterate)
        lines.add_item(4, format("{}: {}", to_string(op.operation), to_yaml(op.object)));
}

void write_clocks(Lines& lines, const Clocks& clocks) {
    lines.add(0, "clocks");
    lines.add(1, "units", clocks.units.empty() ? "{}" : "");
    for (const UnitClocks& unit : clocks.units) write_unit_clocks(lines, unit);
    lines.add(1, "connections", clocks.connections.empty() ? "[]" : "");
    for (const ClockConnection& c : clocks.connections) {
        lines.add_item(2, arrow(c.from_unit + "." + c.from_clock, c.to_unit + "." + c.to_clock));
    }
    lines.add(1, "event-strategies", clocks.strategies.empty() ? "{}" : "");
    for (const EventStrategy& strategy : clocks.strategies) write_strategy(lines, strategy);
}

void write_exposed(Lines& lines, std::string_view key,
                   const std::vector<ExposedVariable>& variables) {
    if (!variables.empty()) lines.add(1, key);
    for (const ExposedVariable& variable : variables)
        lines.add(2, to_yaml(variable.name),
                  variable.of.size() == 1 ? to_yaml(variable.of[0]) : to_yaml(variable.of));
}

void write_interface(Lines& lines, const InterfaceSettings& interface) {
    const bool is_empty =
        interface.inputs.empty() && interface.outputs.empty() && interface.parameters.empty();
    lines.add(0, "interface", is_empty ? "{}" : "");
    write_exposed(lines, "inputs", interface.inputs);
    write_exposed(lines, "outputs", interface.outputs);
    write_exposed(lines, "parameters", interface.parameters);
}

} // namespace

std::string write_yaml(const Scenario& scenario) { return write_yaml(scenario, Detail::all); }

std::string write_yaml(const Scenario& scenario, Detail detail) {
    Lines lines;
    lines.add(0, "rubato", "1");
    if (!scenario.name.empty()) lines.add(0, "name", to_yaml(scenario.name));
    lines.add(0, "units");
    for (const Unit& unit : scenario.units) write_unit(lines, unit, detail);
    if (!scenario.connections.empty()) write_connections(lines, 0, scenario.connections);
    write_bonds(lines, scenario.bonds);
    formats::write_constraints(lines, 0, "constraints", scenario.constraints);
    formats::write_machines(lines, scenario.machines);
    if (!(scenario.communication == CommunicationSettings{.where = scenario.communication.where}))
        write_settings(lines, "communication", scenario.communication, detail);
    write_experiment(lines, scenario.experiment, detail);
    write_settings(lines, "step-control", scenario.step_control, detail);
    write_step_limits(lines, scenario.step_limits);
    write_algorithm(lines, scenario, detail);
    write_settings(lines, "loops", scenario.loops, detail);
    write_settings(lines, "events", scenario.events, detail);
    write_settings(lines, "record", scenario.recording, detail);
    write_configurations(lines, scenario);
    if (scenario.clocks) write_clocks(lines, *scenario.clocks);
    if (scenario.interface) write_interface(lines, *scenario.interface);
    formats::write_hla(lines, scenario.hla);
    return lines.take();
}

std::string write_yaml(const OutputSettings& output) {
    return format("{}: {}", to_yaml(output.name), settings_of(output));
}

} // namespace rubato::scenario
