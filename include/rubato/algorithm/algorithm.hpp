// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/id.hpp>
#include <rubato/core/time.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

/// Orchestration as data: which operation on which unit comes when.
namespace rubato::algorithm {

struct Op;
using Body = std::vector<Op>;

/// Reads an output, or whether an output clock ticks. A tentative value belongs to the iteration
/// under way and becomes final when its loop ends.
struct Get {
    PortId port;
    bool tentative = false;
};

/// Writes an input with the value of the output it is connected to. An input clock ticks if the
/// output clock does that it is connected to, or if it is timed and due.
struct Set {
    PortId port;
    bool tentative = false;
};

/// Advances a unit: by the common step, by a given number of ticks (of which the largest step has
/// System::largest_step), or by what another unit has accepted.
struct Step {
    UnitId unit;
    std::optional<int> by;
    std::optional<UnitId> same_as;
};

struct Save {
    UnitId unit;
};

struct Restore {
    UnitId unit;
};

/// When a fixed-point loop ends.
struct Convergence {
    double absolute_tolerance = 1e-9;
    double relative_tolerance = 1e-6;
    int limit = 50;                ///< iterations after which it has failed
    bool accept_at_limit = false;  ///< then: go on with a warning, rather than stop
    std::optional<int> iterations; ///< just so many, whatever the values do (semi-implicit)
};

/// Repeats `iterate` until the values of `ports` no longer change; `retry` runs between
/// repetitions.
struct FixedPoint {
    std::vector<PortId> ports;
    Body iterate;
    Body retry;
    Convergence until;
};

/// Repeats `iterate` with a smaller step until all `units` accept the same one.
struct Negotiate {
    std::vector<UnitId> units;
    Body iterate;
    Body retry;
};

/// Bodies that touch disjoint units and may run at the same time.
struct Parallel {
    std::vector<Body> bodies;
};

/// Ends an instant of event mode for a unit.
struct Update {
    UnitId unit;
};

struct Op : std::variant<Get, Set, Step, Save, Restore, FixedPoint, Negotiate, Parallel, Update> {
    using variant::variant;
};

/// What is done in one step, or in one instant of an event.
struct Procedure {
    std::string name;
    Body body;
};

struct Algorithm {
    Body initialization;
    std::vector<Procedure> steps; ///< one per configuration of the system; at least one
    /// One for each set of connections, by the name of the first configuration that has them
    /// (event_procedure_of); empty: nothing happens at which values are exchanged anew.
    ///
    /// An event procedure is executed at an instant between steps: exchange first, then updates.
    /// What is clocked takes part only while one of its clocks ticks. The instant is repeated until
    /// no unit asks for another one, no clock ticks and no value changes; then nothing is updated.
    std::vector<Procedure> events;
};

} // namespace rubato::algorithm
