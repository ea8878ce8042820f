// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>

#include <cstddef>
#include <functional>
#include <memory>

namespace rubato::unit {

/// Reads and writes elements of arrays in a unit that knows arrays only as a whole: an array is
/// read, the elements are taken from it or put into it, and in the latter case it is written back.
/// Elements of one array should be neighbours in the bulk: then it is read, or written, once.
class PartAccess {
public:
    using Whole = std::function<void(const Bulk&)>;
    PartAccess(Whole get, Whole set) : get_(std::move(get)), set_(std::move(set)) {}

    void get(const Bulk& values);
    void set(const Bulk& values);

private:
    template <class T>
    struct Room {
        std::unique_ptr<T[]> values;
        std::size_t size = 0;
        T* of(std::size_t wanted);
    };
    template <class T>
    Room<T>& room();
    template <class T>
    void get_as(const Bulk& values);
    template <class T>
    void set_as(const Bulk& values);

    Whole get_, set_;
    Room<double> reals_;
    Room<std::int64_t> integers_;
    Room<bool> booleans_;
    Room<std::string> strings_;
};

} // namespace rubato::unit
