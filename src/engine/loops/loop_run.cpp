// SPDX-License-Identifier: Apache-2.0
#include "loop_run.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato::engine {

LoopRun::LoopRun(Executor& executor, FixedPointLoop& loop, BlockOutcome& outcome)
    : executor_(executor), loop_(loop), outcome_(outcome), event_before_(outcome.event) {
    executor_.keep_starting_values(loop_);
    executor_.keep_first_discrete(loop_);
    for (std::size_t i = 0; i < reals().size(); ++i) loop_.start[i] = slots()[reals()[i].before];
    weigh();
}

bool LoopRun::starts_finite() const {
    return std::ranges::all_of(loop_.start, [](double value) { return std::isfinite(value); });
}

/// The units go back and the values of the loop are what an iteration starts from; then it is made.
/// False: a unit has ended it.
bool LoopRun::execute(std::span<const double> x, std::span<double> g) {
    for (std::size_t i = 0; i < x.size(); ++i)
        slots()[reals()[i].before] = slots()[reals()[i].now] = x[i];
    if (!loop_.within.empty()) note_move(x);
    if (!is_first_) {
        executor_.go_back_to_discrete(loop_);
        (void)executor_.execute(loop_.retry, outcome_);
    }
    is_first_ = false;
    outcome_.event = event_before_; // what earlier iterations met need not be there
    flow_ = executor_.agree(executor_.execute(loop_.iterate, outcome_), outcome_);
    ++executor_.summary_.iterations;
    ++loop_.work.iterations;
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = slots()[reals()[i].now];
    return flow_ == Flow::proceed;
}

/// A value that is no number may be what diverging has come to. What the units have made of it is
/// taken back by the next iteration.
bool LoopRun::execute_or_overflow(std::span<const double> x, std::span<double> g) {
    const int negotiating = executor_.negotiating_;
    has_overflowed_ = false;
    try {
        return execute(x, g);
    } catch (const NotFiniteError&) {
        if (!may_overflow_) throw;
    }
    executor_.negotiating_ = negotiating;
    flow_ = Flow::proceed;
    has_overflowed_ = true;
    ++executor_.summary_.iterations;
    ++loop_.work.iterations;
    return true;
}

void LoopRun::note_move(std::span<const double> x) {
    moved_ = 0;
    for (std::size_t i = 0; i < loop_.last.size(); ++i) {
        if (!is_first_)
            moved_ = std::max(moved_, loop_.weights[i] * std::abs(x[i] - loop_.last[i]));
        loop_.last[i] = x[i];
    }
}

/// Values from within steps are those of the iteration before. After a leap of a solver they belong
/// to other guesses, and x = G(x) says little.
bool LoopRun::has_leapt() const {
    constexpr double most_tolerances = 10;
    const bool has_own = moved_ > most_tolerances &&
                         std::ranges::any_of(loop_.within, [](const unit::InnerSamples* samples) {
                             return samples->count() > 0;
                         });
    return executor_.decisions().any(has_own);
}

bool LoopRun::sample(std::span<const double> x, std::span<double> g) {
    has_ended_ = !execute(x, g);
    return !has_ended_;
}

bool LoopRun::iterate(std::span<const double> x, std::span<double> g) {
    has_ended_ = true;
    change_ = HUGE_VAL;
    const bool is_complete = execute_or_overflow(x, g);
    ++iterations_;
    Summary& summary = executor_.summary_;
    summary.most_iterations = std::max(summary.most_iterations, iterations_);
    if (has_overflowed_) return !(has_ended_ = false);
    if (!is_complete) return false;

    change_ = executor_.decisions().largest(executor_.largest_change(loop_));
    if (iterations_ == 1 && executor_.measures_divergence_) executor_.keep_first(loop_);
    const algorithm::Convergence& until = loop_.until;
    const bool is_limit = iterations_ >= until.iterations.value_or(until.limit);
    const bool is_done = until.iterations ? is_limit : change_ <= 1 && !has_leapt();
    if (is_done || is_limit) {
        conclude(is_done);
        return false;
    }
    executor_.adopt_discrete(loop_);
    weigh();
    has_ended_ = false;
    return true;
}

void LoopRun::conclude(bool is_done) {
    if (!is_done && !executor_.give_up(loop_, iterations_)) {
        flow_ = Flow::diverge;
        return;
    }
    executor_.adopt(loop_);
    executor_.finalize(loop_.followers);
    if (executor_.measures_divergence_) executor_.add_divergence(loop_);
}

/// Where nothing may change at all, rounding is what may.
void LoopRun::weigh() {
    for (std::size_t i = 0; i < loop_.weights.size(); ++i) {
        const LoopValue& value = reals()[i];
        const double size = std::max(std::abs(slots()[value.now]), std::abs(slots()[value.before]));
        const double allowed = value.absolute_tolerance + value.relative_tolerance * size;
        const double rounding = std::numeric_limits<double>::epsilon() * (value.nominal + size);
        loop_.weights[i] = 1 / std::max(allowed, rounding);
    }
}

bool LoopRun::differentiate(std::size_t j, std::span<double> column) {
    if (!loop_.derivatives) return false;
    if (!loop_.derivatives->get(loop_, j, column)) loop_.derivatives.reset();
    return loop_.derivatives != nullptr;
}

void LoopRun::note_contraction(double contraction) {
    Summary& summary = executor_.summary_;
    summary.contraction = std::max(summary.contraction, contraction);
}

void LoopRun::note_choice(scenario::LoopMethod method, double contraction) {
    loop_.work.method = method;
    loop_.work.since = executor_.now_;
    loop_.work.contraction = contraction;
    const std::string why =
        std::isfinite(contraction)
            ? format("converges too slowly at t = {} s, an iteration leaves {:.3g} of the change",
                     shortest(executor_.now_.seconds), contraction)
            : format("diverges beyond all numbers at t = {} s", shortest(executor_.now_.seconds));
    executor_.log_.write(
        LogLevel::info, {},
        format("the loop over {} {}: {} from here on", loop_.work.over, why, to_string(method)));
}

} // namespace rubato::engine
