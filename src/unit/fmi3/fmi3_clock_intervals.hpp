// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmi3_instance.hpp"
#include "me/model_exchange.hpp"

#include <vector>

namespace rubato::unit {

/// Asks an instance when its clocks tick that time drives: for fractions where a clock gives them,
/// else for seconds.
class Fmi3ClockIntervals final : public ClockIntervals {
public:
    /// `instance` must outlive it.
    Fmi3ClockIntervals(Fmi3Instance& instance, const scenario::UnitDescription& description);

    void get_intervals(std::span<const ValueRef> clocks,
                       std::span<ClockInterval> intervals) override;
    void get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) override;

private:
    bool gives_fractions(ValueRef clock) const;
    ClockInterval interval_of(ValueRef clock);
    Duration shift_of(ValueRef clock);

    Fmi3Instance& instance_;
    std::vector<ValueRef> with_fractions_; ///< clocks that give them
};

} // namespace rubato::unit
