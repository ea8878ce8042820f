// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>

#include <cstdint>

/// What the calls of an Instance take and give.
namespace rubato::model {

/// How an instance is run: by its own steps; through its equations, which somebody else solves; or
/// by its own steps, which end at events, for these to be handled in event mode.
enum class Interface : std::uint8_t { co_simulation, model_exchange, hybrid };

enum class Phase : std::uint8_t {
    instantiated,
    initializing,
    stepping, ///< not in model exchange
    terminated,
    failed,
    event_mode,      ///< not in mere co-simulation
    continuous_time, ///< between events; model exchange only
};

/// What an instance holds besides its model object. Plain bytes: saved and restored by copying.
struct BlockHeader {
    double time = 0;
    double inner_step = 0;
    std::int64_t solver = 0;
    std::uint64_t equations_version = 0; ///< changes with what the exact solver has prepared for
    Phase phase = Phase::instantiated;
    std::uint8_t stale = 0; ///< what must be computed before it is read, as in Slot::Need
    bool moving = false;    ///< some input derivative is not zero
    bool at_event = false;  ///< the last step ended at one, which is to be handled
};

/// When a clock ticks next, of an instance that ticks its clocks itself.
struct Ticker {
    double first = 0; ///< tick of a periodic clock
    double count = 0; ///< of its ticks so far
    double next = 0;  ///< infinite: it is not to tick for now
    double given = 0; ///< the interval that take_interval() gave last, whoever ticks the clock
};

enum class Access : std::uint8_t {
    done,
    unknown_reference,
    wrong_type,
    not_settable,
    out_of_range
};

/// How a bulk get or set went. Variables before the refused one have been read or written.
struct [[nodiscard]] AccessResult {
    Access access = Access::done;
    ValueRef reference = 0; ///< the refused one
    bool ok() const { return access == Access::done; }
};

/// What an event has done to a model.
struct EventUpdate {
    bool states_changed = false;
    double next_event = 0; ///< time of the next time event; infinite: none
};

/// When a clock is to tick, as the model gives it.
struct Interval {
    bool known = false;   ///< it is to tick `seconds` from now
    bool changed = false; ///< it is not what was given before
    double seconds = 0;
    /// The same as counter/resolution of a second; resolution 0: it is no fraction.
    std::uint64_t counter = 0, resolution = 0;
};

/// Takes part in the steps of an instance.
class StepListener {
public:
    virtual ~StepListener() = default;
    /// Asks for continuous inputs, to be set to what they are at a time within the step, which need
    /// not be later than the last one.
    virtual void set_inputs(double time) = 0;
    /// A step of the solver has ended here, or an event has been handled: values may be read.
    virtual void reached(double time) = 0;
};

} // namespace rubato::model
