// SPDX-License-Identifier: Apache-2.0
#include <rubato/unit/inner_samples.hpp>

namespace rubato::unit {

namespace {

/// Of a step: what is so near before a time that is due, or before its end, is as good as there.
constexpr double rounding = 1e-9;

} // namespace

void InnerSamples::watch(std::span<const ValueRef> outputs, std::size_t most) {
    outputs_.assign(outputs.begin(), outputs.end());
    most_ = most;
    count_ = 0;
    times_.assign(3 * most, Time{}); // as many jumps, with two sides each, as samples
    values_.assign(times_.size() * outputs_.size(), 0.0);
}

Time InnerSamples::next_due() const {
    if (!is_watching() || due_ > most_) return end_;
    return from_ + (static_cast<double>(due_) / static_cast<double>(most_ + 1)) * (end_ - from_);
}

void InnerSamples::begin(Time from, Duration by) {
    count_ = 0;
    due_ = 1;
    from_ = from;
    end_ = from + by;
}

std::span<double> InnerSamples::add(Time time, bool jump) {
    const Time passed = time + rounding * (end_ - from_);
    if (!is_watching() || !(time > from_ && passed < end_)) return {};
    if (count_ > 0 && time < times_[count_ - 1]) return {};
    const bool is_second_side = count_ > 0 && time == times_[count_ - 1];
    const std::size_t still_due = most_ + 1 - due_;
    const bool is_due = still_due > 0 && passed >= next_due();
    const std::size_t needed = is_second_side ? 1 : 2; // both sides of a jump, or none
    const bool has_room = count_ + still_due + needed <= times_.size();
    if (!is_due && !((jump || is_second_side) && has_room)) return {};
    while (due_ <= most_ && next_due() <= passed) ++due_;
    times_[count_] = time;
    return std::span(values_).subspan(count_++ * outputs_.size(), outputs_.size());
}

void InnerSamples::end(Time reached) {
    while (count_ > 0 && times_[count_ - 1] >= reached) --count_;
}

} // namespace rubato::unit
