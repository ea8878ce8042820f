// SPDX-License-Identifier: Apache-2.0
#include "approximation.hpp"

#include <utility>

namespace rubato::engine {

InputHistory::Differences InputHistory::divided_differences(const Sample& a, const Sample& b,
                                                            const Sample& c, unsigned known) const {
    const double ab = a.time - b.time;
    if (order_ == 0 || known < 2 || ab <= 0) return {};
    const double first = (a.value - b.value) / ab;
    if (order_ == 1 || known < 3) return {first, 0};
    const double previous = (b.value - c.value) / (b.time - c.time);
    return {first, (first - previous) / (a.time - c.time)};
}

Taylor InputHistory::extrapolated() {
    // p'(t_a) = u[a,b] + u[a,b,c] (t_a - t_b)
    const auto [first, second] =
        divided_differences(newest_, accepted_[0], accepted_[1], accepted_count_ + 1);
    const Taylor jumping{newest_.value, first + second * (newest_.time - accepted_[0].time),
                         2 * second};
    next_piece_ = continuous_ && accepted_count_ > 0 ? joined(jumping) : jumping;
    return next_piece_;
}

Taylor InputHistory::joined(const Taylor& jumping) const {
    const double h = newest_.time - accepted_[0].time;
    if (h <= 0) return jumping;
    const double start = piece_.at(h);
    return {start, (jumping.at(h) - start) / h - 0.5 * h * jumping.second, jumping.second};
}

Taylor InputHistory::interpolated() const {
    // p'(t_b) = u[a,b] - u[a,b,c] (t_a - t_b); of order 0: the value of the end holds all along
    if (order_ == 0 || accepted_count_ == 0) return {newest_.value, 0, 0};
    if (order_ == 2 && has_within_) {
        // p'(t_b) = u[w,b] - u[a,w,b] (t_w - t_b)
        const Sample& start = accepted_[0];
        const double early = (within_.value - start.value) / (within_.time - start.time);
        const double late = (newest_.value - within_.value) / (newest_.time - within_.time);
        const double bend = (late - early) / (newest_.time - start.time);
        return {start.value, early - bend * (within_.time - start.time), 2 * bend};
    }
    const auto [first, second] =
        divided_differences(newest_, accepted_[0], accepted_[1], accepted_count_ + 1);
    return {accepted_[0].value, first - second * (newest_.time - accepted_[0].time), 2 * second};
}

Taylor InputHistory::continued() const {
    const auto& [a, b, c] = accepted_;
    const auto [first, second] = divided_differences(a, b, c, accepted_count_);
    return {a.value, first + second * (a.time - b.time), 2 * second};
}

void InputHistory::reopen(Time time) {
    if (accepted_count_ == 0 || accepted_[0].time != time.seconds) return;
    accepted_ = {accepted_[1], accepted_[2], accepted_[2]};
    --accepted_count_;
    piece_ = last_piece_;
}

void InputHistory::commit() {
    if (accepted_count_ > 0 && newest_.time <= accepted_[0].time) {
        piece_ = next_piece_;
        accepted_[0] = newest_; // the same instant again
        return;
    }
    last_piece_ = std::exchange(piece_, next_piece_);
    accepted_ = {newest_, accepted_[0], accepted_[1]};
    if (accepted_count_ < accepted_.size()) ++accepted_count_;
}

} // namespace rubato::engine
