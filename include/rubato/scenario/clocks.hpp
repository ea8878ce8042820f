// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario {

/// What makes a clock tick: another unit, or time.
enum class ClockType { triggered, timed };
std::string_view to_string(ClockType type);

struct InputClock {
    std::string name;
    ClockType type = ClockType::triggered;
    int interval = 0; ///< in ticks of a timed clock; 0 for a triggered one
    Location where;
    friend bool operator==(const InputClock&, const InputClock&) = default;
};

struct OutputClock {
    std::string name;
    ClockType type = ClockType::triggered;
    std::vector<std::string> dependencies;        ///< inputs of its unit
    std::vector<std::string> dependencies_clocks; ///< input clocks of its unit
    Location where;
    friend bool operator==(const OutputClock&, const OutputClock&) = default;
};

/// A port that is exchanged only when one of its clocks ticks.
struct ClockedPort {
    std::string port;
    std::vector<std::string> clocks; ///< of its unit; at least one
    Location where;
    friend bool operator==(const ClockedPort&, const ClockedPort&) = default;
};

struct UnitClocks {
    std::string unit;
    std::vector<InputClock> inputs;
    std::vector<OutputClock> outputs;
    std::vector<ClockedPort> ports;
    friend bool operator==(const UnitClocks&, const UnitClocks&) = default;
};

/// When the output clock ticks, so does the input clock.
struct ClockConnection {
    std::string from_unit, from_clock;
    std::string to_unit, to_clock;
    Location where;
    friend bool operator==(const ClockConnection&, const ClockConnection&) = default;
};

enum class EventOperation { get, set, get_clock, set_clock, step, next };
std::string_view to_string(EventOperation operation);

struct EventOp {
    EventOperation operation = EventOperation::get;
    std::string object; ///< `unit.port`, `unit.clock` or `unit`
    Location where;
    friend bool operator==(const EventOp&, const EventOp&) = default;
};

/// What is done when just these clocks tick at once.
struct EventStrategy {
    std::string name;
    std::vector<std::string> clocks; ///< `unit.clock`
    std::vector<EventOp> iterate;
    Location where;
    friend bool operator==(const EventStrategy&, const EventStrategy&) = default;
};

/// The clocks of a scenario (FMI 3.0) and what is done at events: plain data, names not yet
/// resolved.
struct Clocks {
    std::vector<UnitClocks> units; ///< those that have clocks or clocked ports
    std::vector<ClockConnection> connections;
    std::vector<EventStrategy> strategies;
    friend bool operator==(const Clocks&, const Clocks&) = default;

    const UnitClocks* find_unit(std::string_view name) const;
    bool is_clocked(std::string_view unit, std::string_view port) const;
};

} // namespace rubato::scenario
