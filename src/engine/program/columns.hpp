// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "calls.hpp"
#include "compiler.hpp"

namespace rubato::engine {

/// What is recorded, and in which slots it is found.
struct RecordedSlots {
    std::vector<Column> columns; ///< their values are found when the buffers are there
    std::vector<std::pair<Storage, std::uint32_t>> slots; ///< by column
    std::vector<ClockedColumn> clocked;
};

/// The observed variables of a system: outputs that the algorithm keeps, by port in `output_slots`,
/// and others, which the plan then reads when it observes.
RecordedSlots record_slots(const scenario::System& system,
                           std::span<const std::unique_ptr<unit::Unit>> units,
                           std::span<const std::optional<std::uint32_t>> output_slots, Plan& plan,
                           Calls& calls);

} // namespace rubato::engine
