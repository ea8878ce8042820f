// SPDX-License-Identifier: Apache-2.0
#include "model_solver.hpp"

#include "cvode_integrator.hpp"
#include "euler_integrator.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato::unit {

using scenario::SolverMethod;

namespace {

std::vector<std::string> state_names(const ModelSolver::Model& model) {
    std::vector<std::string> names;
    for (const ContinuousStructure::State& state : model.structure.states)
        names.push_back(model.description.variables[state.variable].name);
    return names;
}

/// Whether there is nothing but rounding between two times.
bool is_close(double from, double to) {
    const double rounding = 4 * std::numeric_limits<double>::epsilon();
    return to - from <= rounding * std::max(std::abs(from), std::abs(to));
}

} // namespace

ModelSolver::ModelSolver(const Model& model, const scenario::SolverSettings& settings,
                         double tolerance, double time)
    : model_(model), equations_(model.exchange, model.inputs, state_names(model), model.statistics),
      tolerance_(tolerance), now_(time), x_(equations_.dimension()),
      derivatives_(equations_.dimension()), derivatives_before_(equations_.dimension()),
      indicators_(equations_.indicator_count()), indicators_now_(equations_.indicator_count()) {
    make_integrator(settings);
    leave_event_mode();
    restart();
}

void ModelSolver::make_integrator(const scenario::SolverSettings& settings) {
    if (settings.method == SolverMethod::euler) {
        integrator_ = make_euler_integrator(equations_, settings.step, model_.statistics);
        return;
    }
    std::unique_ptr<Jacobian> jacobian;
    if (settings.method == SolverMethod::cvode) {
        jacobian =
            std::make_unique<Jacobian>(equations_, model_.structure, model_.description.variables);
    }
    integrator_ = make_cvode_integrator(equations_, std::move(jacobian), settings.max_step,
                                        model_.statistics);
}

/// A state is computed to `tolerance` of its size, but no better than to `tolerance` of its
/// nominal.
void ModelSolver::update_nominals() {
    nominals_.assign(equations_.dimension(), 1.0);
    const auto nominals = std::span(nominals_).first(equations_.state_count());
    model_.exchange.get_nominals(nominals);
    for (std::size_t i = 0; i < nominals.size(); ++i) {
        if (nominals[i] > 0 && std::isfinite(nominals[i])) continue;
        model_.rules.broken(Rule::nominal_not_positive, "reading nominal values",
                            format("that of state {} is {}", i + 1, nominals[i]));
        nominals[i] = 1;
    }
    integrator_->set_tolerance(tolerance_, nominals_);
}

void ModelSolver::enter_event_mode_for_inputs() {
    model_.exchange.enter_event_mode();
    in_event_mode_ = true;
    ++model_.statistics.input_events;
}

void ModelSolver::begin_step(double length, bool jumped) {
    step_ = length;
    if (in_event_mode_) {
        leave_event_mode();
        restart();
    } else if (jumped && indicators_differ()) {
        handle_event(model_.statistics.input_events);
    } else if (jumped) {
        std::ranges::copy(integrator_->x(), x_.begin());
        restart();
    }
}

bool ModelSolver::run_to(double end) {
    while (!terminates_ && now_ < end) advance(next_event_ ? std::min(end, *next_event_) : end);
    if (!terminates_) read_indicators(indicators_);
    return !terminates_;
}

void ModelSolver::advance(double limit) {
    Progress progress{std::max(limit, now_), false};
    if (!is_close(now_, limit)) progress = integrator_->advance(limit);
    now_ = progress.time;
    place_model();
    const CompletedStep completed = model_.exchange.complete_step(!may_go_back_);
    if (completed.terminate) {
        terminates_ = true;
    } else if (progress.state_event) {
        handle_event(model_.statistics.state_events);
    } else if (next_event_ && now_ >= *next_event_) {
        handle_event(model_.statistics.time_events);
    } else if (completed.event) {
        handle_step_event();
    }
}

void ModelSolver::place_model() {
    if (equations_.place(now_, integrator_->x()) == Evaluation::refused)
        throw SolverFault(equations_.explain_refusal(), "");
}

void ModelSolver::handle_event(std::uint64_t& counter) {
    ++counter;
    guard_against_chatter();
    model_.exchange.enter_event_mode();
    in_event_mode_ = true;
    leave_event_mode();
    restart();
}

/// There are models that ask for an event after every step: a solver that starts anew each time
/// would not come far. So it goes on where an event has changed neither states nor derivatives.
void ModelSolver::handle_step_event() {
    ++model_.statistics.step_events;
    evaluate(integrator_->x(), derivatives_before_);
    model_.exchange.enter_event_mode();
    in_event_mode_ = true;
    leave_event_mode();
    if (terminates_) return;
    evaluate(x_, derivatives_);
    if (!std::ranges::equal(x_, integrator_->x()) || derivatives_ != derivatives_before_) restart();
}

void ModelSolver::evaluate(std::span<const double> x, std::span<double> derivatives) {
    if (equations_.derivatives(now_, x, derivatives) == Evaluation::refused)
        throw SolverFault(equations_.explain_refusal(), "");
}

void ModelSolver::leave_event_mode() {
    const bool nominals_changed = settle_discrete_states();
    ++events_;
    if (terminates_) return;
    model_.exchange.enter_continuous_time_mode();
    in_event_mode_ = false;
    if (nominals_changed || nominals_.empty()) update_nominals();
    model_.exchange.get_states(std::span(x_).first(equations_.state_count()));
}

/// Returns whether the nominal values of states have changed.
bool ModelSolver::settle_discrete_states() {
    constexpr int limit = 1000;
    bool nominals_changed = false;
    for (int rounds = 0; rounds < limit; ++rounds) {
        const EventRound round = model_.exchange.update_discrete_states();
        nominals_changed = nominals_changed || round.nominals_changed;
        terminates_ = terminates_ || round.terminate;
        next_event_ = round.next_event;
        if (!round.again || terminates_) return nominals_changed;
    }
    throw SolverFault(format("its discrete states have not settled in {} rounds", limit),
                      "the model's event iteration does not end");
}

void ModelSolver::restart() {
    if (terminates_) return;
    integrator_->restart(now_, x_);
    read_indicators(indicators_);
}

void ModelSolver::read_indicators(std::vector<double>& indicators) {
    if (model_.exchange.get_indicators(indicators) == Evaluation::refused)
        throw SolverFault("the model refuses to tell its event indicators", "");
}

/// Whether indicators have changed their signs since the last step ended: FMI 2.0.4 section 3.1.1,
/// "from z > 0 to z ≤ 0 or vice versa".
bool ModelSolver::indicators_differ() {
    read_indicators(indicators_now_);
    return !std::ranges::equal(indicators_, indicators_now_,
                               [](double a, double b) { return (a > 0) == (b > 0); });
}

void ModelSolver::guard_against_chatter() {
    if (!chatter_.add(now_, step_)) return;
    std::string indicators;
    const auto changed = integrator_->changed_indicators();
    for (std::size_t i = 0; i < changed.size(); ++i) {
        if (changed[i] != 0) indicators += format("{}{}", indicators.empty() ? "" : ", ", i + 1);
    }
    throw SolverFault(
        format("the model chatters: {} events between t = {} s and t = {} s{}",
               ChatterGuard::patience, shortest(chatter_.since()), shortest(now_),
               indicators.empty() ? "" : ", the last by event indicator " + indicators),
        "it switches back and forth faster than time goes on; a hysteresis in the "
        "model would end that");
}

void ModelSolver::save(Saved& to) {
    may_go_back_ = true;
    to.now = now_;
    to.in_event_mode = in_event_mode_;
    to.terminates = terminates_;
    to.next_event = next_event_;
    to.events = events_;
    to.chatter = chatter_;
    to.x = x_;
    to.indicators = indicators_;
    to.integrator.resize(integrator_->saved_size());
    integrator_->save(to.integrator.data());
}

void ModelSolver::restore(const Saved& from) {
    now_ = from.now;
    in_event_mode_ = from.in_event_mode;
    terminates_ = from.terminates;
    next_event_ = from.next_event;
    events_ = from.events;
    chatter_ = from.chatter;
    x_ = from.x;
    indicators_ = from.indicators;
    integrator_->restore(from.integrator.data());
}

} // namespace rubato::unit
