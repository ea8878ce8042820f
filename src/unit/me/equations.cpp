// SPDX-License-Identifier: Apache-2.0
#include "equations.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::unit {

Equations::Equations(ModelExchange& model, InputMotion& inputs, std::vector<std::string> names,
                     SolverStatistics& statistics)
    : model_(model), inputs_(inputs), names_(std::move(names)), statistics_(statistics),
      state_count_(model.state_count()), indicator_count_(model.indicator_count()),
      dimension_(std::max<std::size_t>(state_count_, 1)) {}

Evaluation Equations::place(double time, std::span<const double> x) {
    time_ = time;
    if (model_.try_point(time, x.first(state_count_)) == Evaluation::refused)
        return refuse({time, std::nullopt, 0});
    if (!inputs_.moves()) return Evaluation::done;
    if (model_.try_inputs(inputs_.references(), inputs_.values_at(time)) == Evaluation::refused)
        return refuse({time, std::nullopt, 0});
    return Evaluation::done;
}

Evaluation Equations::derivatives(double time, std::span<const double> x,
                                  std::span<double> derivatives) {
    ++statistics_.evaluations;
    if (place(time, x) == Evaluation::refused) return Evaluation::refused;
    if (state_count_ == 0) derivatives[0] = 0;
    if (model_.get_derivatives(derivatives.first(state_count_)) == Evaluation::refused)
        return refuse({time, std::nullopt, 0});
    const auto bad =
        std::ranges::find_if(derivatives, [](double value) { return !std::isfinite(value); });
    if (bad == derivatives.end()) return Evaluation::done;
    return refuse({time, static_cast<std::size_t>(bad - derivatives.begin()), *bad});
}

Evaluation Equations::indicators(double time, std::span<const double> x,
                                 std::span<double> indicators) {
    if (place(time, x) == Evaluation::refused) return Evaluation::refused;
    if (model_.get_indicators(indicators) == Evaluation::refused)
        return refuse({time, std::nullopt, 0});
    return Evaluation::done;
}

std::string Equations::explain_refusal() const {
    if (!refusal_) return {};
    if (!refusal_->state)
        return format("the model cannot be evaluated at t = {} s", shortest(refusal_->time));
    const std::size_t state = *refusal_->state;
    return format("the derivative of {} is {} at t = {} s",
                  state < names_.size() ? format("\"{}\"", names_[state])
                                        : format("state {}", state + 1),
                  refusal_->value, shortest(refusal_->time));
}

} // namespace rubato::unit
