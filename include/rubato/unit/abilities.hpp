// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>
#include <rubato/core/value.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/unit/directional_derivatives.hpp>
#include <rubato/unit/inner_samples.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rubato::unit {

/// Saved states of one unit, by slot. A slot is made by its first save and reused after.
class Snapshots {
public:
    virtual ~Snapshots() = default;
    virtual void save(std::uint32_t slot) = 0;
    /// The slot has been saved. Heals a unit that has failed since, unless the fault was fatal:
    /// then it throws an Error.
    virtual void restore(std::uint32_t slot) = 0;
    /// Nobody will restore the slot before it is saved again; it need not have been saved. For
    /// units that behave differently as long as they may be taken back.
    virtual void release(std::uint32_t /*slot*/) {}
};

/// Saved states as bytes, which another instance of the same unit can read, in another process, too.
class SerializedStates {
public:
    virtual ~SerializedStates() = default;
    /// Appends a slot that has been saved.
    virtual void serialize(std::uint32_t slot, std::vector<std::byte>& bytes) = 0;
    /// As if the slot had been saved. Error: the bytes are not those of a state of this unit.
    virtual void deserialize(std::uint32_t slot, std::span<const std::byte> bytes) = 0;
};

/// Lets inputs move within a step: their time derivatives at its start, kept until set again. The
/// unit then sees u(t+τ) = u + u'τ + u''τ²/2.
class InputDerivatives {
public:
    virtual ~InputDerivatives() = default;
    virtual unsigned max_order() const = 0;
    /// One value per input. `order` counts from 1.
    virtual void set(std::span<const ValueRef> inputs, unsigned order,
                     std::span<const double> values) = 0;
};

/// When a time-driven clock is to tick next, as its unit gives it.
struct ClockInterval {
    enum class Kind : std::uint8_t {
        unknown,   ///< it is not to tick for now
        unchanged, ///< as the unit has given before
        changed,   ///< `interval` from now
    };
    Kind kind = Kind::unknown;
    Duration interval;
    /// The same as counter/resolution of a second, where given so; resolution 0: not given.
    std::uint64_t counter = 0, resolution = 0;
};

/// What a unit reports at the end of one instant of event mode.
struct [[nodiscard]] EventUpdate {
    bool again = false;             ///< it needs another instant
    bool terminate = false;         ///< it asks for the end of the simulation
    std::optional<Time> next_event; ///< when it wants to be in event mode again, unless before
};

/// Lets a unit handle its events together with others. Event mode is a row of instants at one
/// time. In each of them clocks are set (Unit::set, to tick) and got (those that the unit makes
/// tick itself), inputs of all kinds are set and outputs got, as often as it takes; `update` ends
/// it. A clocked variable may be got and set only while one of its clocks ticks, or while the unit
/// initializes. exit_initialization leaves the unit in event mode.
class EventMode {
public:
    virtual ~EventMode() = default;
    virtual void enter() = 0;
    /// No clock ticks after it.
    virtual EventUpdate update() = 0;
    /// Of clocks that time drives; while the unit initializes, or after `update`.
    virtual void get_intervals(std::span<const ValueRef> clocks,
                               std::span<ClockInterval> intervals) = 0;
    /// When periodic clocks tick for the first time, after the start; while the unit initializes.
    virtual void get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) = 0;
    /// Back to stepping, after an `update`.
    virtual void leave() = 0;
};

/// Lets others look into the steps of a unit that steps inside.
class IntermediateOutputs {
public:
    virtual ~IntermediateOutputs() = default;
    /// Which outputs may be sampled.
    virtual bool provides(const scenario::Variable& output) const { return output.intermediate; }
    /// From the next step on; see InnerSamples. Where reading values is allowed.
    virtual void sample(std::span<const ValueRef> outputs, std::size_t most) = 0;
    /// Whether it provides outputs of any type on both sides of its events.
    virtual bool provides_events() const { return false; }
    /// Likewise, where it does, and after `sample`; see InnerSamples.
    virtual void sample_events(std::span<const SampledOutput>, std::size_t) {}
    /// Of the last step, which need not have had any: how often a unit steps inside is its own
    /// choice.
    virtual const InnerSamples& samples() const = 0;
};

/// What a solver of ours has done for a unit since it was made, steps that were taken back
/// included.
struct SolverStatistics {
    std::uint64_t steps = 0;
    std::uint64_t evaluations = 0; ///< of the derivatives
    std::uint64_t jacobians = 0;
    std::uint64_t state_events = 0; ///< an event indicator changed its sign
    std::uint64_t time_events = 0;  ///< the model had announced them
    std::uint64_t step_events = 0;  ///< the model asked for them at the end of a step
    std::uint64_t input_events = 0; ///< an input changed
};

/// The bare functions behind get and set of float64 variables and behind step, for a caller that
/// knows the phase and calls so often that the way through the unit would cost as much as the call.
/// Only for units of which no state is saved. A status above 1 (FMI's warning) must be taken to
/// Unit::raise, or to Unit::conclude after a step.
struct DirectCalls {
    void* instance = nullptr;
    int (*get)(void* instance, const ValueRef*, std::size_t count, double* values) = nullptr;
    int (*set)(void* instance, const ValueRef*, std::size_t count, const double* values) = nullptr;
    int (*step)(void* instance, double from, double by, int never_restored) = nullptr;
};

/// An object that a unit may lack: it is null then. It has to be given: there is no default.
template <class T>
class Ability {
public:
    Ability(T* object) : object_(object) {}
    operator T*() const { return object_; }
    T* operator->() const { return object_; }

private:
    T* object_;
};

/// All that a unit may be able to do or not. A unit around another (in another process, with
/// smaller steps) lists every one of them, or does not compile: one that it forgot would change
/// results. To add one, add it here, and to RemoteAbilities for isolated units.
struct Abilities {
    Ability<Snapshots> snapshots;                      ///< null: it cannot be rolled back
    Ability<SerializedStates> serialized_states;       ///< null: a state is lost with the unit
    Ability<InputDerivatives> input_derivatives;       ///< null: inputs are held
    Ability<EventMode> event_mode;                     ///< null: it handles events by itself
    Ability<IntermediateOutputs> intermediate_outputs; ///< null: nothing is seen within steps
    /// Of outputs by inputs at one instant, while it initializes or between steps. Null:
    /// differences must do.
    Ability<DirectionalDerivatives> directional_derivatives;
    Ability<const SolverStatistics> solver_statistics; ///< null: no solver of ours solves it
    Ability<const DirectCalls> direct_calls;           ///< null: calls go through the unit

    /// For units that have few: start from this.
    static Abilities none() {
        return {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
    }
};

} // namespace rubato::unit
