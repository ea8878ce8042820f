// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

#include <rubato/unit/unit.hpp>

#include <memory>
#include <span>
#include <vector>

namespace rubato::engine {

/// The start of a step: units, exchanged values and histories, to come back to.
class Checkpoint {
public:
    /// All units can roll back. Their states are saved in `slot`; algorithms have 0 for themselves.
    Checkpoint(Plan& plan, std::span<const std::unique_ptr<unit::Unit>> units, std::uint32_t slot);

    void save();
    void restore();

private:
    Plan& plan_;
    std::uint32_t slot_;
    std::vector<unit::Snapshots*> units_;
    std::vector<double> reals_;
    std::vector<std::int64_t> integers_;
    std::unique_ptr<bool[]> booleans_;
    std::vector<std::string> strings_;
    std::vector<InputHistory> histories_;
};

/// Whether steps can be taken back.
bool can_all_roll_back(std::span<const std::unique_ptr<unit::Unit>> units);

} // namespace rubato::engine
