// SPDX-License-Identifier: Apache-2.0
#include "approximation.hpp"

namespace rubato::engine {

InputHistory::Differences InputHistory::divided_differences() const {
    const auto& [b, c] = accepted_;
    const double ab = newest_.time - b.time;
    if (order_ == 0 || accepted_count_ == 0 || ab <= 0) return {};
    const double first = (newest_.value - b.value) / ab;
    if (order_ == 1 || accepted_count_ == 1) return {first, 0};
    const double previous = (b.value - c.value) / (b.time - c.time);
    return {first, (first - previous) / (newest_.time - c.time)};
}

Taylor InputHistory::extrapolated() const {
    // p'(t_a) = u[a,b] + u[a,b,c] (t_a - t_b)
    const auto [first, second] = divided_differences();
    return {newest_.value, first + second * (newest_.time - accepted_[0].time), 2 * second};
}

Taylor InputHistory::interpolated() const {
    // p'(t_b) = u[a,b] - u[a,b,c] (t_a - t_b); of order 0: the value of the end holds all along
    if (order_ == 0 || accepted_count_ == 0) return {newest_.value, 0, 0};
    const auto [first, second] = divided_differences();
    return {accepted_[0].value, first - second * (newest_.time - accepted_[0].time), 2 * second};
}

void InputHistory::commit() {
    if (accepted_count_ > 0 && newest_.time <= accepted_[0].time) {
        accepted_[0] = newest_; // the same instant again
        return;
    }
    accepted_ = {newest_, accepted_[0]};
    if (accepted_count_ < accepted_.size()) ++accepted_count_;
}

} // namespace rubato::engine
