// SPDX-License-Identifier: Apache-2.0
#include "step_driver.hpp"

#include "error_monitor.hpp"
#include "loops/loop_record.hpp"
#include "step_limits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rubato::engine {

StepDriver::StepDriver(const Parts& parts)
    : system_(parts.system), executor_(parts.executor), handler_(parts.events),
      events_(handler_ && handler_->handles_units() ? handler_ : nullptr), summary_(parts.summary),
      grid_(parts.experiment, parts.options.points), now_(grid_.start()) {
    make_controllers(parts);
    if (!parts.experiment.open.step) own_step_ = grid_.step();
    is_free_ = control_ || step_output_;
    continues_ = !grid_.is_given() &&
                 parts.experiment.after_partial_step == scenario::AfterPartialStep::proceed;
    const std::vector<Procedure>& procedures = parts.compiled.plan->procedures;
    always_whole_steps_ = procedures.size() == 1 && procedures[0].fraction == 1;
    is_plain_ = always_whole_steps_ && !events_ && controllers_.empty();
    head_for(1);
}

void StepDriver::add(std::unique_ptr<StepController> controller) {
    if (!controller) return;
    if (controller->judges()) judges_.push_back(controller.get());
    controllers_.push_back(std::move(controller));
    is_plain_ = false;
}

template <class Controller>
Controller* StepDriver::added(std::unique_ptr<Controller> controller) {
    Controller* const result = controller.get();
    add(std::move(controller));
    return result;
}

/// The table of all controllers, the outermost first.
void StepDriver::make_controllers(const Parts& parts) {
    const SimulationOptions& options = parts.options;
    const bool is_controlled = options.step_control.controller != scenario::StepController::fixed;
    const bool estimates_errors = options.estimate_errors || options.record_bonds;
    if (is_controlled || estimates_errors)
        couplings_ = std::make_unique<Couplings>(system_, parts.compiled);
    if (estimates_errors)
        meter_ = std::make_unique<TrustMeter>(system_, *couplings_, parts.units,
                                              *parts.compiled.plan, grid_.start(), grid_.stop());

    std::unique_ptr<EventSearch> search;
    if (system_.ends_steps_at_events || !system_.watched.empty())
        search = std::make_unique<EventSearch>(options.events, parts.experiment, system_,
                                               parts.compiled, parts.units, executor_, summary_);
    if (is_controlled)
        control_ = added(std::make_unique<StepControl>(
            options.step_control, parts.experiment, system_, *parts.compiled.plan, parts.units,
            *couplings_, executor_, search.get(), summary_));
    if (system_.step_output && options.points.empty())
        step_output_ = added(
            std::make_unique<StepOutput>(parts.experiment, system_, parts.compiled, executor_));
    if (options.points.empty())
        add(StepLimits::make(options.step_limits,
                             {parts.experiment, system_, parts.compiled, parts.units, executor_,
                              search.get(), summary_}));
    search_ = added(std::move(search));
    if (search_) handler_->attach(*search_);
    if (options.order)
        order_ = added(std::make_unique<OrderController>(*options.order, system_, parts.compiled,
                                                         parts.units));
    if (couplings_) add(std::make_unique<ErrorMonitor>(*couplings_, meter_.get()));
}

void StepDriver::handle_first_events() {
    if (events_) (void)handle_events();
}

void StepDriver::start() {
    if (search_ && search_->start(now_)) handler_->propagate(now_);
    for (const auto& each : controllers_)
        if (each.get() != order_) each->restart(now_);
    if (order_) order_->start(now_);
}

void StepDriver::begin_span(Time from, Duration by) {
    grid_.begin_span(from, by, own_step_);
    now_ = from;
    on_grid_ = true;
    head_for(1);
}

Flow StepDriver::make_whole_steps(std::uint64_t count, const std::atomic<bool>& stop,
                                  std::atomic<double>& done) {
    if (!is_plain_ || !on_grid_ || !executor_.calls_directly()) return Flow::proceed;
    count = std::min(count, grid_.whole_steps_from(next_.number));
    if (count == 0) return Flow::proceed;
    const auto flow = executor_.advance({grid_, count, now_, next_, stop, done});
    return flow ? end_step(next_of_grid(), *flow) : Flow::proceed;
}

Flow StepDriver::step_as_chosen(Time latest) {
    if (!always_whole_steps_ || events_) {
        if (choose_configuration() && propagate_after_switch(false) == Flow::stop)
            return Flow::stop;
    }
    const Attempt wanted = choose(latest);
    return end_step(wanted, advance(wanted));
}

Flow StepDriver::end_step(const Attempt& wanted, Flow flow) {
    if (flow == Flow::stop) {
        if (system_.units.size() == 1) // it has got so far
            now_ = summary_.reached = std::max(now_, executor_.accepted());
        return flow;
    }
    commit(wanted);
    count_step();
    return flow;
}

bool StepDriver::choose_configuration() {
    const std::size_t before = executor_.configuration();
    bool reconnects = false;
    if (order_)
        executor_.switch_order(order_->chosen());
    else
        reconnects = executor_.choose_configuration(now_);
    if (executor_.configuration() == before) return false;
    if (couplings_ && order_) couplings_->change_order(before, executor_.configuration());
    if (couplings_ && !order_) couplings_->forget();
    return reconnects;
}

/// What new connections carry may make events of its own, and reaches discrete inputs as events.
void StepDriver::propagate_new_connections(bool is_located) {
    if (search_ && !is_located && search_->start(now_)) handler_->propagate(now_);
    if (events_) events_->reconnect();
}

Flow StepDriver::propagate_after_switch(bool is_located) {
    propagate_new_connections(is_located);
    const Flow flow = events_ || is_located ? handle(is_located) : Flow::proceed;
    if (couplings_) couplings_->restart(now_);
    return flow;
}

Attempt StepDriver::choose(Time latest) const {
    if (control_) {
        const Time end = std::min(latest, latest_end(control_->next()));
        return Attempt::between(now_, std::min(grid_.stop(), end));
    }
    if (step_output_) {
        const Time end = std::min(latest, latest_end(step_output_->next(now_)));
        return step_output_->choose(now_, std::min(grid_.stop(), end));
    }
    const Attempt step = next_of_procedure();
    if (events_ || !controllers_.empty()) latest = std::min(latest, latest_end(step.by));
    // No sliver is left before a point of the grid.
    if (latest + grid_.shortest() >= step.end) return step;
    return Attempt::between(now_, latest);
}

Attempt StepDriver::next_of_grid() const {
    return {now_, on_grid_ ? next_.interval : next_.time - now_, next_.time};
}

/// A procedure may make a part of the step only; no sliver is left before the next point.
Attempt StepDriver::next_of_procedure() const {
    const Attempt step = next_of_grid();
    if (executor_.fraction() == 1) return step;
    const Duration part = executor_.fraction() * grid_.step();
    if (step.by.seconds - part.seconds <= grid_.shortest().seconds) return step;
    return {now_, part, now_ + part};
}

/// Infinite: anywhere.
Time StepDriver::latest_end(Duration longest) const {
    Time end = events_ ? events_->next() : Time{HUGE_VAL};
    for (const auto& each : controllers_) end = std::min(end, each->latest_end(now_, longest));
    return executor_.decisions().earliest(end);
}

/// Of all attempts, this is the loop. What one judge accepts, the next outer one judges.
Flow StepDriver::advance(const Attempt& wanted, std::size_t judge) {
    if (judge == judges_.size()) return executor_.advance(wanted.from, wanted.by, wanted.end);
    StepController& controller = *judges_[judge];
    Checkpoint* const checkpoint = controller.checkpoint();
    if (checkpoint) checkpoint->save();
    const LoopRecord before(summary_);
    Attempt attempt = controller.begin(wanted);
    while (true) {
        const Flow flow = advance(attempt, judge + 1);
        const Judgement judgement = controller.judge(attempt, flow);
        if (judgement.kind() == Judgement::Kind::accept) {
            if (&controller == search_) executor_.share_as(RunCommand::share_data);
            return flow;
        }
        if (judgement.kind() == Judgement::Kind::repeat) {
            checkpoint->restore();
            executor_.announce(RunCommand::abort_iteration, wanted.from);
            if (&controller == search_) executor_.share_as(RunCommand::share_data_no_discrete);
            before.restore(summary_);
        }
        attempt = judgement.next();
    }
}

void StepDriver::commit(const Attempt& wanted) {
    MadeStep step{now_, wanted.by, executor_.end(), executor_.end(), executor_.configuration()};
    if (step.reached != wanted.end || is_free_) step.by = step.reached - now_;
    move_to_next_point(step, wanted.end);
    step.end = now_;
    if (step.end == step.from) return;
    for (const auto& each : controllers_) each->commit(step);
    if (control_ && control_->has_jumped()) start_from_jump();
}

/// From a step that was to end at `wanted_end`.
void StepDriver::move_to_next_point(const MadeStep& step, Time wanted_end) {
    note_step_length(step, wanted_end);
    if (is_free_) {
        now_ = wanted_end - step.reached > grid_.shortest() ? step.reached : wanted_end;
        return;
    }
    if (next_.time - step.reached <= grid_.shortest()) return reach_next_point();
    now_ = step.reached;
    on_grid_ = continues_ && step.reached < wanted_end && step.reached > step.from;
    if (!on_grid_) return;
    grid_.begin_at(step.reached);
    head_for(1);
}

/// Of steps that are not those of the grid. The last one is what is left.
void StepDriver::note_step_length(const MadeStep& step, Time wanted_end) {
    if (step.reached <= step.from) return;
    const Duration by = step.reached - step.from;
    if (is_free_) summary_.longest_step = std::max(summary_.longest_step, by);
    const bool counts = is_free_ ? step.from + by < grid_.stop() : step.reached < wanted_end;
    Duration& shortest = summary_.shortest_step;
    if (counts && (shortest == Duration{} || by < shortest)) shortest = by;
}

void StepDriver::start_from_jump() {
    executor_.exchange(now_);
    couplings_->restart(now_);
    if (order_) order_->jump(now_);
}

bool StepDriver::has_found_events() {
    if (search_ && search_->has_found()) return true; // everybody has found it
    if (!events_) return false;
    return executor_.decisions().any(executor_.ended_at_event() || events_->are_due(now_) ||
                                     events_->have_come_up());
}

bool StepDriver::has_changed_inputs() {
    if (!events_) return false;
    const ExternalInputs* const external = executor_.external_inputs();
    return (external && external->have_changed()) || events_->have_come_up();
}

Flow StepDriver::handle(bool is_located) {
    executor_.announce(RunCommand::share_data_only_discrete, now_);
    executor_.share_as(RunCommand::share_data_only_discrete);
    Flow flow = handler_->handle(now_, is_located);
    while (flow == Flow::proceed && handler_->next() <= now_) flow = handler_->handle(now_, false);
    executor_.share_as(RunCommand::share_data);
    if (search_ && events_) search_->report_changes(now_);
    return flow;
}

Flow StepDriver::handle_events() {
    const bool found = search_ && search_->has_found();
    // What happens at this instant takes the connections that are in force from now on.
    const bool reconnects = !order_ && now_ > grid_.start() && choose_configuration();
    const Flow flow = reconnects ? propagate_after_switch(found) : handle(found);
    restart_controllers(found, flow);
    return flow;
}

void StepDriver::restart_controllers(bool is_located, Flow flow) {
    for (const auto& each : controllers_) {
        if (each.get() == order_ && flow != Flow::proceed) continue;
        is_located ? each->restart(now_) : each->jump(now_);
    }
}

void StepDriver::begin_event() {
    is_located_ = search_ && search_->has_found();
    has_reconnected_ = !order_ && now_ > grid_.start() && choose_configuration();
    if (has_reconnected_) propagate_new_connections(is_located_);
    events_->begin(now_, is_located_);
}

void StepDriver::end_event() {
    events_->end();
    if (search_) search_->report_changes(now_);
    if (has_reconnected_ && couplings_) couplings_->restart(now_);
    restart_controllers(is_located_, Flow::proceed);
}

void StepDriver::conclude() {
    for (const auto& each : controllers_) each->conclude(summary_);
}

void StepDriver::visit_state(StateArchive& archive) {
    archive(now_, next_.number, on_grid_, grid_, is_located_, has_reconnected_);
    head_for(next_.number);
    for (const auto& each : controllers_) each->visit_state(archive);
}

} // namespace rubato::engine
