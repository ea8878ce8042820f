// SPDX-License-Identifier: Apache-2.0
#include "external_variables.hpp"
#include "kept_value.hpp"
#include "motion.hpp"

#include <rubato/composite/composite_unit.hpp>
#include <rubato/private/format.hpp>

#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace rubato::composite {

using scenario::Causality;
using scenario::Variability;
using unit::Phase;
using unit::StepEnd;
using unit::StepResult;

namespace {

class CompositeUnit final : public unit::Unit,
                            private unit::Snapshots,
                            private unit::InputDerivatives,
                            private unit::DirectionalDerivatives,
                            private engine::ExternalInputs {
public:
    CompositeUnit(std::string name, Parts parts)
        : Unit(std::move(name), parts.interface.description), interface_(parts.interface),
          units_(std::move(parts.units)), simulate_(std::move(parts.simulate)),
          variables_(interface_, units_), motions_(interface_.propagates.size()),
          pending_at_(description().variables.size()),
          ends_steps_at_events_(parts.ends_steps_at_events) {
        moving_.reserve(interface_.propagates.size());
        if (interface_.chain) reserve_changes(*interface_.chain);
        for (const scenario::Variable& variable : description().variables) {
            if (variable.causality == Causality::output &&
                variable.variability != Variability::continuous && ends_steps_at_events_)
                outputs_.push_back({KeptValue(variable), KeptValue(variable)});
            if (variable.causality == Causality::input && takes_an_event(variable)) {
                pending_at_[variable.reference] = pending_.size();
                pending_.push_back({KeptValue(variable), false});
            }
        }
    }

    unit::Abilities abilities() noexcept override {
        unit::Abilities result = unit::Abilities::none();
        const scenario::Capabilities& capabilities = description().capabilities;
        if (capabilities.snapshots) result.snapshots = this;
        if (capabilities.input_derivatives > 0) result.input_derivatives = this;
        if (capabilities.directional_derivatives) result.directional_derivatives = this;
        return result;
    }

    const engine::Simulation* simulation() const { return simulation_ ? &*simulation_ : nullptr; }

private:
    void reserve_changes(const Chain& chain) {
        changes_.reserve(chain.ports);
        for (const Chain::Link& link : chain.links)
            seeds_.reserve(std::max(seeds_.capacity(), link.inputs.size()));
    }

    /// A discrete input of a unit that handles its events together with others.
    bool takes_an_event(const scenario::Variable& variable) const {
        if (variable.variability == Variability::continuous) return false;
        for (const Target& target : variables_.targets(variable.reference))
            if (target.unit->event_mode()) return true;
        return false;
    }

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

    // -- initialization ---------------------------------------------------------------------------

    void do_enter_initialization(const unit::Horizon& horizon) override {
        passing_on([&] {
            simulation_.emplace(simulate_(std::move(units_), horizon));
            simulation_->take_inputs_from(*this);
            simulation_->enter_initialization();
        });
        is_stale_ = true;
    }

    void do_exit_initialization() override {
        passing_on([&] {
            bring_up_to_date();
            simulation_->end_initialization();
            (void)concern_others(); // from here on
        });
        for (Pending& pending : pending_) pending.has_changed = false;
    }

    void do_terminate() override {
        passing_on([&] { simulation_->terminate(); });
    }

    // -- values -----------------------------------------------------------------------------------

    /// Of variables that it has.
    void check(std::string_view call, const Bulk& values) {
        for (const ValueRef reference : values.references)
            if (reference >= description().variables.size()) [[unlikely]]
                fail(call, format("it has no variable number {}", reference));
    }

    void do_get(const Bulk& values) override {
        check("get", values);
        passing_on([&] {
            bring_up_to_date();
            const bool any_recorded =
                std::ranges::any_of(values.references, [&](ValueRef variable) {
                    return variables_.is_recorded(variable);
                });
            if (any_recorded) variables_.read_from(simulation_->observe());
            variables_.get(values);
        });
    }

    void do_set(const Bulk& values) override {
        check("set", values);
        note(values);
        passing_on([&] {
            if (phase() == Phase::stepping && !pending_.empty())
                set_or_wait(values);
            else
                variables_.set(values);
        });
    }

    /// What depends on the values that are set, and how they start to move.
    void note(const Bulk& values) {
        const bool is_real = storage_of(values.type) == Storage::real;
        values.for_each_variable([&](ValueRef variable, std::size_t first, std::size_t count) {
            if (variable < interface_.propagates.size() && interface_.propagates[variable])
                is_stale_ = true;
            if (pending_at_[variable]) {
                Pending& pending = pending_[*pending_at_[variable]];
                pending.has_changed |= pending.value.take(value_at(values, first));
                is_stale_ |= pending.has_changed;
            }
            if (is_real && count == 1 && variable < motions_.size())
                motions_[variable].start = values.reals()[first];
        });
        if (phase() == Phase::initializing) is_stale_ = true;
    }

    /// Inputs that take an event wait for it.
    void set_or_wait(const Bulk& values) {
        std::size_t i = 0;
        values.for_each_variable([&](ValueRef variable, std::size_t first, std::size_t count) {
            const std::span<const Part> part =
                values.parts.empty() ? values.parts : values.parts.subspan(i, 1);
            ++i;
            if (!pending_at_[variable])
                variables_.set({values.type, {&variable, 1}, value_at(values, first), count, part});
        });
    }

    void bring_up_to_date() {
        if (!std::exchange(is_stale_, false)) return;
        if (phase() == Phase::initializing) {
            simulation_->solve_initialization();
        } else if (phase() == Phase::stepping) {
            simulation_->propagate();
            (void)concern_others(); // they read what has changed
        }
    }

    // -- steps ------------------------------------------------------------------------------------

    StepResult do_step(Time from, Duration by) override {
        return passing_on([&] {
            bring_up_to_date();
            step_start_ = from;
            const StepResult result = simulation_->advance(from, by);
            if (!moving_.empty()) settle(result.reached);
            return result;
        });
    }

    unsigned max_order() const override { return description().capabilities.input_derivatives; }

    void set(std::span<const ValueRef> inputs, unsigned order,
             std::span<const double> values) override {
        require(Call::set);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (order == 0 || order > max_order() || inputs[i] >= motions_.size())
                throw std::logic_error(format("unit \"{}\": input {} has no derivative of order {}",
                                              name(), inputs[i], order));
            Motion& motion = motions_[inputs[i]];
            if (!std::exchange(motion.is_known, true)) moving_.push_back(inputs[i]);
            (order == 1 ? motion.first : motion.second) = values[i];
        }
    }

    bool move_to(Time now) override {
        const double tau = (now - step_start_).seconds;
        bool propagates = false;
        for (const ValueRef input : moving_) {
            const Motion& motion = motions_[input];
            for (const Target& target : variables_.targets(input)) {
                if (tau != 0) set_target(input, target, motion.at(tau));
                let_move(target, motion, tau);
            }
            propagates |= tau != 0 && interface_.propagates[input];
        }
        return propagates;
    }

    void set_target(ValueRef input, const Target& target, double value) const {
        target.unit->set({description().variables[input].type, {&target.reference, 1}, &value, 1});
    }

    /// Where the step has ended, polynomials go on from there. Outputs that an input feeds through
    /// to belong to that time, as those do of units that let it move themselves.
    void settle(Time end) {
        const double tau = (end - step_start_).seconds;
        for (const ValueRef input : moving_) {
            Motion& motion = motions_[input];
            motion.start = motion.at(tau);
            motion.first = motion.slope_at(tau);
            for (const Target& target : variables_.targets(input)) {
                const unit::InputDerivatives* const derivatives = target.unit->input_derivatives();
                if (!derivatives || derivatives->max_order() < motion.order())
                    set_target(input, target, motion.start);
            }
            is_stale_ = is_stale_ || interface_.propagates[input];
        }
    }

    /// The chain rule, from unit to unit.
    unit::Evaluation directional_derivative(std::span<const ValueRef> unknowns,
                                            std::span<const ValueRef> knowns,
                                            std::span<const double> seed,
                                            std::span<double> sensitivity) override {
        return passing_on([&] {
            bring_up_to_date();
            changes_.assign(interface_.chain->ports, 0.0);
            for (std::size_t i = 0; i < knowns.size(); ++i)
                for (const PortId input : interface_.ports.at(knowns[i]))
                    changes_[input.value] = seed[i];
            for (const Chain::Link& link : interface_.chain->links)
                if (follow(link) == unit::Evaluation::refused) return unit::Evaluation::refused;
            for (std::size_t i = 0; i < unknowns.size(); ++i)
                sensitivity[i] = changes_[interface_.ports.at(unknowns[i]).front().value];
            return unit::Evaluation::done;
        });
    }

    unit::Evaluation follow(const Chain::Link& link) {
        seeds_.clear();
        for (const PortId input : link.inputs) seeds_.push_back(changes_[input.value]);
        double& change = changes_[link.output.value];
        const unit::Evaluation result =
            simulation_->unit(link.unit).directional_derivatives()->directional_derivative(
                {&link.unknown, 1}, link.knowns, seeds_, {&change, 1});
        for (const auto& [input, factor] : link.feeds) changes_[input.value] = factor * change;
        return result;
    }

    // -- events within ----------------------------------------------------------------------------

    bool have_changed() const override {
        return std::ranges::any_of(pending_, &Pending::has_changed);
    }

    void set_at_event() override {
        for (Pending& pending : pending_)
            if (std::exchange(pending.has_changed, false)) variables_.set(pending.value.bulk());
    }

    bool concern_others() override {
        bool changed = false;
        for (DiscreteOutput& output : outputs_) {
            const Bulk now = output.now.bulk();
            variables_.get(now);
            changed |= output.last.take(now.data);
        }
        return changed;
    }

    // -- saved states -----------------------------------------------------------------------------

    struct Pending {
        KeptValue value;
        bool has_changed = false;
    };
    struct DiscreteOutput {
        KeptValue last, now;
    };

    /// All of a run that is not in the simulation.
    struct State {
        std::vector<Motion> motions;
        std::vector<ValueRef> moving;
        std::vector<Pending> pending;
        std::vector<DiscreteOutput> outputs;
        Time step_start;
        bool is_stale = false;
    };
    struct Saved {
        engine::SavedRun run;
        State state;
    };

    void save(std::uint32_t slot) override {
        require(Call::save);
        if (slot >= saved_.size()) saved_.resize(slot + std::size_t{1});
        passing_on([&] {
            if (saved_[slot])
                simulation_->save(saved_[slot]->run);
            else
                saved_[slot].emplace(Saved{simulation_->save(), {}});
        });
        State& state = saved_[slot]->state; // each member keeps its memory
        state.motions = motions_;
        state.moving = moving_;
        state.pending = pending_;
        state.outputs = outputs_;
        state.step_start = step_start_;
        state.is_stale = is_stale_;
        note_saved(slot);
    }

    void restore(std::uint32_t slot) override {
        require(Call::restore);
        const Saved& saved = *saved_.at(slot);
        passing_on([&] { simulation_->restore(saved.run); });
        const State& state = saved.state;
        motions_ = state.motions;
        moving_ = state.moving;
        pending_ = state.pending;
        outputs_ = state.outputs;
        step_start_ = state.step_start;
        is_stale_ = state.is_stale;
        note_restored(slot);
    }

    void release(std::uint32_t slot) override {
        if (slot < saved_.size() && saved_[slot]) simulation_->release(saved_[slot]->run);
    }

    const Interface& interface_;
    std::vector<std::unique_ptr<unit::Unit>> units_; ///< until they are those of the simulation
    decltype(Parts::simulate) simulate_;
    ExternalVariables variables_;
    std::optional<engine::Simulation> simulation_; ///< none: not initialized yet
    std::vector<std::optional<Saved>> saved_;      ///< by slot; before the simulation goes

    std::vector<Motion> motions_;  ///< by variable of the interface
    std::vector<ValueRef> moving_; ///< inputs that derivatives were ever set of
    std::vector<Pending> pending_; ///< discrete inputs that wait for an event
    std::vector<std::optional<std::size_t>> pending_at_; ///< by variable
    std::vector<DiscreteOutput> outputs_;                       ///< discrete ones, after the last event
    std::vector<double> changes_, seeds_;                ///< of ports, of inputs of one unit
    Time step_start_;
    bool ends_steps_at_events_;
    bool is_stale_ = false; ///< inner values do not know of inputs that were set
};

} // namespace

std::unique_ptr<unit::Unit> make_composite(std::string name, Parts parts) {
    return std::make_unique<CompositeUnit>(std::move(name), std::move(parts));
}

const engine::Simulation* inner_simulation(const unit::Unit& unit) {
    const auto* const composite = dynamic_cast<const CompositeUnit*>(&unit);
    return composite ? composite->simulation() : nullptr;
}

} // namespace rubato::composite
