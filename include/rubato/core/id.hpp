// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace rubato {

/// An index that cannot be mistaken for another kind of index.
template <class Tag>
struct Id {
    std::uint32_t value = 0;
    friend constexpr auto operator<=>(Id, Id) = default;
};

using UnitId = Id<struct UnitTag>; ///< a unit of a system, in the order of the scenario
using PortId = Id<struct PortTag>; ///< an input or output, counted over all units of a system

/// The n-th id: for loops over everything that ids number.
template <class IdType>
constexpr IdType nth(std::size_t n) {
    return IdType{static_cast<std::uint32_t>(n)};
}

} // namespace rubato

template <class Tag>
struct std::hash<rubato::Id<Tag>> {
    std::size_t operator()(rubato::Id<Tag> id) const noexcept { return id.value; }
};
