// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>
#include <rubato/unit/unit.hpp>

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

/// Calls of the bare functions of units, laid out in the order of a step.
namespace rubato::engine {

/// Whom a call calls.
struct Callee {
    unit::Unit* unit = nullptr;
    void* instance = nullptr;
    friend bool operator==(const Callee&, const Callee&) = default;
};

/// Reads or writes reals.
template <class Function>
struct DirectAccess {
    Function function = nullptr;
    const ValueRef* references = nullptr;
    std::size_t count = 0;
    friend bool operator==(const DirectAccess&, const DirectAccess&) = default;
};
using DirectGet = DirectAccess<decltype(unit::DirectCalls::get)>;
using DirectSet = DirectAccess<decltype(unit::DirectCalls::set)>;
struct DirectStep {
    decltype(unit::DirectCalls::step) function = nullptr;
    std::size_t count = 0; ///< of values: none
    friend bool operator==(const DirectStep&, const DirectStep&) = default;
};

/// Neighbours, by where they begin and end: a step need not count.
template <class T>
class Row {
public:
    Row() = default;
    Row(T* first, T* end) : first_(first), end_(end) {}
    T* begin() const { return first_; }
    T* end() const { return end_; }
    T& front() const { return *first_; }
    T& back() const { return end_[-1]; }
    std::size_t size() const { return static_cast<std::size_t>(end_ - first_); }

private:
    T* first_ = nullptr;
    T* end_ = nullptr;
};

// A row calls units of one kind. What their calls have in common is laid out once, so that what a
// step reads of many units is little and stays in the cache.

/// Gets whose values are neighbours.
struct GetRow {
    Row<const Callee> callees;
    DirectGet access;
    Row<double> values;
    bool is_checked = false; ///< values must be finite
    std::uint32_t first = 0; ///< of the plan's gets
};

/// Sets whose values are neighbours, and their sources, too.
struct SetRow {
    Row<const Callee> callees;
    DirectSet access;
    Row<double> values;
    const std::uint32_t* sources = nullptr; ///< slots, one per value
};

struct StepRow {
    Row<const Callee> callees;
    DirectStep access;
};

using DirectRow = std::variant<StepRow, GetRow, SetRow>;

struct DirectRows {
    std::vector<std::vector<Callee>> callees; ///< of the rows; equal ones are shared
    std::vector<DirectRow> rows;
};

} // namespace rubato::engine
