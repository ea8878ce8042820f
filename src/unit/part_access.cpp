// SPDX-License-Identifier: Apache-2.0
#include "part_access.hpp"

#include <algorithm>
#include <type_traits>

namespace rubato::unit {

namespace {

/// The references from `first` on that are of one variable.
std::size_t end_of_variable(const Bulk& values, std::size_t first) {
    std::size_t end = first + 1;
    while (end < values.references.size() && values.references[end] == values.references[first])
        ++end;
    return end;
}

std::size_t count_values(std::span<const Part> parts) {
    std::size_t count = 0;
    for (const Part& part : parts) count += part.count;
    return count;
}

} // namespace

template <class T>
T* PartAccess::Room<T>::of(std::size_t wanted) {
    if (size < wanted) {
        values = std::make_unique<T[]>(wanted);
        size = wanted;
    }
    return values.get();
}

template <class T>
PartAccess::Room<T>& PartAccess::room() {
    if constexpr (std::is_same_v<T, double>)
        return reals_;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return integers_;
    else if constexpr (std::is_same_v<T, bool>)
        return booleans_;
    else
        return strings_;
}

template <class T>
void PartAccess::get_as(const Bulk& values) {
    T* to = static_cast<T*>(values.data);
    for (std::size_t first = 0; first < values.references.size();) {
        const std::size_t end = end_of_variable(values, first);
        const Part whole{0, values.parts[first].size, values.parts[first].size};
        T* const array = room<T>().of(whole.size);
        get_({values.type, values.references.subspan(first, 1), array, whole.size, {&whole, 1}});
        for (; first < end; ++first) {
            const Part& part = values.parts[first];
            to = std::copy_n(array + part.first, part.count, to);
        }
    }
}

template <class T>
void PartAccess::set_as(const Bulk& values) {
    const T* from = static_cast<const T*>(values.data);
    for (std::size_t first = 0; first < values.references.size();) {
        const std::size_t end = end_of_variable(values, first);
        const Part whole{0, values.parts[first].size, values.parts[first].size};
        T* const array = room<T>().of(whole.size);
        const Bulk bulk{
            values.type, values.references.subspan(first, 1), array, whole.size, {&whole, 1}};
        if (count_values(values.parts.subspan(first, end - first)) < whole.size) get_(bulk);
        for (; first < end; ++first) {
            const Part& part = values.parts[first];
            std::copy_n(from, part.count, array + part.first);
            from += part.count;
        }
        set_(bulk);
    }
}

void PartAccess::get(const Bulk& values) {
    with_type_of(storage_of(values.type), [&]<class T>() { get_as<T>(values); });
}

void PartAccess::set(const Bulk& values) {
    with_type_of(storage_of(values.type), [&]<class T>() { set_as<T>(values); });
}

} // namespace rubato::unit
