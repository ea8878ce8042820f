// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>
#include <rubato/core/value.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/unit/call_under_way.hpp>
#include <rubato/unit/directional_derivatives.hpp>
#include <rubato/unit/inner_samples.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Simulators behind one interface.
namespace rubato::unit {

class PartAccess;

/// Where a unit stands in its life. Which call is allowed where is one table in unit.cpp.
enum class Phase : std::uint8_t {
    instantiated, ///< parameters and start values may be set
    initializing, ///< inputs set, outputs read, to consistent initial values
    stepping,
    event_mode, ///< events are handled; time stands still
    terminated,
    failed, ///< after a fault: only going back to a saved state is left, and destruction
};
std::string_view to_string(Phase phase);

enum class StepEnd : std::uint8_t {
    completed,  ///< the whole step
    rejected,   ///< no further than `reached`; the rest was refused
    event,      ///< stopped early at an event
    terminated, ///< the unit asks for the end of the simulation
};

struct [[nodiscard]] StepResult {
    Time reached;
    StepEnd end = StepEnd::completed;
};

/// The span of the simulation, told to a unit before it initializes.
struct Horizon {
    Time start;
    std::optional<Time> stop;
    std::optional<double> tolerance;
};

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

/// When a clock that time drives is to tick next, as its unit tells.
struct ClockInterval {
    enum class Kind : std::uint8_t {
        unknown,   ///< it is not to tick for now
        unchanged, ///< as the unit has told before
        changed,   ///< `interval` from now
    };
    Kind kind = Kind::unknown;
    Duration interval;
    /// The same as counter/resolution of a second, if told so; resolution 0: not told.
    std::uint64_t counter = 0, resolution = 0;
};

/// What a unit tells at the end of one instant of event mode.
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
    /// Which outputs may be watched.
    virtual bool tells(const scenario::Variable& output) const { return output.intermediate; }
    /// From the next step on; see InnerSamples. Where reading values is allowed.
    virtual void watch(std::span<const ValueRef> outputs, std::size_t most) = 0;
    /// Whether it tells what outputs of any type were on both sides of its events.
    virtual bool tells_events() const { return false; }
    /// Likewise, where it does, and after `watch`; see InnerSamples.
    virtual void watch_events(std::span<const WatchedOutput>, std::size_t) {}
    /// Of the last step, which need not have had any: how often a unit steps inside is its affair.
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

/// A simulator. Calls come from one thread at a time, in this order:
///
///   1. set                          parameters and start values
///   2. enter_initialization
///   3. set, get                     as often as it takes
///   4. exit_initialization
///   5. step, set, get, snapshots    until the end
///   6. terminate                    or not; the destructor frees everything in any phase
///
/// A unit with event mode is in it after 4, and may enter and leave it in 5.
///
/// A call out of order is the caller's bug: std::logic_error. A call that the simulator fails
/// throws an Error that names the unit, the call and the time; the unit is then in phase `failed`.
/// From there it comes back only by restoring a saved state.
class Unit {
public:
    virtual ~Unit();
    Unit(const Unit&) = delete;
    Unit& operator=(const Unit&) = delete;

    const std::string& name() const { return *name_; }
    const scenario::UnitDescription& description() const { return description_; }
    Phase phase() const { return phase_; }
    Time time() const { return time_; }

    void enter_initialization(const Horizon& horizon);
    void exit_initialization();
    void terminate();

    void set(const Bulk& values) {
        require(Call::set);
        if (values.parts.empty()) [[likely]]
            do_set(values);
        else
            set_parts(values);
    }
    void get(const Bulk& values) {
        require(Call::get);
        if (values.parts.empty()) [[likely]]
            do_get(values);
        else
            get_parts(values);
    }
    StepResult step(Time from, Duration by) {
        require(Call::step);
        time_ = from;
        note_time(from.seconds);
        const StepResult result = do_step(from, by);
        time_ = result.reached;
        return result;
    }

    virtual Snapshots* snapshots() noexcept { return nullptr; } // null: cannot roll back
    virtual InputDerivatives* input_derivatives() noexcept {
        return nullptr;
    }                                                            // null: inputs are held
    virtual EventMode* event_mode() noexcept { return nullptr; } // null: events are its own affair
    virtual IntermediateOutputs* intermediate_outputs() noexcept {
        return nullptr;
    } // null: what it does within steps is not seen
    /// Of outputs by inputs, at one instant; while it initializes, or between steps.
    virtual DirectionalDerivatives* directional_derivatives() noexcept {
        return nullptr;
    } // null: differences must do
    virtual std::optional<DirectCalls> direct_calls() noexcept { return std::nullopt; }
    virtual const SolverStatistics* solver_statistics() const noexcept {
        return nullptr;
    } // null: it solves by itself

    /// Where the unit stands: after direct calls, and within a step, for what fail() says.
    void stand_at(Time now) { time_ = now; }
    /// The Error that get or set would have thrown for a direct call's status.
    [[noreturn]] void raise(Time now, const char* call, int status);
    /// What step would have returned for a direct call's status.
    StepResult conclude(Time from, Duration by, int status);

protected:
    /// `description` must outlive the unit.
    Unit(std::string name, const scenario::UnitDescription& description);

    /// Marks the unit failed and throws: `unit "msd1" failed in fmi2DoStep at t = 0.2 s: …`.
    [[noreturn]] void fail(std::string_view call, std::string_view reason,
                           std::string_view hint = {});
    /// The same with a message that says it all already.
    [[noreturn]] void fail_saying(const std::string& message);

    /// Marks it failed; for a unit made of another, whose Error passes through.
    void note_fault();
    enum class Call : std::uint8_t {
        enter_initialization,
        exit_initialization,
        set,
        get,
        step,
        save,
        terminate,
        restore,
        enter_event_mode,
        update,
        get_intervals,
        leave_event_mode,
    };
    /// Which call is allowed in which phase: a bit per call (docs/explanation/architecture.md).
    static constexpr std::uint16_t allowed_calls[] = {
        /* instantiated */ 0b0000'0000'0101,
        /* initializing */ 0b0100'1010'1110,
        /* stepping     */ 0b0001'1111'1100,
        /* event mode   */ 0b1110'1110'1100,
        /* terminated   */ 0b0000'0000'1000,
        /* failed       */ 0b0000'1000'0000,
    };
    static constexpr const char* call_names[] = {"enter_initialization",
                                                 "exit_initialization",
                                                 "set",
                                                 "get",
                                                 "step",
                                                 "save",
                                                 "terminate",
                                                 "restore",
                                                 "enter_event_mode",
                                                 "update",
                                                 "get_intervals",
                                                 "leave_event_mode"};
    /// A saved state has been restored: a fault since then is undone.
    void recover() {
        if (phase_ == Phase::failed) phase_ = phase_before_fault_;
    }
    /// The same for units with event mode: the phase belongs to what is saved.
    void note_saved(std::uint32_t slot);
    void note_restored(std::uint32_t slot) { phase_ = saved_phases_.at(slot); }
    /// For those who have an event mode.
    void note_event_mode(bool entered) { phase_ = entered ? Phase::event_mode : Phase::stepping; }
    void require(Call call) const {
        const auto allowed = allowed_calls[static_cast<std::size_t>(phase_)];
        if (((allowed >> static_cast<unsigned>(call)) & 1u) == 0) [[unlikely]]
            refuse(call);
        note_call(this, call_names[static_cast<std::size_t>(call)]);
    }

private:
    [[noreturn]] void refuse(Call call) const;
    void get_parts(const Bulk& values);
    void set_parts(const Bulk& values);
    PartAccess& part_access();

    virtual void do_enter_initialization(const Horizon& horizon) = 0;
    virtual void do_exit_initialization() = 0;
    // Arrays come as a whole.
    virtual void do_set(const Bulk& values) = 0;
    virtual void do_get(const Bulk& values) = 0;
    virtual StepResult do_step(Time from, Duration by) = 0;
    virtual void do_terminate() = 0;
    virtual void do_raise(const char* call, int status);
    virtual StepResult do_conclude(Time from, Duration by, int status);

    // Small, so that what a step needs of a unit lies together.
    Phase phase_ = Phase::instantiated;
    Phase phase_before_fault_ = Phase::instantiated;
    Time time_;
    const scenario::UnitDescription& description_;
    std::unique_ptr<const std::string> name_;
    std::unique_ptr<PartAccess> part_access_; ///< null until elements of an array are accessed
    std::vector<Phase> saved_phases_;         ///< by slot
};

} // namespace rubato::unit
