// SPDX-License-Identifier: Apache-2.0
#include "composite_unit.hpp"

#include <rubato/private/format.hpp>

#include <stdexcept>

// Steps of a composite: inputs that move, events within, outputs within.

namespace rubato::composite {

using unit::StepEnd;
using unit::StepResult;

StepResult CompositeUnit::do_step(Time from, Duration by) {
    return passing_on([&] {
        bring_up_to_date();
        step_start_ = from;
        samples_.begin(from, by);
        simulation_->begin_span(from, by);
        const StepResult result = make_steps(from);
        if (result.end != StepEnd::completed) samples_.end(result.reached);
        if (!moving_.empty()) settle(result.reached);
        return result;
    });
}

StepResult CompositeUnit::make_steps(Time from) {
    if (std::exchange(awaits_event_, false) && !simulation_->handle_events())
        return {from, StepEnd::terminated};
    while (true) {
        const StepResult result = simulation_->advance();
        if (result.end == StepEnd::completed && shares_events_ && concerns_others())
            return {result.reached, StepEnd::event};
        if (result.end != StepEnd::event) return result;
        if (std::exchange(has_ended_span_, false)) return result;
        awaits_event_ = shares_events_ && simulation_->has_ended();
        if (awaits_event_) return result;
        if (const auto end = handle_alone(from)) return *end;
    }
}

/// An event within a step. If it concerns others, the step ends: they handle it together. Nothing:
/// the step goes on.
std::optional<StepResult> CompositeUnit::handle_alone(Time from) {
    // What is that near to the start comes of rounding: a step must get somewhere.
    const bool may_end =
        ends_steps_at_events_ && !simulation_->is_near(from) && !simulation_->has_ended();
    const Time now = simulation_->time();
    const bool is_trial = may_end && before_event_;
    if (may_end && shares_events_ && !is_trial) { // it cannot be tried
        awaits_event_ = true;
        return StepResult{now, StepEnd::event};
    }
    if (is_trial) simulation_->save(*before_event_);
    if (!simulation_->handle_events()) return StepResult{now, StepEnd::terminated};
    if (!concerns_others() || !may_end) return std::nullopt;
    if (is_trial) {
        simulation_->restore(*before_event_);
        awaits_event_ = true;
    }
    return StepResult{now, StepEnd::event};
}

// -- inputs that move -----------------------------------------------------------------------------

void CompositeUnit::set(std::span<const ValueRef> inputs, unsigned order,
                        std::span<const double> values) {
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

bool CompositeUnit::move_to(Time now) {
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

void CompositeUnit::set_target(ValueRef input, const Target& target, double value) const {
    target.unit->set({description().variables[input].type, {&target.reference, 1}, &value, 1});
}

/// Where the step has ended, polynomials go on from there. Outputs that an input feeds through to
/// belong to that time, as those do of units that let it move themselves.
void CompositeUnit::settle(Time end) {
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

// -- outputs within steps -------------------------------------------------------------------------

void CompositeUnit::sample(std::span<const ValueRef> outputs, std::size_t most) {
    samples_.sample(outputs, most);
}

void CompositeUnit::pass(Time now) {
    stand_at(now);
    if (at_point_) at_point_(now);
    const std::span<double> values =
        samples_.is_sampling() ? samples_.add(now) : std::span<double>();
    if (!values.empty())
        variables_.get({ValueType::float64, samples_.outputs(), values.data(), values.size()});
}

} // namespace rubato::composite
