// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmu/fault_sink.hpp"
#include "fmu/run_time_rules.hpp"
#include "fmu/scratch.hpp"
#include "input_motion.hpp"
#include "model_exchange.hpp"
#include "model_solver.hpp"

#include <rubato/core/log.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/unit/unit.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rubato::unit {

/// A model exchange FMU as a unit: its equations and a solver. One step of it:
///
///   1 Begin     take over the inputs: changed discrete ones are an event, and so are continuous
///               ones that have jumped across an event indicator; any jump restarts the solver
///   2 Advance   one step of the solver, to the end, the next time event or a state event
///   3 Complete  move the model to where the solver is and notify it of the completed step
///   4 Events    state, time and step events: event mode, rounds until the model needs no more,
///               back to continuous time, restart the solver
///   5           back to 2, until the end is reached or the model asks for the end
///
/// A model with clocks has event mode. Then events that may concern others (an output clock ticks,
/// a discrete output changes, a countdown starts) are not handled in 4: the step ends there.
///
/// Snapshots hold the model's state, if it can save it, and all of the solver's memory, so that a
/// step made again is the same to the last bit. Of a model that cannot save its state they hold
/// time, continuous states and inputs; such a model cannot go back across an event, which may have
/// changed more than that.
class SolvedUnit final : public Unit,
                         private FaultSink,
                         private Snapshots,
                         private InputDerivatives,
                         private IntermediateOutputs {
public:
    using MakeModel = std::function<std::unique_ptr<ModelExchange>(FaultSink&)>;

    /// `description` and `structure` must outlive the unit.
    SolvedUnit(std::string name, const scenario::UnitDescription& description,
               const ContinuousStructure& structure, const scenario::SolverSettings& settings,
               Log& log, Strictness strictness, const MakeModel& make_model);

    Abilities abilities() noexcept override {
        return {
            .snapshots = this,
            .serialized_states = nullptr, // memory of the solver has addresses in it
            .input_derivatives = this,
            .event_mode = description().capabilities.event_mode ? &event_mode_ : nullptr,
            .intermediate_outputs = this,
            // Continuous states stand still at one instant: the model's own are the unit's.
            .directional_derivatives = model_->directional_derivatives(),
            .solver_statistics = &statistics_,
            .direct_calls = nullptr,
        };
    }

private:
    struct Saved {
        std::optional<ModelSolver::Saved> solver; ///< none: saved during initialization
        std::vector<InputMotion::Input> inputs;
        bool has_jumped = false;
        bool is_released = false;
    };

    class Events final : public EventMode {
    public:
        explicit Events(SolvedUnit& unit) : unit_(unit) {}
        void enter() override;
        EventUpdate update() override;
        void get_intervals(std::span<const ValueRef> clocks,
                           std::span<ClockInterval> intervals) override;
        void get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) override;
        void leave() override;

    private:
        SolvedUnit& unit_;
    };

    void do_enter_initialization(const Horizon& horizon) override;
    void do_exit_initialization() override;
    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override { model_->get(values); }
    StepResult do_step(Time from, Duration by) override;
    void do_terminate() override { model_->terminate(); }
    void fault(std::string_view call, std::string_view reason) override;

    void save(std::uint32_t slot) override;
    void restore(std::uint32_t slot) override;
    void release(std::uint32_t slot) override;
    unsigned max_order() const override { return 2; }
    void set(std::span<const ValueRef> inputs, unsigned order,
             std::span<const double> values) override;

    void sample(std::span<const ValueRef> outputs, std::size_t most) override {
        require(Call::get);
        samples_.sample(outputs, most);
    }
    bool provides_events() const override { return true; }
    void sample_events(std::span<const SampledOutput> others, std::size_t events) override {
        require(Call::get);
        samples_.sample_events(others, events);
    }
    const InnerSamples& samples() const override { return samples_; }

    /// Does something with the solver; its faults become the unit's.
    template <class Body>
    auto solving(Body&& body) {
        try {
            return body();
        } catch (const SolverFault& fault) {
            fail_solving(fault);
        }
    }
    [[noreturn]] void fail_solving(const SolverFault& fault);
    ModelSolver::EventHandling event_handling();
    void start_inputs();
    double start_of(const ValueRef& reference);
    void note_start(const Bulk& values);
    void require_at(Time from, Duration by);
    void move_inputs_to(double time);
    bool all_continuous(const Bulk& values) const;
    bool changes_discrete(const Bulk& values);
    void set_continuous(const Bulk& values);
    void follow(const Bulk& values);
    bool is_continuous(ValueType type, ValueRef reference) const;
    void restore_without_model_state(const Saved& saved);

    const ContinuousStructure& structure_;
    scenario::SolverSettings settings_;
    Log& log_;
    RunTimeRules rules_;
    std::unique_ptr<ModelExchange> model_;
    std::map<ValueRef, double> started_; ///< what was set until initialization ended
    InputMotion inputs_;
    std::vector<ValueRef>
        other_continuous_; ///< inputs that are continuous, but not followed: float32 and arrays
    SolverStatistics statistics_;
    std::unique_ptr<ModelSolver> solver_; ///< null until initialized
    double tolerance_ = 0;
    bool has_jumped_ = false; ///< one of `other_continuous_` has been set
    InnerSamples samples_;
    Events event_mode_{*this};
    std::vector<Saved> saved_; ///< by slot
    Scratch scratch_;
    std::vector<std::string> texts_;
};

} // namespace rubato::unit
