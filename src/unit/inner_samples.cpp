// SPDX-License-Identifier: Apache-2.0
#include <rubato/unit/inner_samples.hpp>

#include <algorithm>

namespace rubato::unit {

namespace {

/// Of a step: what is so near before a time that is due, or before its end, is as good as there.
constexpr double rounding = 1e-9;

} // namespace

void InnerSamples::sample(std::span<const ValueRef> outputs, std::size_t most) {
    outputs_.assign(outputs.begin(), outputs.end());
    most_ = most;
    others_.clear();
    events_ = 0;
    make_room();
}

void InnerSamples::sample_events(std::span<const SampledOutput> others, std::size_t events) {
    others_.assign(others.begin(), others.end());
    events_ = events;
    make_room();
}

void InnerSamples::make_room() {
    count_ = 0;
    times_.assign(most_ + 2 * std::max(most_, events_), Time{}); // events have two sides
    values_.assign(times_.size() * outputs_.size(), 0.0);
    other_values_.assign(times_.size() * others_.size(), 0);
}

Time InnerSamples::next_due() const {
    if (!is_sampling() || due_ > most_) return end_;
    return from_ + (static_cast<double>(due_) / static_cast<double>(most_ + 1)) * (end_ - from_);
}

void InnerSamples::begin(Time from, Duration by) {
    count_ = 0;
    due_ = 1;
    from_ = from;
    end_ = from + by;
}

bool InnerSamples::is_at_end(Time time) const { return !(time + rounding * (end_ - from_) < end_); }

bool InnerSamples::begin_sample(Time time, bool jump) {
    const Time passed = time + rounding * (end_ - from_);
    if (!is_sampling() || !(time > from_)) return false;
    if (is_at_end(time)) {
        if (!jump || events_ == 0) return false;
        time = end_;
    }
    if (count_ > 0 && time < times_[count_ - 1]) return false;
    const bool is_second_side = count_ > 0 && time == times_[count_ - 1];
    const std::size_t still_due = most_ + 1 - due_;
    const bool is_due = still_due > 0 && passed >= next_due();
    const std::size_t needed = is_second_side ? 1 : 2; // both sides of a jump, or none
    const bool has_room = count_ + still_due + needed <= times_.size();
    if (!is_due && !((jump || is_second_side) && has_room)) return false;
    while (due_ <= most_ && next_due() <= passed) ++due_;
    times_[count_++] = time;
    return true;
}

void InnerSamples::settle_event() {
    if (events_ == 0 || count_ < 2 || times_[count_ - 1] != times_[count_ - 2]) return;
    const bool at_end = times_[count_ - 1] == end_;
    const bool is_asked_for = most_ > 0 && !at_end; // whatever has happened
    if (!is_asked_for && !has_jumped())
        count_ -= 2;
    else if (at_end)
        count_ -= 1;
}

/// From the last sample but one to the last.
bool InnerSamples::has_jumped() const {
    return !std::ranges::equal(values(count_ - 2), values(count_ - 1)) ||
           !std::ranges::equal(other_values(count_ - 2), other_values(count_ - 1));
}

void InnerSamples::end(Time reached) {
    while (count_ > 0 && times_[count_ - 1] >= reached) --count_;
}

} // namespace rubato::unit
