// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <utility>

namespace rubato::scenario {

namespace {

enum class ClockRole { input, output, either };

std::string_view word(ClockRole role) {
    if (role == ClockRole::input) return "input clock";
    return role == ClockRole::output ? "output clock" : "clock";
}

/// Looks for the names that a scenario's clocks mention and reports those that nothing has.
class ClockCheck {
public:
    explicit ClockCheck(Resolver& resolver)
        : resolver_(resolver), clocks_(*resolver.scenario.clocks) {}

    void run() {
        for (const UnitClocks& unit : clocks_.units) check_unit(unit);
        for (const ClockConnection& c : clocks_.connections) {
            check_clock(c.from_unit, c.from_clock, ClockRole::output, c.where);
            check_clock(c.to_unit, c.to_clock, ClockRole::input, c.where);
        }
        for (const EventStrategy& strategy : clocks_.strategies) check_strategy(strategy);
    }

private:
    void check_unit(const UnitClocks& unit) {
        for (const ClockedPort& port : unit.ports) {
            for (const std::string& clock : port.clocks)
                check_clock(unit.unit, clock, ClockRole::either, port.where);
        }
        for (const OutputClock& clock : unit.outputs) {
            for (const std::string& name : clock.dependencies_clocks)
                check_clock(unit.unit, name, ClockRole::input, clock.where);
            for (const std::string& name : clock.dependencies)
                check_dependency(unit.unit, name, clock.where);
        }
    }

    void check_strategy(const EventStrategy& strategy) {
        for (const std::string& clock : strategy.clocks)
            check_clock(clock, ClockRole::either, strategy.where);
        for (const EventOp& op : strategy.iterate) check_op(op);
    }

    void check_op(const EventOp& op) {
        switch (op.operation) {
        case EventOperation::get: return check_port(op, Causality::output);
        case EventOperation::set: return check_port(op, Causality::input);
        case EventOperation::get_clock: return check_clock(op.object, ClockRole::output, op.where);
        case EventOperation::set_clock: return check_clock(op.object, ClockRole::input, op.where);
        case EventOperation::step:
        case EventOperation::next:
            if (!resolver_.find_unit(op.object)) resolver_.report_unknown_unit(op.where, op.object);
        }
    }

    void check_clock(const std::string& name, ClockRole role, const Location& where) {
        if (const auto parts = split_port_name(name)) {
            check_clock(parts->unit, parts->port, role, where);
            return;
        }
        resolver_.diagnostics.error(where, format("\"{}\" does not name a clock", name),
                                    "write unit.clock");
    }

    void check_clock(const std::string& unit, const std::string& clock, ClockRole role,
                     const Location& where) {
        if (!resolver_.find_unit(unit)) {
            resolver_.report_unknown_unit(where, unit);
            return;
        }
        std::vector<std::string> names;
        if (const UnitClocks* found = clocks_.find_unit(unit)) {
            if (role != ClockRole::output) {
                for (const InputClock& input : found->inputs) names.push_back(input.name);
            }
            if (role != ClockRole::input) {
                for (const OutputClock& output : found->outputs) names.push_back(output.name);
            }
        }
        if (std::ranges::find(names, clock) != names.end()) return;
        resolver_.diagnostics.error(where,
                                    format("unit \"{}\" has no {} \"{}\"", unit, word(role), clock),
                                    suggest(clock, names, format("its {}s", word(role))));
    }

    void check_port(const EventOp& op, Causality causality) {
        if (const auto parts = split_port_name(op.object)) {
            check_port(parts->unit, parts->port, causality, op.where);
            return;
        }
        resolver_.diagnostics.error(
            op.where, format("\"{}\" does not name an {}", op.object, to_string(causality)),
            format("write unit.{}", to_string(causality)));
    }

    void check_port(const std::string& unit_name, const std::string& port, Causality causality,
                    const Location& where) {
        const auto unit = resolver_.find_unit(unit_name);
        if (!unit) {
            resolver_.report_unknown_unit(where, unit_name);
            return;
        }
        const auto variable = resolver_.find_variable(*unit, port);
        if (variable && resolver_.variable(*unit, *variable).causality == causality) return;
        resolver_.report_unknown_variable(
            where, *unit, port, to_string(causality),
            [&](const Variable& candidate) { return candidate.causality == causality; });
    }

    /// A clock may tick because of an input or of an output.
    void check_dependency(const std::string& unit_name, const std::string& port,
                          const Location& where) {
        const auto is_port = [](const Variable& candidate) {
            return candidate.causality == Causality::input ||
                   candidate.causality == Causality::output;
        };
        const auto unit = resolver_.find_unit(unit_name);
        if (!unit) return; // reported with its clocks
        const auto variable = resolver_.find_variable(*unit, port);
        if (variable && is_port(resolver_.variable(*unit, *variable))) return;
        resolver_.report_unknown_variable(where, *unit, port, "input or output", is_port);
    }

    Resolver& resolver_;
    const Clocks& clocks_;
};

} // namespace

void check_clocks(Resolver& resolver) {
    if (resolver.scenario.clocks) ClockCheck(resolver).run();
}

} // namespace rubato::scenario
