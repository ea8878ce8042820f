// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace rubato::engine {

/// Gives out slots for saved states of units. One slot serves all units of a run.
class SnapshotSlots {
public:
    /// What is saved in slots that are given back is released. The units live until `serve` names
    /// others.
    void serve(std::vector<unit::Snapshots*> units) { units_ = std::move(units); }

    std::uint32_t take() {
        if (free_.empty()) return next_++;
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        return slot;
    }
    void give_back(std::uint32_t slot) {
        free_.push_back(slot);
        for (unit::Snapshots* unit : units_) unit->release(slot);
    }

private:
    std::vector<unit::Snapshots*> units_;
    std::vector<std::uint32_t> free_;
    std::uint32_t next_ = 0;
};

} // namespace rubato::engine
