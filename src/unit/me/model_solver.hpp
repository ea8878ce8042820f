// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../run_time_rules.hpp"
#include "chatter_guard.hpp"
#include "equations.hpp"
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
        RunTimeRules& rules;
    };
    /// All that a step depends on, beside the model's own state and its inputs.
    struct Saved {
        double now = 0;
        bool in_event_mode = false;
        bool terminates = false;
        std::optional<double> next_event;
        std::uint64_t events = 0;
        ChatterGuard chatter;
        std::vector<double> x, indicators;
        std::vector<std::byte> integrator;
    };

    /// For a model whose initialization has just ended at `time`: it is in event mode, and in
    /// continuous time after. What `model` refers to must outlive the solver.
    ModelSolver(const Model& model, const scenario::SolverSettings& settings, double tolerance,
                double time);

    double now() const { return now_; }
    std::uint64_t events() const { return events_; } ///< that have been handled
    bool in_event_mode() const { return in_event_mode_; }
    double last_time() const { return equations_.last_time(); } ///< that the model was asked for

    /// From continuous time, so that discrete inputs can be set; begin_step() handles the event.
    void enter_event_mode_for_inputs();

    /// Begins a communication step at now(). `jumped`: a continuous input has.
    void begin_step(double length, bool jumped);
    /// Returns whether it got there: otherwise the model asks for the end of the simulation at
    /// now().
    bool run_to(double end);

    void save(Saved& to);
    void restore(const Saved& from);
    /// Moves the model to where the solver is.
    void place_model();

private:
    void make_integrator(const scenario::SolverSettings& settings);
    void update_nominals();
    void advance(double limit);
    void handle_event(std::uint64_t& counter);
    void handle_step_event();
    void leave_event_mode();
    void evaluate(std::span<const double> x, std::span<double> derivatives);
    bool settle_discrete_states();
    void restart();
    void read_indicators(std::vector<double>& indicators);
    bool indicators_differ();
    void guard_against_chatter();

    Model model_;
    Equations equations_;
    std::unique_ptr<Integrator> integrator_;
    double tolerance_;

    double now_;
    double step_ = 0; ///< the communication step under way
    bool in_event_mode_ = true;
    bool terminates_ = false;
    bool may_go_back_ = false; ///< something has been saved
    std::optional<double> next_event_;
    std::uint64_t events_ = 0;
    ChatterGuard chatter_;
    std::vector<double> x_;                                ///< after the last event
    std::vector<double> derivatives_, derivatives_before_; ///< around a step event
    std::vector<double> nominals_;                         ///< empty: not known yet
    std::vector<double> indicators_;                       ///< where the last step or event ended
    std::vector<double> indicators_now_;
};

} // namespace rubato::unit
