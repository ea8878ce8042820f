// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>
#include <rubato/core/value.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/unit/abilities.hpp>
#include <rubato/unit/call_under_way.hpp>

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

/// The span of the simulation, given to a unit before it initializes.
struct Horizon {
    Time start;
    std::optional<Time> stop;
    std::optional<double> tolerance;
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

    /// What the unit can do besides; the same as long as it lives, but for direct calls.
    virtual Abilities abilities() noexcept { return Abilities::none(); }
    Snapshots* snapshots() noexcept { return abilities().snapshots; }
    SerializedStates* serialized_states() noexcept { return abilities().serialized_states; }
    InputDerivatives* input_derivatives() noexcept { return abilities().input_derivatives; }
    EventMode* event_mode() noexcept { return abilities().event_mode; }
    IntermediateOutputs* intermediate_outputs() noexcept {
        return abilities().intermediate_outputs;
    }
    DirectionalDerivatives* directional_derivatives() noexcept {
        return abilities().directional_derivatives;
    }
    const SolverStatistics* solver_statistics() noexcept { return abilities().solver_statistics; }
    const DirectCalls* direct_calls() noexcept { return abilities().direct_calls; }

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
    /// Which call is allowed in which phase: a bit per call (docs/architecture.md).
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
    void note_saved(std::uint32_t slot) { note_saved(slot, phase_); }
    /// The same of a state that was saved elsewhere.
    void note_saved(std::uint32_t slot, Phase phase);
    Phase saved_phase(std::uint32_t slot) const { return saved_phases_.at(slot); }
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
