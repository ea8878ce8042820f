// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/clock.hpp>
#include <rubato/core/id.hpp>
#include <rubato/core/value.hpp>
#include <rubato/unit/unit.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the instructions of event procedures work on.
namespace rubato::engine {

/// A clock of a unit with event mode.
struct EventClock {
    unit::Unit* unit = nullptr;
    unit::EventMode* mode = nullptr;
    std::string name;
    ValueRef reference = 0;
    ClockAttributes attributes;
    bool is_timed = false;
    std::uint32_t slot = 0;                 ///< of whether it ticks, for loops
    std::uint32_t owner = 0;                ///< number of the unit
    std::vector<std::uint32_t> clocks = {}; ///< one of which must tick for it to tick; empty: none
    bool is_due = false;                    ///< a timed one is to tick in this instant
    bool active = false;                    ///< it ticks, and its unit knows
};

/// Gets at an event: only while one of `clocks` ticks, if there are any.
struct EventGet {
    std::uint32_t first = 0, count = 0; ///< of the plan's gets
    std::vector<std::uint32_t> clocks;
    std::uint32_t unit = 0;
    bool in_loop = false;      ///< what was read before may not be in its slot any more
    std::uint64_t version = 0; ///< of the unit, when it was read last
};

/// Sets one input at an event, if its value has changed.
struct EventSet {
    std::uint32_t call = 0; ///< of the plan's sets
    std::uint32_t held = 0; ///< slot of what the unit has been given
    std::vector<std::uint32_t> clocks;
    PortId port;
    std::optional<std::uint32_t> history;
    double absolute_tolerance = 0, relative_tolerance = 0; ///< reals that differ by less are equal
    std::uint32_t unit = 0;
    bool in_steps = false;                   ///< the step procedure sets it, too
    bool has_event_mode = false;             ///< its unit
    std::optional<std::uint32_t> watch = {}; ///< set call, from what its source is between events
    std::uint64_t noted = 0;                 ///< instant in which a change of it was noted
    bool is_known = false;                   ///< something is held
};

/// An input clock and the output clock that it follows; none: it is timed.
struct ClockSet {
    std::uint32_t clock = 0;
    std::optional<std::uint32_t> source = {};
};

struct UpdateCall {
    unit::Unit* unit = nullptr;
    unit::EventMode* mode = nullptr;
    std::uint32_t number = 0; ///< of the unit
};

} // namespace rubato::engine
