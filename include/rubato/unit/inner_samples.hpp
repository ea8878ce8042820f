// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>
#include <rubato/core/value.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace rubato::unit {

/// What watched outputs were within one step: samples in the order of time, none of them at its
/// start or end. Where an event made outputs jump there are two of the same time, if there was
/// room for them. Allocates in `watch` only.
class InnerSamples {
public:
    /// From the next step on; `most` samples of a step are wanted, jumps apart. None: watch
    /// nothing.
    void watch(std::span<const ValueRef> outputs, std::size_t most);

    std::span<const ValueRef> outputs() const { return outputs_; }
    std::size_t most() const { return most_; }
    bool is_watching() const { return most_ > 0 && !outputs_.empty(); }

    /// Of the step that they are of.
    Time from() const { return from_; }
    Time to() const { return end_; }
    std::size_t count() const { return count_; }
    Time time(std::size_t sample) const { return times_[sample]; }
    /// One for each of the outputs.
    std::span<const double> values(std::size_t sample) const {
        return std::span(values_).subspan(sample * outputs_.size(), outputs_.size());
    }

    // For the unit that is watched.

    /// Forgets those of the last step.
    void begin(Time from, Duration by);
    /// The next of `most` times, evenly spread over the step, that has no sample yet; the end of
    /// the step: there are samples enough.
    Time next_due() const;
    /// Room for the values at a time not before the last one; empty: they are not wanted. They are
    /// if a sample is due, or if they are a `jump`, or the other side of one.
    std::span<double> add(Time time, bool jump = false);
    /// The step has ended early: no sample is of that time or later.
    void end(Time reached);

private:
    std::vector<ValueRef> outputs_;
    std::size_t most_ = 0, count_ = 0;
    std::size_t due_ = 1; ///< of the evenly spread times, the next one without a sample
    Time from_, end_;
    std::vector<Time> times_;
    std::vector<double> values_;
};

} // namespace rubato::unit
