// SPDX-License-Identifier: Apache-2.0
#include "step_size.hpp"

#include <algorithm>
#include <cmath>

namespace rubato::engine {

namespace {

constexpr double integral = 0.7;
constexpr double proportional = 0.4;
constexpr double least_error = 1e-10; // below it nothing can be distinguished from rounding
constexpr double min_previous_error =
    0.1; // how far below the aim an error still counts in the next step
constexpr double default_minimum = 1e-6;

} // namespace

StepSize::StepSize(const scenario::StepControlSettings& settings, Duration first, Duration span)
    : settings_(settings), minimum_{settings.minimum.value_or(default_minimum * first.seconds)},
      maximum_{settings.maximum.value_or(span.seconds)}, memory_{first} {}

Duration StepSize::limited(Duration made, double factor, double growth) const {
    const double bounded = std::clamp(factor, settings_.shrinking, growth);
    return {std::clamp(bounded * made.seconds, minimum_.seconds, maximum_.seconds)};
}

double StepSize::normalized_error(double error, unsigned order) const {
    return std::max(error / std::pow(settings_.safety, order), least_error);
}

void StepSize::accept(Duration made, double error, unsigned order, bool was_cut) {
    if (settings_.controller == scenario::StepController::divergence) {
        const double factor = error < 1 ? 1 + settings_.change : 1 - settings_.change;
        const Duration proposed = limited(made, factor, settings_.growth);
        memory_.next = was_cut && error < 1 ? std::max(memory_.next, proposed) : proposed;
        return;
    }
    const double excess = normalized_error(error, order);
    const double factor = std::pow(excess, -integral / order) *
                          std::pow(memory_.previous_excess, proportional / order);
    const Duration proposed = limited(made, factor, memory_.has_rejected ? 1 : settings_.growth);
    memory_.next = was_cut && error <= 1 ? std::max(memory_.next, proposed) : proposed;
    memory_.previous_excess = std::max(excess, min_previous_error);
    memory_.has_rejected = false;
}

void StepSize::reject(Duration made, double error, unsigned order) {
    constexpr double at_most = 0.9; // a rejected step is not tried again
    memory_.next = limited(made, std::pow(normalized_error(error, order), -1. / order), at_most);
    memory_.has_rejected = true;
}

} // namespace rubato::engine
