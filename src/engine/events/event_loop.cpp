// SPDX-License-Identifier: Apache-2.0
#include "event_loop.hpp"

#include <algorithm>
#include <cmath>

namespace rubato::engine {

EventLoop::EventLoop(const EventWiring& wiring, const scenario::LoopSettings& settings)
    : guessed_(wiring.guessed), x_(guessed_.size()), g_(guessed_.size()),
      weights_(guessed_.size()) {
    constexpr std::size_t no_reuse = 0; // events are rare, and not alike
    if (!guessed_.empty() && settings.method != scenario::LoopMethod::plain)
        solver_.emplace(LoopSize{guessed_.size(), guessed_.size()}, settings.relaxation, no_reuse);
}

void EventLoop::begin() {
    if (!solver_) return;
    solver_->begin();
    rounds_ = 0;
    is_trying_ = false;
}

void EventLoop::begin_round() {
    if (!solver_) return;
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = *guessed_[i].value;
}

void EventLoop::end_round() {
    if (!solver_) return;
    for (std::size_t i = 0; i < g_.size(); ++i) g_[i] = *guessed_[i].value;
    const double before = residual_;
    weigh();
    solver_->learn(x_, g_, true);
    ++rounds_;
    constexpr double fast = 0.1;
    is_trying_ = is_trying_ || (rounds_ > 1 && residual_ > fast * before && residual_ > 1);
    if (!is_trying_ || residual_ <= 1) return;
    solver_->propose(x_, weights_);
    for (std::size_t i = 0; i < x_.size(); ++i) *guessed_[i].value = x_[i];
}

void EventLoop::weigh() {
    residual_ = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
        const double size = std::max(std::abs(x_[i]), std::abs(g_[i]));
        weights_[i] = 1 / (guessed_[i].tolerance * (1 + size));
        residual_ = std::max(residual_, weights_[i] * std::abs(g_[i] - x_[i]));
    }
}

} // namespace rubato::engine
