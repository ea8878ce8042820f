// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>
#include <rubato/unit/directional_derivatives.hpp>
#include <rubato/unit/unit.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rubato::unit {

/// What a model description declares about a model's continuous states and events.
struct ContinuousStructure {
    /// One continuous state. The numbers are indices into the variables.
    struct State {
        std::uint32_t variable = 0;
        std::uint32_t derivative = 0;
        /// The positions of the states that the derivative depends on; nullopt: not declared.
        std::optional<std::vector<std::uint32_t>> depends_on;
    };
    std::vector<State> states;      ///< in the order of the vector of states; arrays count once
    std::size_t unnamed_states = 0; ///< FMI 1.0 gives the number of states, not which they are
    std::size_t event_indicators = 0;
    bool needs_completed_step = true; ///< wants to be notified of every step of the solver
};

/// What a model reports at the end of a step of the solver.
struct [[nodiscard]] CompletedStep {
    bool event = false; ///< it wants its events handled
    bool terminate = false;
};

/// What a round of event handling reports.
struct [[nodiscard]] EventRound {
    bool again = false; ///< another round is needed
    bool terminate = false;
    bool nominals_changed = false;
    bool states_changed = false;
    std::optional<double> next_event; ///< time of the next time event
};

/// Gives the times at which time-driven clocks of a model tick; see EventMode.
class ClockIntervals {
public:
    virtual ~ClockIntervals() = default;
    virtual void get_intervals(std::span<const ValueRef> clocks,
                               std::span<ClockInterval> intervals) = 0;
    virtual void get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) = 0;
};

/// A model that gives its equations instead of solving them, of any version of FMI:
///
///   x' = f(t, x, u)     derivatives
///   z  = g(t, x, u)     event indicators; a change of sign is a state event
///
/// After exit_initialization() it is in event mode: its inputs of any kind may be set and discrete
/// states are updated, until enter_continuous_time_mode(). There time and states move and real
/// inputs may be set, until enter_event_mode(). A call that fails is reported to the FaultSink,
/// which throws.
class ModelExchange {
public:
    virtual ~ModelExchange() = default;

    virtual void enter_initialization(const Horizon& horizon) = 0;
    virtual void exit_initialization() = 0;
    virtual void terminate() = 0;
    virtual void set(const Bulk& values) = 0;
    virtual void get(const Bulk& values) = 0;
    /// false: the model refuses it, and is as before.
    virtual bool try_get(const Bulk& values) = 0;

    // Sizes are known once initialization has ended.
    virtual std::size_t state_count() = 0;
    virtual std::size_t indicator_count() = 0;

    virtual void enter_event_mode() = 0;
    virtual EventRound update_discrete_states() = 0;
    virtual void enter_continuous_time_mode() = 0;

    /// Real inputs, while a step is being tried.
    virtual Evaluation try_inputs(std::span<const ValueRef> inputs,
                                  std::span<const double> values) = 0;
    virtual Evaluation try_point(double time, std::span<const double> states) = 0;
    virtual Evaluation get_derivatives(std::span<double> derivatives) = 0;
    virtual Evaluation get_indicators(std::span<double> indicators) = 0;
    virtual void get_states(std::span<double> states) = 0;
    virtual void get_nominals(std::span<double> nominals) = 0;
    /// `final`: the model will not be taken back to before this point.
    virtual CompletedStep complete_step(bool final) = 0;

    // What a model may be able to do; null: it is not.
    virtual Snapshots* snapshots() noexcept { return nullptr; } ///< of all that the model holds
    virtual DirectionalDerivatives* directional_derivatives() noexcept { return nullptr; }
    virtual ClockIntervals* clock_intervals() noexcept { return nullptr; }
};

} // namespace rubato::unit
