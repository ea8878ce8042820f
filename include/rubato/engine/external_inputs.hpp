// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>

namespace rubato::engine {

/// What is outside of a simulation, such as the one that it is a unit of: it feeds inputs.
class ExternalInputs {
public:
    virtual ~ExternalInputs() = default;
    /// A step begins: inputs that move get their values and derivatives of this time. It may be
    /// called again for the same time, and for earlier ones, after a rollback. Returns whether
    /// other inputs of the simulation depend on them at once.
    virtual bool move_to(Time now) = 0;
    /// Whether discrete inputs of units with event mode have changed, which takes an event.
    virtual bool have_changed() const = 0;
    /// All units with event mode are in it: sets these inputs.
    virtual void set_at_event() = 0;
    /// A step has ended within a span, without an event. Whether the span is to end here, since others
    /// are concerned.
    virtual bool ends_span() = 0;
    /// Whether someone looks at outputs within spans.
    virtual bool is_sampling() const = 0;
    /// A step has ended within a span; inputs that move have their values of this time.
    virtual void pass(Time now) = 0;
    /// In `Simulation::run`: nothing more happens at this time. In a distributed run, units can be
    /// read where they are: nobody else learns the values.
    virtual void end_point(Time /*now*/) {}
};

} // namespace rubato::engine
