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

/// Reads or writes reals.
template <class Function>
struct DirectAccess {
    unit::Unit* unit = nullptr;
    Function function = nullptr;
    void* instance = nullptr;
    const ValueRef* references = nullptr;
    std::size_t count = 0;
    double* values = nullptr;
};
using DirectGet = DirectAccess<decltype(unit::DirectCalls::get)>;
using DirectSet = DirectAccess<decltype(unit::DirectCalls::set)>;

struct DirectStep {
    unit::Unit* unit = nullptr;
    decltype(unit::DirectCalls::step) function = nullptr;
    void* instance = nullptr;
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

/// Gets whose values are neighbours.
struct GetRow {
    Row<const DirectGet> calls;
    Row<const double> checked; ///< values that must be finite: all or none
    std::uint32_t first = 0;   ///< of the plan's gets
};

/// Sets whose values are neighbours, and their sources, too.
struct SetRow {
    Row<const DirectSet> calls;
    Row<double> values;
    const std::uint32_t* sources = nullptr; ///< slots, one per value
};

struct StepRow {
    Row<const DirectStep> calls;
    std::uint32_t count = 0;
};

using DirectRow = std::variant<StepRow, GetRow, SetRow>;

struct DirectRows {
    std::vector<DirectGet> gets;
    std::vector<DirectSet> sets;
    std::vector<DirectStep> steps;
    std::vector<DirectRow> rows;
};

} // namespace rubato::engine
