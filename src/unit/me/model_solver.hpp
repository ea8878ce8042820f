// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "chatter_guard.hpp"
#include "equations.hpp"
#include "fmu/run_time_rules.hpp"
#include "input_motion.hpp"
#include "integrator.hpp"
#include "model_exchange.hpp"

#include <rubato/scenario/scenario.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rubato::unit {

/// Takes a model through time: solves its equations between events, and handles those. Throws
/// SolverFault, and what the model's FaultSink throws.
class ModelSolver {
public:
    struct Model {
        ModelExchange& exchange;
        InputMotion& inputs;
        const ContinuousStructure& structure;
        const scenario::UnitDescription& description;
        SolverStatistics& statistics;
        InnerSamples& samples;
        RunTimeRules& rules;
    };
    /// Who handles the events of a model.
    enum class EventHandling : std::uint8_t {
        alone,  ///< the solver, all of them
        apart,  ///< the solver, but others may be in event mode with the model, too
        shared, ///< others: steps end at events
    };
    /// All that a step depends on, besides the model's own state and its inputs.
    struct Saved {
        double now = 0;
        bool in_event_mode = false;
        bool nominals_changed = false;
        bool terminates = false;
        std::optional<double> next_event;
        std::uint64_t events = 0;
        ChatterGuard chatter;
        std::vector<double> x, indicators;
        std::vector<std::byte> integrator;
    };

    /// For a model whose initialization has just ended at `time`: it is in event mode, and in
    /// continuous time after if its events are handled alone. What `model` refers to must outlive
    /// the solver.
    ModelSolver(const Model& model, EventHandling handling,
                const scenario::SolverSettings& settings, double tolerance, double time);

    double now() const { return now_; }
    std::uint64_t events() const { return events_; } ///< that have been handled
    bool in_event_mode() const { return in_event_mode_; }
    double last_time() const { return equations_.last_time(); } ///< that the model was asked for

    /// From continuous time, so that discrete inputs can be set; begin_step() handles the event.
    void enter_event_mode_for_inputs();

    // Event mode, for those who handle events together with others.
    void enter_event_mode();
    /// Ends an instant of it.
    EventRound update();
    void leave_event_mode();

    /// Begins a communication step at now(). `jumped`: a continuous input has.
    void begin_step(double length, bool jumped);
    /// Whether it got there (`completed`). Otherwise it is at now(), at an event that others
    /// handle, or because the model asks for the end of the simulation.
    StepEnd run_to(double end);

    void save(Saved& to);
    void restore(const Saved& from);
    /// Nobody will restore what has been saved.
    void release_saved() { may_go_back_ = false; }
    /// Moves the model to where the solver is.
    void place_model();

private:
    /// An event that ended a step.
    struct FoundEvent {
        double start = 0; ///< of the step
        double time = 0;  ///< of the event
        double aim = 0;   ///< where the step was to end
    };

    void make_integrator(const scenario::SolverSettings& settings);
    void update_nominals();
    void advance(double limit, double end);
    void fall_back_to(double time);
    void sample_until(double time);
    void sample_jump();
    void read_sample();
    void take_event(std::uint64_t& counter);
    void handle_event(std::uint64_t& counter);
    void handle_step_event();
    void finish_event();
    void enter_continuous_time();
    void evaluate(std::span<const double> x, std::span<double> derivatives);
    void settle_discrete_states();
    void restart();
    void read_indicators(std::vector<double>& indicators);
    bool indicators_differ();
    void guard_against_chatter();

    Model model_;
    EventHandling handling_;
    Equations equations_;
    std::unique_ptr<Integrator> integrator_;
    double tolerance_;

    double now_;
    double start_ = 0, step_ = 0; ///< the communication step under way
    bool in_event_mode_ = true;
    bool at_event_ = false; ///< that others are to handle
    bool nominals_changed_ = false;
    bool terminates_ = false;
    bool may_go_back_ = false; ///< something has been saved
    std::optional<double> next_event_;
    std::uint64_t events_ = 0;
    /// Outlives going back, which is what it is for: a step that is made again, to end at the
    /// event, must make the same steps of the solver to find it there.
    std::optional<FoundEvent> found_;
    ChatterGuard chatter_;
    std::vector<double> x_; ///< after the last event
    std::vector<double> sampled_x_;
    std::vector<double> derivatives_, derivatives_before_; ///< around a step event
    std::vector<double> nominals_;                         ///< empty: not known yet
    std::vector<double> indicators_;                       ///< where the last step or event ended
    std::vector<double> indicators_now_;
};

} // namespace rubato::unit
