// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace rubato::engine {

/// Gives out slots for saved states of units. One slot serves all units of a run.
class SnapshotSlots {
public:
    std::uint32_t take() {
        if (free_.empty()) return next_++;
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        return slot;
    }
    void give_back(std::uint32_t slot) { free_.push_back(slot); }

private:
    std::vector<std::uint32_t> free_;
    std::uint32_t next_ = 0;
};

} // namespace rubato::engine
