// SPDX-License-Identifier: Apache-2.0
#include "step_control.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::engine {

StepControl::StepControl(const scenario::StepControlSettings& settings,
                         const scenario::Experiment& experiment, const scenario::System& system,
                         Plan& plan, std::span<const std::unique_ptr<unit::Unit>> units,
                         Couplings& couplings, Executor& executor, EventSearch* search,
                         Summary& summary)
    : settings_(settings), couplings_(couplings), executor_(executor), search_(search),
      summary_(summary), size_(settings, {experiment.step}, {experiment.stop - experiment.start}),
      estimator_(make_estimator(settings, system, couplings, &executor,
                                {experiment.stop - experiment.start})) {
    executor.measure_divergence(settings.controller == scenario::StepController::divergence);
    if (can_all_roll_back(units)) checkpoint_.emplace(plan, units);
}

Attempt StepControl::begin(const Attempt& wanted) {
    has_jumped_ = false;
    from_ = wanted.from;
    limit_ = wanted.end;
    return try_whole();
}

bool StepControl::is_shortest() const { return choice_.by <= (1 + sliver) * size_.minimum(); }

Attempt StepControl::try_whole() {
    stage_ = Stage::whole;
    choice_ = choose_step(from_, limit_, next(), size_.minimum());
    couplings_.forget_middle();
    executor_.let_diverge(checkpoint_ && !is_shortest());
    return {from_, choice_.by, choice_.end};
}

Attempt StepControl::try_first_half() {
    stage_ = Stage::first_half;
    couplings_.sample(whole_.end);
    estimator_->keep_whole(couplings_);
    const Duration half = 0.5 * whole_.by;
    return {from_, half, from_ + half};
}

Judgement StepControl::judge(const Attempt& made, Flow flow) {
    if (flow == Flow::diverge) return repeat_shorter(choice_.by, HUGE_VAL, 1);
    is_complete_ = flow == Flow::proceed;
    switch (stage_) {
    case Stage::whole:
        if (!estimator_->halves_steps() || !is_complete_) break;
        // A unit may have shortened the step; an event ends it for good.
        whole_ = Attempt::between(from_, executor_.end());
        is_complete_ = whole_.by > Duration{} && arrived_at(whole_.end);
        if (is_complete_) return Judgement::repeat(try_first_half());
        break;
    case Stage::first_half:
        is_complete_ = is_complete_ && arrived_at(made.end) && !(search_ && search_->has_found());
        if (!is_complete_) break;
        stage_ = Stage::second_half;
        couplings_.keep_middle(made.end);
        return Judgement::continue_with(Attempt::between(made.end, whole_.end));
    case Stage::second_half: is_complete_ = is_complete_ && arrived_at(whole_.end); break;
    case Stage::before_event:
        if (!is_complete_) return Judgement::accept();
        couplings_.sample(executor_.end());
        estimate_ = estimate();
        stage_ = Stage::to_event;
        return Judgement::repeat(Attempt::between(from_, event_));
    case Stage::to_event:
        couplings_.sample(executor_.end());
        return is_complete_ ? conclude_step() : Judgement::accept();
    }
    return judge_error(flow);
}

/// The culprit is this process's own.
Estimate StepControl::estimate() {
    Estimate estimate = estimator_->estimate(couplings_, executor_.configuration());
    estimate.error = executor_.decisions().largest(estimate.error);
    return estimate;
}

Judgement StepControl::judge_error(Flow flow) {
    if (flow != Flow::proceed || executor_.end() <= from_) return Judgement::accept();
    couplings_.sample(executor_.end());
    estimate_ = is_complete_ ? estimate() : Estimate{};
    // What jumps at an event is no error of the step that ends there: no shorter step would help.
    const bool can_look_before = search_ && search_->has_found() &&
                                 search_->quiet_until() > from_ && !estimator_->halves_steps();
    if (!(estimate_.error > 1) || !can_look_before) return conclude_step();
    stage_ = Stage::before_event;
    event_ = executor_.end();
    return Judgement::repeat(Attempt::between(from_, search_->quiet_until()));
}

Judgement StepControl::repeat_shorter(Duration made, double error, unsigned order) {
    ++summary_.repeated;
    size_.reject(made, error, order);
    return Judgement::repeat(try_whole());
}

Judgement StepControl::conclude_step() {
    const unsigned order = couplings_.order(executor_.configuration());
    const Duration made = executor_.end() - from_;
    const bool at_event = search_ && search_->has_found();
    const bool is_jump = at_event && made <= search_->tolerance(); // nothing to be judged
    const bool misses = !(estimate_.error <= 1) && !estimator_->only_steers() && !is_jump;
    if (misses && checkpoint_ && !at_event && is_mere_jump(from_, made, estimate_.error)) {
        has_jumped_ = true;
        size_.resume(suspect_.usual);
        suspect_ = {};
        return Judgement::accept();
    }
    if (misses && checkpoint_ && !is_shortest())
        return repeat_shorter(made, estimate_.error, order);
    const bool may_accept = !checkpoint_ || choice_.was_cut || at_event ||
                            settings_.at_minimum == scenario::AtMinimum::accept;
    if (misses && !may_accept) fail_at_minimum(from_, made, estimate_);
    if (misses) note_missed(from_, estimate_);
    const bool was_cut = choice_.was_cut || executor_.end() < choice_.end;
    if (is_complete_ && !is_jump) size_.accept(made, estimate_.error, order, was_cut);
    if (at_event && estimator_->only_steers()) size_.restart();
    last_ = made;
    return Judgement::accept();
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

bool StepControl::arrived_at(Time end) const {
    return executor_.end() == end && !executor_.ended_at_event();
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
        "step-control.minimum may help, and at-minimum: accept continues");
}

} // namespace rubato::engine
