// SPDX-License-Identifier: Apache-2.0
#include "linear_solver.hpp"

#include <rubato/model/instance.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

namespace rubato::model {

namespace {

std::string seconds(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g s", value);
    return text;
}

} // namespace

void Instance::advance(double from, double by) {
    try {
        if (!(by > 0) || !(by < std::numeric_limits<double>::infinity()))
            throw std::runtime_error("a step of " + seconds(by) + " is not a step forward");
        if (!has_events_)
            solve(from, by);
        else if (interface_ == Interface::hybrid && may_stop_early_)
            step_to_event(from, by);
        else
            solve_through_events(from, by);
    } catch (...) {
        header().phase = Phase::failed;
        throw;
    }
}

void Instance::plain_step(double from, double by) {
    if (is_ready_for_exact_steps())
        linear_->step(object_, by, nullptr, 0);
    else
        advance(from, by);
}

bool Instance::is_ready_for_exact_steps() const {
    return static_cast<Solver>(header().solver) == Solver::exact && linear_ != nullptr &&
           linear_->is_prepared(header().equations_version);
}

double Instance::limited_step(double from, double by) {
    const double longest = longest_step(from);
    if (std::isnan(longest)) {
        header().phase = Phase::failed;
        throw std::runtime_error("longest_step() gives no number at t = " + seconds(from));
    }
    if (by > 0 && longest <= 0) return from;
    const double accepted = std::min(by, longest);
    header().at_event = false;
    whole_step(from, accepted);
    return header().at_event ? header().time : from + accepted;
}

unsigned Instance::counted_inner_steps(double by) const {
    const double count = std::ceil(by / header().inner_step - 1e-9); // 0.1/0.01 is 10, not 11
    if (count > 1e9) [[unlikely]]
        throw std::runtime_error("a step of " + seconds(by) + " takes too many inner steps of " +
                                 seconds(header().inner_step) + "; raise inner_step");
    return count < 1 ? 1 : static_cast<unsigned>(count);
}

void Instance::solve(double from, double by) {
    const unsigned count = inner_steps(by);
    const double h = count == 1 ? by : by / count;
    if (static_cast<Solver>(header().solver) == Solver::exact) prepare_solver();
    if (moves()) hold_inputs(from);
    for (unsigned i = 0; i < count; ++i) {
        if (i > 0) tell_reached(from, from + i * h);
        inner_step(from + i * h, h, i * h);
    }
    if (moves()) move_inputs(by);
}

/// One step of the solver; `tau` is the time since inputs were held.
void Instance::inner_step(double time, double h, double tau) {
    if (state_count_ == 0) return;
    if (moves() && tau > 0) move_inputs(tau);
    switch (static_cast<Solver>(header().solver)) {
    case Solver::euler: euler(time, h); break;
    case Solver::rk4: rk4(time, h, tau); break;
    case Solver::exact: exact(h, tau); break;
    }
}

void Instance::hold_inputs(double from) {
    held_at_ = from;
    double* held = scratch_.get();
    for (const std::uint32_t offset : type_.layout.continuous_inputs) *held++ = at(object_, offset);
}

void Instance::move_inputs(double tau) {
    const double* held = scratch_.get();
    const double* derivative = input_derivatives();
    for (const std::uint32_t offset : type_.layout.continuous_inputs) {
        at(object_, offset) = *held++ + tau * (derivative[0] + 0.5 * tau * derivative[1]);
        derivative += 2;
    }
    if (sets_inputs_) listener_->set_inputs(held_at_ + tau);
}

void Instance::tell_reached(double from, double now) {
    if (listener_ == nullptr) return;
    if (moves()) move_inputs(now - from);
    header().time = now;
    header().stale = Slot::needs_all;
    listener_->reached(now);
}

/// x(t+h) = x + h/6 (k1 + 2 k2 + 2 k3 + k4)
void Instance::rk4(double time, double h, double tau) {
    static constexpr double nodes[] = {0, 0.5, 0.5, 1}; // when, and of x + node h k before
    static constexpr double weights[] = {1, 2, 2, 1};
    double* const start = scratch_.get() + type_.layout.continuous_inputs.size();
    double* const sum = start + state_count_;
    for (std::uint32_t i = 0; i < state_count_; ++i) {
        start[i] = at(object_, states_[i]);
        sum[i] = 0;
    }
    for (int stage = 0; stage < 4; ++stage) {
        const double ahead = nodes[stage] * h;
        if (stage > 0)
            for (std::uint32_t i = 0; i < state_count_; ++i)
                at(object_, states_[i]) = start[i] + ahead * at(derivative_object_, states_[i]);
        if (stage > 0 && moves()) move_inputs(tau + ahead);
        evaluate(time + ahead);
        for (std::uint32_t i = 0; i < state_count_; ++i)
            sum[i] += weights[stage] * at(derivative_object_, states_[i]);
    }
    for (std::uint32_t i = 0; i < state_count_; ++i)
        at(object_, states_[i]) = start[i] + h / 6 * sum[i];
}

void Instance::exact(double h, double tau) {
    if (sets_inputs_)
        linear_->step(object_, h, sample_derivatives(tau, h), 0);
    else
        linear_->step(object_, h, header().moving ? input_derivatives() : nullptr, tau);
}

/// Of the parabola through the inputs now, in the middle and at the end of a step h:
///   u' = (-3 u0 + 4 u1 - u2)/h,  u'' = 4 (u0 - 2 u1 + u2)/h²
const double* Instance::sample_derivatives(double tau, double h) {
    const auto& inputs = type_.layout.continuous_inputs;
    double* const start = sampled_.data();
    double* const derivatives = start + inputs.size();
    for (std::size_t i = 0; i < inputs.size(); ++i) start[i] = at(object_, inputs[i]);
    move_inputs(tau + 0.5 * h);
    for (std::size_t i = 0; i < inputs.size(); ++i) derivatives[2 * i] = at(object_, inputs[i]);
    move_inputs(tau + h);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const double middle = derivatives[2 * i], end = at(object_, inputs[i]);
        derivatives[2 * i] = (4 * middle - 3 * start[i] - end) / h;
        derivatives[2 * i + 1] = 4 * (start[i] - 2 * middle + end) / (h * h);
        at(object_, inputs[i]) = start[i];
    }
    return derivatives;
}

} // namespace rubato::model
