// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "step_reach.hpp"

#include <rubato/core/time.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace rubato::unit {

/// When the states of a unit were saved. It may be taken back to any of them: FMI wants to know
/// whether that is before the step that is to be made.
class SavedTimes {
public:
    void note(std::uint32_t slot, Time now) {
        if (slot >= times_.size()) times_.resize(slot + std::size_t{1}, Time{HUGE_VAL});
        times_[slot] = now;
        earliest_ = *std::ranges::min_element(times_);
    }
    void release(std::uint32_t slot) {
        if (slot < times_.size()) note(slot, Time{HUGE_VAL});
    }

    /// Whether there is a saved state from before `from`, the start of a step by `by`.
    bool precede(Time from, Duration by) const {
        return (from - earliest_).seconds > reach_slack(from, by);
    }

private:
    std::vector<Time> times_; ///< by slot; infinite: nothing is saved there
    Time earliest_{HUGE_VAL};
};

} // namespace rubato::unit
