// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/plan.hpp"

#include <rubato/unit/unit.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace rubato::engine {

/// The start of a step: units, exchanged values and input histories, to roll back to.
class Checkpoint {
public:
    /// All units can roll back.
    Checkpoint(Plan& plan, std::span<const std::unique_ptr<unit::Unit>> units);
    ~Checkpoint() { plan_.slots->give_back(slot_); }
    Checkpoint(const Checkpoint&) = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;

    void save();
    void restore();

private:
    Plan& plan_;
    std::uint32_t slot_;
    std::vector<unit::Snapshots*> units_;
    std::vector<std::byte> values_;
};

/// Whether steps can be taken back.
bool can_all_roll_back(std::span<const std::unique_ptr<unit::Unit>> units);

} // namespace rubato::engine
