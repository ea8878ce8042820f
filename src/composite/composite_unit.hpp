// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "external_variables.hpp"
#include "motion.hpp"

#include <rubato/composite/composite_unit.hpp>
#include <rubato/unit/kept_value.hpp>

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace rubato::composite {

using unit::KeptValue;

/// A simulation behind the interface of a unit. Events within its steps are its own, unless they
/// change a discrete output: then the step ends there, and the event is handled in instants that
/// all units of the whole share.
class CompositeUnit final : public unit::Unit,
                            private unit::Snapshots,
                            private unit::SerializedStates,
                            private unit::InputDerivatives,
                            private unit::DirectionalDerivatives,
                            private unit::EventMode,
                            private unit::IntermediateOutputs,
                            private engine::ExternalInputs {
public:
    CompositeUnit(std::string name, Parts parts);

    unit::Abilities abilities() noexcept override;
    const engine::Simulation* simulation() const { return simulation_ ? &*simulation_ : nullptr; }

private:
    /// A discrete input of a unit with event mode that was set between steps.
    struct Pending {
        KeptValue value;
        bool has_changed = false;
    };
    /// A discrete output: after the last event, and now.
    struct Watched {
        KeptValue last, now;
    };
    /// All of a run that is not in the simulation.
    struct State {
        std::vector<Motion> motions;
        std::vector<ValueRef> moving;
        std::vector<Pending> pending;
        std::vector<Watched> outputs;
        Time step_start;
        bool is_stale = false;
        bool awaits_event = false;
    };
    struct Saved {
        engine::SavedRun run;
        State state;
    };

    /// Errors of inner units name them already.
    template <class Action>
    std::invoke_result_t<Action> passing_on(Action&& action) {
        try {
            return action();
        } catch (...) {
            note_fault();
            throw;
        }
    }

    void reserve_changes(const Chain& chain);
    bool takes_an_event(const scenario::Variable& variable) const;

    void do_enter_initialization(const unit::Horizon& horizon) override;
    void do_exit_initialization() override;
    void do_terminate() override;

    // Values.
    void check(std::string_view call, const Bulk& values);
    void do_get(const Bulk& values) override;
    void do_set(const Bulk& values) override;
    void note(const Bulk& values);
    void set_or_wait(const Bulk& values);
    void bring_up_to_date();

    // Steps.
    unit::StepResult do_step(Time from, Duration by) override;
    unit::StepResult make_steps(Time from);
    unsigned max_order() const override { return description().capabilities.input_derivatives; }
    void set(std::span<const ValueRef> inputs, unsigned order,
             std::span<const double> values) override;
    bool move_to(Time now) override;
    void set_target(ValueRef input, const Target& target, double value) const;
    void settle(Time end);
    bool is_sampling() const override { return at_point_ || samples_.is_sampling(); }
    void pass(Time now) override;
    void sample(std::span<const ValueRef> outputs, std::size_t most) override;
    const unit::InnerSamples& samples() const override { return samples_; }

    // Directional derivatives.
    unit::Evaluation directional_derivative(std::span<const ValueRef> unknowns,
                                            std::span<const ValueRef> knowns,
                                            std::span<const double> seed,
                                            std::span<double> sensitivity) override;
    unit::Evaluation follow(const Chain::Link& link);

    // Events.
    bool have_changed() const override;
    void set_at_event() override;
    bool concerns_others();
    bool ends_span() override;
    std::optional<unit::StepResult> handle_alone(Time from);
    void enter() override;
    unit::EventUpdate update() override;
    void get_intervals(std::span<const ValueRef>, std::span<unit::ClockInterval>) override;
    void get_shifts(std::span<const ValueRef>, std::span<Duration>) override;
    void leave() override;

    // Saved states.
    void save(std::uint32_t slot) override;
    void restore(std::uint32_t slot) override;
    void release(std::uint32_t slot) override;
    void serialize(std::uint32_t slot, std::vector<std::byte>& bytes) override;
    void deserialize(std::uint32_t slot, std::span<const std::byte> bytes) override;

    const Interface& interface_;
    std::vector<std::unique_ptr<unit::Unit>> units_; ///< until they are those of the simulation
    decltype(Parts::simulate) simulate_;
    ExternalVariables variables_;
    std::optional<engine::Simulation> simulation_; ///< none: not initialized yet
    std::vector<std::optional<Saved>> saved_;      ///< by slot; before the simulation goes
    /// Where an event is tried that others may take part in; none: they take part in all of them.
    std::optional<engine::SavedRun> before_event_;

    std::vector<Motion> motions_;  ///< by variable of the interface
    std::vector<ValueRef> moving_; ///< inputs that derivatives were ever set of
    std::vector<Pending> pending_; ///< discrete inputs that wait for an event
    std::vector<std::optional<std::size_t>> pending_at_; ///< by variable
    std::vector<Watched> outputs_;                       ///< discrete ones
    std::vector<double> changes_, seeds_;                ///< of ports, of inputs of one unit
    unit::InnerSamples samples_;
    std::function<void(Time)> at_point_; ///< or empty
    Time step_start_;
    bool ends_steps_at_events_;
    bool shares_events_;
    bool can_serialize_;          ///< its states
    bool has_ended_span_ = false; ///< since a discrete output has changed without an event
    bool is_stale_ = false;       ///< inner values do not know of inputs that were set
    bool awaits_event_ = false;   ///< the last step has ended at an event that is not handled yet
};

} // namespace rubato::composite
