// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/compiler.hpp"
#include "program/plan.hpp"

#include <rubato/scenario/system.hpp>
#include <rubato/unit/unit.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rubato::engine {

/// A clock of a unit with event mode.
struct EventClock {
    unit::Unit* unit = nullptr;
    std::string name;
    ValueRef reference = 0;
    ClockAttributes attributes;
    std::vector<std::uint32_t> clocks; ///< that must tick for it to tick; empty: it is free to
    bool active = false;               ///< it ticks in this instant
    bool is_new = false;               ///< and its unit has not been told
};

/// Outputs of one unit that are got with one call.
struct EventGet {
    Bulk bulk;
    std::vector<std::uint32_t> clocks; ///< one of which must tick; empty: none
};

/// An input and where its value comes from.
struct EventInput {
    PortId port;
    ValueType type = ValueType::float64;
    ValueRef reference = 0;
    Part part;
    void* held = nullptr; ///< what the unit has been given
    const void* source = nullptr;
    double factor = 1, offset = 0;
    std::optional<TypeChange> change;     ///< of its value into one of another kind
    double tolerance = 0;                 ///< reals that differ by less do not change anything
    std::vector<std::uint32_t> clocks;    ///< one of which must tick; empty: none
    std::optional<std::uint32_t> history; ///< of the plan
    bool in_steps = false;                ///< the step procedure sets it, too
    bool is_known = false;                ///< something is held
    bool is_watched = false;              ///< its source may change without an event

    /// What the unit is to be given.
    Bulk bulk() const {
        return {type, {&reference, 1}, held, part.count, {&part, part.size > 1 ? 1u : 0u}};
    }
};

/// Which clock follows which.
struct ClockPair {
    std::uint32_t from = 0, to = 0;
};

/// What leads to a unit in one configuration.
struct Incoming {
    std::vector<EventInput> inputs;
    std::vector<ClockPair> clocks;
};

struct EventUnit {
    unit::Unit* unit = nullptr;
    unit::EventMode* mode = nullptr;                        ///< null: it has none
    std::vector<std::uint32_t> input_clocks, output_clocks; ///< none without event mode
    std::vector<EventGet> gets;
    std::vector<Incoming> incoming; ///< by configuration
    bool feeds_through = false;     ///< outputs may change at once with inputs
};

/// An output whose value is wanted outside of event handling.
struct Export {
    Storage storage = Storage::real;
    const void* from = nullptr;
    void* to = nullptr;
    std::uint32_t count = 1;
};

/// A real output that a round of settling uses before it has been got anew.
struct GuessedOutput {
    double* value = nullptr;
    double tolerance = 0; ///< see EventInput
};

/// What there is to get and to set at events: every unit and connection of a system, with values in
/// buffers of its own. Moves never, so that what points into it stays valid.
struct EventWiring {
    std::vector<EventClock> clocks;
    std::vector<EventUnit> units;     ///< in the order of the system
    std::vector<std::uint32_t> order; ///< of the units: sources before what they feed, if possible
    std::vector<std::uint32_t> watched; ///< units whose outputs watched inputs come from
    std::vector<Export> exports;        ///< to the plan
    std::vector<GuessedOutput> guessed; ///< that feed through in a circle, maybe
    Buffers outputs, inputs;
    std::vector<std::unique_ptr<std::vector<ValueRef>>> references; ///< of the gets
    std::vector<std::unique_ptr<std::vector<Part>>> parts;          ///< the same, where arrays are
};

/// Null: no unit has event mode.
std::unique_ptr<EventWiring> wire_events(const scenario::System& system,
                                         std::span<const std::unique_ptr<unit::Unit>> units,
                                         Compiled& compiled);

} // namespace rubato::engine
