// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>
#include <rubato/core/value.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rubato::unit {

/// An output of any type but texts.
struct SampledOutput {
    ValueType type = ValueType::float64;
    ValueRef reference = 0;
    friend bool operator==(const SampledOutput&, const SampledOutput&) = default;
};

/// What sampled outputs were within one step: samples in the order of time, none of them at its
/// start or end. Where an event made outputs jump there are two of the same time, if there was
/// room for them. Allocates in `sample` and `sample_events` only.
class InnerSamples {
public:
    /// From the next step on; `most` samples of a step are wanted, jumps apart. None: sample
    /// nothing.
    void sample(std::span<const ValueRef> outputs, std::size_t most);

    /// After `sample`: other outputs are sampled, too, and of up to `events` events of a step both
    /// sides; if no samples are wanted otherwise, only where something has jumped. Of an event at
    /// the end of the step it is the side before: what comes after is what the unit then has.
    void sample_events(std::span<const SampledOutput> others, std::size_t events);

    std::span<const ValueRef> outputs() const { return outputs_; }
    std::span<const SampledOutput> others() const { return others_; }
    std::size_t most() const { return most_; }
    std::size_t events() const { return events_; }
    bool is_sampling() const {
        return most_ + events_ > 0 && !(outputs_.empty() && others_.empty());
    }

    /// Of the step that they are of.
    Time from() const { return from_; }
    Time to() const { return end_; }
    std::size_t count() const { return count_; }
    Time time(std::size_t sample) const { return times_[sample]; }
    /// One for each of the outputs.
    std::span<const double> values(std::size_t sample) const {
        return std::span(values_).subspan(sample * outputs_.size(), outputs_.size());
    }
    /// The same for the others: the bits of a double, an std::int64_t or a bool (0 or 1).
    std::span<const std::uint64_t> other_values(std::size_t sample) const {
        return std::span(other_values_).subspan(sample * others_.size(), others_.size());
    }

    // For the unit that is sampled.

    /// Forgets those of the last step.
    void begin(Time from, Duration by);
    /// The next of `most` times, evenly spread over the step, that has no sample yet; the end of
    /// the step: there are samples enough.
    Time next_due() const;
    /// Room for the values at a time not before the last one; empty: they are not wanted. They are
    /// if a sample is due, or if they are a `jump`, or the other side of one.
    std::span<double> add(Time time, bool jump = false) {
        return begin_sample(time, jump) ? room() : std::span<double>();
    }
    /// The same in two steps, where there are others: whether they are wanted, and the room.
    bool begin_sample(Time time, bool jump);
    std::span<double> room() {
        return std::span(values_).subspan((count_ - 1) * outputs_.size(), outputs_.size());
    }
    std::span<std::uint64_t> other_room() {
        return std::span(other_values_).subspan((count_ - 1) * others_.size(), others_.size());
    }
    /// Both sides of an event are there, if they were wanted: forgets what is not to be reported of
    /// them.
    void settle_event();
    /// The step has ended early: no sample is of that time or later.
    void end(Time reached);

private:
    void make_room();
    bool is_at_end(Time time) const;
    bool has_jumped() const;

    std::vector<ValueRef> outputs_;
    std::vector<SampledOutput> others_;
    std::size_t most_ = 0, events_ = 0, count_ = 0;
    std::size_t due_ = 1; ///< of the evenly spread times, the next one without a sample
    Time from_, end_;
    std::vector<Time> times_;
    std::vector<double> values_;
    std::vector<std::uint64_t> other_values_;
};

} // namespace rubato::unit
