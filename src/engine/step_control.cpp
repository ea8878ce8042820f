// SPDX-License-Identifier: Apache-2.0
#include "step_control.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::engine {

StepControl::StepControl(const scenario::StepControl& settings,
                         const scenario::Experiment& experiment, const scenario::System& system,
                         Plan& plan, std::span<const std::unique_ptr<unit::Unit>> units,
                         Couplings& couplings, Executor& executor, EventSearch* search,
                         StepLimits* limits, Summary& summary)
    : settings_(settings), couplings_(couplings), executor_(executor), search_(search),
      limits_(limits), summary_(summary),
      size_(settings, {experiment.step}, {experiment.stop - experiment.start}),
      estimator_(make_estimator(settings, system, couplings, executor,
                                {experiment.stop - experiment.start})) {
    executor.measure_divergence(settings.controller == scenario::StepController::divergence);
    if (can_all_roll_back(units)) checkpoint_.emplace(plan, units);
}

Flow StepControl::advance(Time now, Duration by, Time end) {
    if (limits_) return limits_->advance(now, by, end);
    return search_ ? search_->advance(now, by, end) : executor_.advance(now, by, end);
}

void StepControl::take_back(const LoopRecord& before) {
    ++summary_.repeated;
    checkpoint_->restore();
    before.restore(summary_);
}

Flow StepControl::advance(Time now, Time limit) {
    has_jumped_ = false;
    while (true) {
        const Attempt attempt = choose(now, limit);
        const LoopRecord before(summary_);
        const bool is_shortest = attempt.by <= (1 + sliver) * size_.minimum();
        if (checkpoint_) checkpoint_->save();
        executor_.let_diverge(checkpoint_ && !is_shortest);
        Flow flow = make(now, attempt);
        if (flow == Flow::diverge) {
            take_back(before);
            size_.reject(attempt.by, HUGE_VAL, 1);
            continue;
        }
        if (flow != Flow::proceed || executor_.end() <= now) return flow;
        couplings_.sample(executor_.end());
        const std::size_t configuration = executor_.configuration();
        const unsigned order = couplings_.order(configuration);
        Estimate estimate =
            is_complete_ ? estimator_->estimate(couplings_, configuration) : Estimate{};
        if (estimate.error > 1 && search_ && search_->can_look_before(now)) {
            flow = judge_before_event(now, estimate);
            if (flow != Flow::proceed) return flow;
        }
        const Duration made = executor_.end() - now;
        const bool at_event = search_ && search_->has_found();
        const bool is_jump = at_event && made <= search_->tolerance(); // nothing to be judged
        const bool misses = !(estimate.error <= 1) && !estimator_->only_steers() && !is_jump;
        if (misses && checkpoint_ && !at_event && is_mere_jump(now, made, estimate.error)) {
            has_jumped_ = true;
            size_.resume(suspect_.usual);
            suspect_ = {};
            return flow;
        }
        if (misses && checkpoint_ && !is_shortest) {
            take_back(before);
            size_.reject(made, estimate.error, order);
            continue;
        }
        const bool may_accept = !checkpoint_ || attempt.was_cut || at_event ||
                                settings_.at_minimum == scenario::AtMinimum::accept;
        if (misses && !may_accept) fail_at_minimum(now, made, estimate);
        if (misses) note_missed(now, estimate);
        const bool was_cut = attempt.was_cut || executor_.end() < attempt.end;
        if (is_complete_ && !is_jump) size_.accept(made, estimate.error, order, was_cut);
        if (at_event && estimator_->only_steers()) size_.restart();
        last_ = made;
        return flow;
    }
}

/// The error of a step in which an input jumps does not fall with its length. What the jump does is
/// its size times the time by which it comes early or late: no more than what steps of the usual
/// length are allowed to do, where error · made <= usual.
bool StepControl::is_mere_jump(Time now, Duration made, double error) {
    constexpr double shorter = 0.5, as_large = 0.7;
    const bool is_within = suspect_.error > 0 && now + made <= suspect_.end;
    if (!is_within) {
        suspect_ = {now + made, made, last_ > Duration{} ? std::min(last_, made) : made, error};
        return false;
    }
    return made <= shorter * suspect_.by && error >= as_large * suspect_.error &&
           error * made.seconds <= suspect_.usual.seconds;
}

/// What jumps at an event is no error of the step that ends there: no shorter step would help.
Flow StepControl::judge_before_event(Time now, Estimate& estimate) {
    if (estimator_->halves_steps()) return Flow::proceed;
    const Flow flow = search_->look_before_event(now, [&] {
        couplings_.sample(executor_.end());
        estimate = estimator_->estimate(couplings_, executor_.configuration());
    });
    couplings_.sample(executor_.end());
    return flow;
}

/// No sliver is left before the limit, and no step much shorter than the others: the last two
/// share what is left.
StepControl::Attempt StepControl::choose(Time now, Time limit) const {
    const Duration left = limit - now;
    const Duration wanted = next();
    if (wanted >= (1 - sliver) * left) return {left, limit, wanted > left};
    if (wanted > 0.5 * left && 0.5 * left >= size_.minimum())
        return {0.5 * left, now + 0.5 * left, true};
    return {wanted, now + wanted, false};
}

bool StepControl::arrived_at(Time end) const {
    return executor_.end() == end && !executor_.ended_at_event();
}

Flow StepControl::make(Time now, const Attempt& attempt) {
    middle_.reset();
    const Flow flow = advance(now, attempt.by, attempt.end);
    is_complete_ = flow == Flow::proceed;
    if (!estimator_->halves_steps() || !is_complete_) return flow;
    // A unit may have shortened the step; an event ends it for good.
    const Attempt made{executor_.end() - now, executor_.end(), attempt.was_cut};
    is_complete_ = made.by > Duration{} && arrived_at(made.end);
    return is_complete_ ? make_halves(now, made) : flow;
}

Flow StepControl::make_halves(Time now, const Attempt& attempt) {
    couplings_.sample(attempt.end);
    estimator_->keep_whole(couplings_);
    checkpoint_->restore();
    const Duration half = 0.5 * attempt.by;
    const Time middle = now + half;
    Flow flow = advance(now, half, middle);
    is_complete_ =
        flow == Flow::proceed && arrived_at(middle) && !(search_ && search_->has_found());
    if (!is_complete_) return flow;
    middle_ = middle;
    couplings_.keep_middle();
    flow = advance(middle, attempt.end - middle, attempt.end);
    is_complete_ = flow == Flow::proceed && arrived_at(attempt.end);
    return flow;
}

void StepControl::note_missed(Time now, const Estimate& estimate) {
    ++summary_.missed;
    if (estimate.error <= worst_.estimate.error) return;
    worst_ = {estimate, now, executor_.configuration()};
}

std::string StepControl::worst_missed() const {
    if (summary_.missed == 0) return {};
    return format("{} at t = {} s, by a factor of {:.3g}",
                  estimator_->name_of(worst_.estimate.culprit, worst_.configuration),
                  shortest(worst_.when.seconds), worst_.estimate.error);
}

void StepControl::fail_at_minimum(Time now, Duration by, const Estimate& estimate) {
    throw Error(
        format("the step at t = {} s has shrunk to {} s, the shortest allowed, and {} still misses "
               "the tolerance {} by a factor of {:.3g}",
               shortest(now.seconds), shortest(by.seconds),
               estimator_->name_of(estimate.culprit, executor_.configuration()),
               shortest(settings_.tolerance), estimate.error),
        "look at what happens there; a wider step-control.tolerance or a shorter "
        "step-control.minimum may help, and at-minimum: accept goes on");
}

} // namespace rubato::engine
