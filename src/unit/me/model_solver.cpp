// SPDX-License-Identifier: Apache-2.0
#include "model_solver.hpp"

#include "cvode_integrator.hpp"
#include "euler_integrator.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <bit>
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

bool is_same(double one, double other) { return is_close(one, other) && is_close(other, one); }

} // namespace

ModelSolver::ModelSolver(const Model& model, EventHandling handling,
                         const scenario::SolverSettings& settings, double tolerance, double time)
    : model_(model), handling_(handling),
      equations_(model.exchange, model.inputs, state_names(model), model.statistics),
      tolerance_(tolerance), now_(time), x_(equations_.dimension()),
      sampled_x_(equations_.dimension()), derivatives_(equations_.dimension()),
      derivatives_before_(equations_.dimension()), indicators_(equations_.indicator_count()),
      indicators_now_(equations_.indicator_count()) {
    make_integrator(settings);
    if (handling != EventHandling::alone) return;
    finish_event();
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
    enter_event_mode();
    ++model_.statistics.input_events;
}

void ModelSolver::enter_event_mode() {
    model_.exchange.enter_event_mode();
    in_event_mode_ = true;
}

EventRound ModelSolver::update() {
    const EventRound round = model_.exchange.update_discrete_states();
    nominals_changed_ = nominals_changed_ || round.nominals_changed;
    terminates_ = terminates_ || round.terminate;
    next_event_ = round.next_event;
    return round;
}

void ModelSolver::leave_event_mode() {
    ++events_;
    enter_continuous_time();
    restart();
}

void ModelSolver::begin_step(double length, bool jumped) {
    start_ = now_;
    step_ = length;
    at_event_ = false;
    if (in_event_mode_) {
        finish_event();
        restart();
    } else if (jumped && indicators_differ()) {
        take_event(model_.statistics.input_events);
    } else if (jumped) {
        std::ranges::copy(integrator_->x(), x_.begin());
        restart();
    }
}

StepEnd ModelSolver::run_to(double end) {
    double aim = end;
    if (found_ && found_->start == start_ && is_same(found_->time, end)) {
        end = found_->time;
        aim = found_->aim;
    }
    while (!terminates_ && !at_event_ && now_ < end)
        advance(next_event_ ? std::min(aim, *next_event_) : aim, end);
    if (terminates_) return StepEnd::terminated;
    read_indicators(indicators_);
    if (!at_event_) return StepEnd::completed;
    found_ = {start_, now_, aim};
    return StepEnd::event;
}

/// A step of the solver, and what comes of it.
void ModelSolver::advance(double limit, double end) {
    Progress progress{std::max(limit, now_), false};
    if (!is_close(now_, limit)) {
        progress = integrator_->advance(limit);
        sample_until(std::min(progress.time, end));
        if (progress.time > end && !is_same(progress.time, end)) return fall_back_to(end);
    }
    now_ = progress.time;
    place_model();
    const CompletedStep completed = model_.exchange.complete_step(!may_go_back_);
    if (completed.terminate) {
        terminates_ = true;
    } else if (progress.state_event) {
        take_event(model_.statistics.state_events);
    } else if (next_event_ && now_ >= *next_event_) {
        take_event(model_.statistics.time_events);
    } else if (completed.event && handling_ == EventHandling::shared) {
        take_event(model_.statistics.step_events);
    } else if (completed.event) {
        handle_step_event();
    }
}

/// The event that was to be here has not come, and the solver has gone on.
void ModelSolver::fall_back_to(double time) {
    integrator_->interpolate(time, x_);
    now_ = time;
    integrator_->restart(now_, x_);
    place_model();
}

/// What the model was at the times due until the step that the solver has just made ended.
void ModelSolver::sample_until(double time) {
    InnerSamples& samples = model_.samples;
    while (samples.is_sampling() && samples.next_due().seconds < time) {
        const Time due = samples.next_due();
        integrator_->interpolate(due.seconds, sampled_x_);
        if (equations_.place(due.seconds, sampled_x_) == Evaluation::refused)
            throw SolverFault(equations_.explain_refusal(), "");
        if (!samples.begin_sample(due, false)) return;
        read_sample();
    }
}

/// One side of an event.
void ModelSolver::sample_jump() {
    if (model_.samples.begin_sample(Time{now_}, true)) read_sample();
}

/// Into the room of the newest sample.
void ModelSolver::read_sample() {
    InnerSamples& samples = model_.samples;
    const std::span<double> values = samples.room();
    if (!values.empty())
        model_.exchange.get({ValueType::float64, samples.outputs(), values.data(), values.size()});
    const std::span<std::uint64_t> others = samples.other_room();
    for (std::size_t i = 0; i < others.size(); ++i) {
        const SampledOutput& output = samples.others()[i];
        const auto read = [&]<class T>(T value) {
            model_.exchange.get({output.type, {&output.reference, 1}, &value, 1});
            return value;
        };
        switch (storage_of(output.type)) {
        case Storage::real: others[i] = std::bit_cast<std::uint64_t>(read(0.0)); break;
        case Storage::boolean: others[i] = read(false) ? 1 : 0; break;
        default: others[i] = std::bit_cast<std::uint64_t>(read(std::int64_t{0})); break;
        }
    }
}

void ModelSolver::place_model() {
    if (equations_.place(now_, integrator_->x()) == Evaluation::refused)
        throw SolverFault(equations_.explain_refusal(), "");
}

void ModelSolver::take_event(std::uint64_t& counter) {
    if (handling_ != EventHandling::shared) return handle_event(counter);
    ++counter;
    guard_against_chatter();
    at_event_ = true;
}

void ModelSolver::handle_event(std::uint64_t& counter) {
    ++counter;
    guard_against_chatter();
    sample_jump();
    enter_event_mode();
    finish_event();
    restart();
    if (!terminates_) sample_jump();
    model_.samples.settle_event();
}

/// There are models that ask for an event after every step: a solver that starts anew each time
/// would not come far. So it continues where an event has changed neither states nor derivatives.
void ModelSolver::handle_step_event() {
    ++model_.statistics.step_events;
    evaluate(integrator_->x(), derivatives_before_);
    if (model_.samples.events() > 0) sample_jump();
    enter_event_mode();
    finish_event();
    if (terminates_) return;
    evaluate(x_, derivatives_);
    if (!std::ranges::equal(x_, integrator_->x()) || derivatives_ != derivatives_before_) restart();
    if (model_.samples.events() > 0) sample_jump();
    model_.samples.settle_event();
}

void ModelSolver::evaluate(std::span<const double> x, std::span<double> derivatives) {
    if (equations_.derivatives(now_, x, derivatives) == Evaluation::refused)
        throw SolverFault(equations_.explain_refusal(), "");
}

void ModelSolver::finish_event() {
    settle_discrete_states();
    ++events_;
    if (!terminates_) enter_continuous_time();
}

void ModelSolver::enter_continuous_time() {
    model_.exchange.enter_continuous_time_mode();
    in_event_mode_ = false;
    if (nominals_changed_ || nominals_.empty()) update_nominals();
    nominals_changed_ = false;
    model_.exchange.get_states(std::span(x_).first(equations_.state_count()));
}

void ModelSolver::settle_discrete_states() {
    constexpr int limit = 1000;
    for (int rounds = 0; rounds < limit; ++rounds)
        if (!update().again || terminates_) return;
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
        throw SolverFault("the model refuses to give its event indicators", "");
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
        "it switches back and forth faster than time advances; a hysteresis in the "
        "model would end that");
}

void ModelSolver::save(Saved& to) {
    may_go_back_ = true;
    to.now = now_;
    to.in_event_mode = in_event_mode_;
    to.nominals_changed = nominals_changed_;
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
    nominals_changed_ = from.nominals_changed;
    terminates_ = from.terminates;
    next_event_ = from.next_event;
    events_ = from.events;
    chatter_ = from.chatter;
    x_ = from.x;
    indicators_ = from.indicators;
    integrator_->restore(from.integrator.data());
}

} // namespace rubato::unit
