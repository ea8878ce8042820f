// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

namespace rubato::engine {

/// Gives out slots. Bulks are made last, when the buffers have their size and stay where they are.
class Slots {
public:
    std::uint32_t add(Storage storage) { return counts_[static_cast<std::size_t>(storage)]++; }

    void allocate(Buffers& buffers) const {
        buffers.reals.resize(counts_[0]);
        buffers.integers.resize(counts_[1]);
        buffers.booleans = std::make_unique<bool[]>(counts_[2]);
        buffers.strings.resize(counts_[3]);
    }

private:
    std::array<std::uint32_t, 4> counts_{};
};

/// A bulk call to be: neighbouring slots of one unit and type.
struct PendingBulk {
    ValueType type = ValueType::float64;
    std::uint32_t first_slot = 0;
    std::vector<ValueRef> references;
};

} // namespace rubato::engine
