// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace rubato::unit {

/// Room for values on their way into or out of a unit in another type than they are stored in.
/// Grows to the largest call and then stays.
class Scratch {
public:
    template <class T>
    std::span<T> of(std::size_t count) {
        static_assert(std::is_trivial_v<T> && alignof(T) <= alignof(std::max_align_t));
        if (bytes_.size() < count * sizeof(T)) bytes_.resize(count * sizeof(T));
        return {reinterpret_cast<T*>(bytes_.data()), count};
    }

private:
    std::vector<std::byte> bytes_;
};

} // namespace rubato::unit
