// SPDX-License-Identifier: Apache-2.0
#include <rubato/private/format.hpp>
#include <rubato/scenario/conf.hpp>

#include <algorithm>
#include <array>

namespace rubato::scenario {

namespace {

using Names = std::vector<std::string>;

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

/// Words that are not, or not only, text without quotes.
bool is_reserved(std::string_view text) {
    static constexpr std::array<std::string_view, 4> reserved = {"null", "true", "false",
                                                                 "include"};
    return std::ranges::find(reserved, text) != reserved.end();
}

std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < ' ') {
            result += format("\\u{:04x}", static_cast<unsigned>(c));
            continue;
        }
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

/// In a key a dot would nest.
std::string key(const std::string& text) {
    const bool is_plain =
        !text.empty() && !is_reserved(text) && std::ranges::all_of(text, is_word_character);
    return is_plain ? text : in_quotes(text);
}

std::string value(const std::string& text) {
    const bool is_plain =
        !text.empty() && !is_reserved(text) &&
        std::ranges::all_of(text, [](char c) { return is_word_character(c) || c == '.'; });
    return is_plain ? text : in_quotes(text);
}

std::string list(const Names& names) {
    Names items;
    for (const std::string& name : names) items.push_back(value(name));
    return format("[{}]", fmt::join(items, ", "));
}

std::string dependencies(const Names& initial, const Names& step) {
    return format("dependencies-init={}, dependencies={}", list(initial), list(step));
}

class ConfWriter {
public:
    explicit ConfWriter(const Scenario& scenario) : scenario_(scenario) {}

    std::string write() {
        line("name = {}", in_quotes(scenario_.name));
        open("scenario = {{");
        open("fmus = {{");
        for (const Unit& unit : scenario_.units) write_unit(unit);
        close("}}");
        write_configurations();
        write_connections(scenario_.connections);
        if (scenario_.clocks) write_clock_connections();
        if (scenario_.largest_step != 1)
            line("max-possible-step-size = {}", scenario_.largest_step);
        close("}}");
        write_algorithm();
        if (scenario_.clocks) write_strategies();
        return std::move(text_);
    }

private:
    // -- lines -----------------------------------------------------------------------------------

    template <class... Args>
    void line(std::string_view pattern, const Args&... args) {
        text_.append(4 * depth_, ' ').append(format(fmt::runtime(pattern), args...)).append("\n");
    }
    template <class... Args>
    void open(std::string_view pattern, const Args&... args) {
        line(pattern, args...);
        ++depth_;
    }
    void close(std::string_view bracket) {
        --depth_;
        line(bracket);
    }

    // -- units -----------------------------------------------------------------------------------

    /// `, clocks=[s]` in the form for FMI 3.0.
    std::string clocks_of(const Unit& unit, const std::string& port) const {
        if (!scenario_.clocks) return {};
        if (const UnitClocks* clocks = scenario_.clocks->find_unit(unit.name)) {
            const auto found = std::ranges::find(clocks->ports, port, &ClockedPort::port);
            if (found != clocks->ports.end()) return format(", clocks={}", list(found->clocks));
        }
        return ", clocks=[]";
    }

    void write_inputs(const Unit& unit) {
        open("inputs = {{");
        for (const InputSettings& input : unit.inputs) {
            line("{} = {{reactivity={}{}}}", key(input.name),
                 to_string(input.contract.value_or(Reactivity::delayed)),
                 clocks_of(unit, input.name));
        }
        close("}}");
    }

    void write_outputs(const Unit& unit) {
        Names all;
        for (const InputSettings& input : unit.inputs) all.push_back(input.name);
        open("outputs = {{");
        for (const OutputSettings& output : unit.outputs) {
            const Names& step = output.feedthrough ? *output.feedthrough : all;
            line("{} = {{{}{}}}", key(output.name),
                 dependencies(output.feedthrough_initial.value_or(step), step),
                 clocks_of(unit, output.name));
        }
        close("}}");
    }

    void write_unit_clocks(const UnitClocks& clocks) {
        open("input-clocks = {{");
        for (const InputClock& clock : clocks.inputs) {
            line("{} = {{type-of-clock={}, interval={}}}", key(clock.name), to_string(clock.type),
                 clock.interval);
        }
        close("}}");
        open("output-clocks = {{");
        for (const OutputClock& clock : clocks.outputs) {
            line("{} = {{type-of-clock={}, dependencies={}, dependencies-clocks={}}}",
                 key(clock.name), to_string(clock.type), list(clock.dependencies),
                 list(clock.dependencies_clocks));
        }
        close("}}");
    }

    void write_unit(const Unit& unit) {
        open("{} = {{", key(unit.name));
        line("can-reject-step = {}", unit.can_reject_step.value_or(false));
        if (const auto* const fmu = std::get_if<FmuFile>(&unit.origin))
            line("path = {}", in_quotes(fmu->file.string()));
        write_inputs(unit);
        write_outputs(unit);
        const UnitClocks* clocks =
            scenario_.clocks ? scenario_.clocks->find_unit(unit.name) : nullptr;
        if (clocks) write_unit_clocks(*clocks);
        close("}}");
    }

    // -- connections and configurations ----------------------------------------------------------

    static std::string arrow(const std::string& from_unit, const std::string& from,
                             const std::string& to_unit, const std::string& to) {
        return format("{} -> {}", value(from_unit + "." + from), value(to_unit + "." + to));
    }

    void write_connections(const std::vector<Connection>& connections) {
        open("connections = [");
        for (const Connection& c : connections)
            line("{}", arrow(c.from_unit, c.from_port, c.to_unit, c.to_port));
        close("]");
    }

    void write_clock_connections() {
        open("clock-connections = [");
        for (const ClockConnection& c : scenario_.clocks->connections)
            line("{}", arrow(c.from_unit, c.from_clock, c.to_unit, c.to_clock));
        close("]");
    }

    /// All inputs whose contract some configuration names. The format ignores configurations where
    /// there is none: then any input will do.
    std::vector<PortName> configurable_inputs() const {
        std::vector<PortName> inputs;
        for (const ConfigurationSettings& configuration : scenario_.configurations) {
            for (const auto& contract : configuration.contracts) {
                PortName name{contract.unit, contract.input};
                if (std::ranges::find(inputs, name) == inputs.end())
                    inputs.push_back(std::move(name));
            }
        }
        if (!inputs.empty() || scenario_.connections.empty()) return inputs;
        return {{scenario_.connections.front().to_unit, scenario_.connections.front().to_port}};
    }

    void write_configurations() {
        if (scenario_.configurations.empty()) return;
        const std::vector<PortName> inputs = configurable_inputs();
        Names names;
        for (const PortName& input : inputs) names.push_back(input.unit + "." + input.port);
        open("configuration = {{");
        line("configurable-inputs = {}", list(names));
        open("configurations = {{");
        for (const ConfigurationSettings& configuration : scenario_.configurations)
            write_configuration(configuration, inputs);
        close("}}");
        close("}}");
    }

    /// A port name alone means the first configurable input of that name; others need their unit,
    /// which the reference tool does not know.
    static std::string contract_key(const ConfigurationSettings::Contract& contract,
                                    const std::vector<PortName>& inputs) {
        const auto first = std::ranges::find(inputs, contract.input, &PortName::port);
        return first->unit == contract.unit ? key(contract.input)
                                            : in_quotes(contract.unit + "." + contract.input);
    }

    void write_configuration(const ConfigurationSettings& configuration,
                             const std::vector<PortName>& inputs) {
        open("{} = {{", key(configuration.name));
        open("inputs = {{");
        for (const auto& contract : configuration.contracts) {
            line("{} = {{reactivity={}}}", contract_key(contract, inputs),
                 to_string(contract.reactivity));
        }
        close("}}");
        line("cosim-step = {}", value(configuration.procedure));
        write_connections(configuration.connections);
        close("}}");
    }

    // -- the algorithm ---------------------------------------------------------------------------

    void write_algorithm() {
        const WrittenAlgorithm none;
        const WrittenAlgorithm& algorithm = scenario_.written ? *scenario_.written : none;
        write_body("initialization = [", algorithm.initialization);
        open("cosim-step = {{");
        for (const WrittenProcedure& procedure : algorithm.steps)
            write_body(format("{} = [", key(procedure.name)), procedure.body);
        close("}}");
    }

    void write_body(const std::string& head, const std::vector<WrittenOp>& ops) {
        open("{}", head);
        for (const WrittenOp& op : ops) write_op(op);
        close("]");
    }

    void write_op(const WrittenOp& op) {
        if (op.operation == Operation::parallel) {
            for (const std::vector<WrittenOp>& branch : op.branches) {
                for (const WrittenOp& inner : branch) write_op(inner);
            }
            return;
        }
        if (op.operation == Operation::loop) {
            write_loop(op);
            return;
        }
        std::string how;
        if (op.by) how += format(", by: {}", *op.by);
        if (op.by_same_as) how += format(", by-same-as: {}", value(*op.by_same_as));
        line("{{{}: {}{}}}", to_string(op.operation), value(op.object), how);
    }

    void write_loop(const WrittenOp& op) {
        open("{{loop: {{");
        if (op.until_converged) line("until-converged: {}", list(*op.until_converged));
        if (op.until_step_accept) line("until-step-accept: {}", list(*op.until_step_accept));
        write_body("iterate: [", op.iterate);
        write_body("if-retry-needed: [", op.if_retry_needed);
        close("}}}}");
    }

    void write_strategies() {
        open("event-strategies = {{");
        for (const EventStrategy& strategy : scenario_.clocks->strategies) {
            open("{} = {{", key(strategy.name));
            line("clocks = {}", list(strategy.clocks));
            open("iterate = [");
            for (const EventOp& op : strategy.iterate)
                line("{{{}: {}}}", to_string(op.operation), value(op.object));
            close("]");
            close("}}");
        }
        close("}}");
    }

    const Scenario& scenario_;
    std::string text_;
    std::size_t depth_ = 0;
};

/// What the form has no words for; empty: it has.
std::string_view lost_origin(const Declared&) { return {}; }
std::string_view lost_origin(const FmuFile&) { return {}; }
std::string_view lost_origin(const NativeModel&) { return "native model"; }
std::string_view lost_origin(const TableFile&) { return "table"; }
std::string_view lost_origin(const NestedScenario&) { return "scenario"; }
std::string_view lost_origin(const Links&) { return "links"; }

void add_losses(const Unit& unit, Names& losses) {
    const auto add = [&](bool is_lost, std::string_view what) {
        if (is_lost) losses.push_back(format("the {} of unit {}", what, unit.name));
    };
    const std::string_view origin =
        std::visit([](const auto& kind) { return lost_origin(kind); }, unit.origin);
    add(!origin.empty(), origin);
    add(!unit.parameters.empty(), "parameters");
    add(!unit.start.empty(), "start values");
    add(std::ranges::any_of(unit.inputs,
                            [](const InputSettings& i) { return i.approximation || i.mode; }),
        "approximations of inputs");
    const auto is_overridden = [](const auto& port) { return port.variability.has_value(); };
    add(std::ranges::any_of(unit.inputs, is_overridden) ||
            std::ranges::any_of(unit.outputs, is_overridden),
        "variability of ports");
    add(unit.sub_steps.has_value(), "sub-steps");
    add(unit.step.has_value(), "step");
    add(!unit.energy.empty() || !unit.losses.empty(), "energy and losses");
}

bool is_scaled(const Connection& connection) {
    return connection.factor != 1 || connection.offset != 0;
}

} // namespace

std::string write_conf(const Scenario& scenario) { return ConfWriter(scenario).write(); }

Names losses_in_conf(const Scenario& scenario) {
    Names losses;
    for (const Unit& unit : scenario.units) add_losses(unit, losses);
    for (const Connection& connection : scenario.connections) {
        const auto add = [&](std::string_view what) {
            losses.push_back(format("{} of the connection to {}.{}", what, connection.to_unit,
                                    connection.to_port));
        };
        if (is_scaled(connection)) add("factor and offset");
        if (connection.to_type) add("the conversion");
    }
    if (scenario.written && !scenario.written->events.empty())
        losses.emplace_back("the event procedures");
    if (!scenario.step_limits.empty()) losses.emplace_back("the step limits");
    if (!scenario.constraints.empty()) losses.emplace_back("the constraints");
    if (!scenario.machines.empty()) losses.emplace_back("the machines");
    if (!scenario.hla.empty()) losses.emplace_back("the attributes of HLA");
    losses.emplace_back("the experiment, the settings of the algorithm and what is recorded");
    return losses;
}

std::string write_conf(const OutputSettings& output) {
    const Names& step = output.feedthrough.value();
    return format("{} = {{{}}}", key(output.name),
                  dependencies(output.feedthrough_initial.value_or(step), step));
}

} // namespace rubato::scenario
