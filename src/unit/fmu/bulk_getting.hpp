// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "run_time_rules.hpp"

#include <rubato/core/value.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

namespace rubato::unit {

/// What targets hold before a getter fills them in: a value that hardly any getter gives. Of reals
/// it is a signalling NaN of our own, which no computation gives.
template <class T>
T unfilled_value() {
    if constexpr (std::is_pointer_v<T>) {
        return nullptr;
    } else if constexpr (std::is_same_v<T, double>) {
        return std::bit_cast<double>(std::uint64_t{0x7ff4'5255'4241'544f});
    } else if constexpr (std::is_same_v<T, float>) {
        return std::bit_cast<float>(std::uint32_t{0x7fa4'5255});
    } else {
        return static_cast<T>(std::numeric_limits<T>::min() + static_cast<T>(0x55));
    }
}

/// FMUs are known whose getters fill in the first value only. That is looked for until the first
/// step; such an FMU is then asked for one variable at a time.
class BulkGetting {
public:
    bool is_plain() const { return mode_ == Mode::plain; }
    bool is_one_by_one() const { return mode_ == Mode::one_by_one; }
    void end_check() {
        if (mode_ == Mode::checked) mode_ = Mode::plain;
    }

    /// Reads `values` into `targets`. `get` makes the call for neighbouring variables: where their
    /// references are, how many, where their values go and how many. In a trial nothing is learnt.
    template <class T, class Get>
    void read(const Bulk& values, std::span<T> targets, const char* call, RunTimeRules& rules,
              bool is_trial, Get&& get) {
        const auto read_each = [&] {
            values.for_each_variable(
                [&](const ValueRef& reference, std::size_t first, std::size_t count) {
                    get(&reference, std::size_t{1}, &targets[first], count);
                });
        };
        if (mode_ == Mode::one_by_one) return read_each();
        const std::size_t variables = values.references.size();
        const bool is_checked = mode_ == Mode::checked && variables > 1;
        const T unfilled = unfilled_value<T>();
        if (is_checked) std::ranges::fill(targets, unfilled);
        get(values.references.data(), variables, targets.data(), targets.size());
        if (!is_checked) return;
        const auto is_unfilled = [&](const T& value) {
            return std::memcmp(&value, &unfilled, sizeof(T)) == 0;
        };
        const auto first = std::ranges::find_if(targets, is_unfilled);
        if (first == targets.end() || !is_filled_alone(values, targets, first, get, is_unfilled))
            return;
        if (is_trial) return read_each();
        mode_ = Mode::one_by_one;
        rules.broken(
            Rule::values_unfilled, call,
            format("of {} values it filled in {}", targets.size(), first - targets.begin()));
        read_each();
    }

private:
    enum class Mode : std::uint8_t { plain, checked, one_by_one };

    /// Whether a value is filled in when its variable is asked for alone; if not, what it has is
    /// what the FMU gives.
    template <class T, class Target, class Get, class IsUnfilled>
    static bool is_filled_alone(const Bulk& values, std::span<T> targets, Target target, Get&& get,
                                const IsUnfilled& is_unfilled) {
        const auto place = static_cast<std::size_t>(target - targets.begin());
        values.for_each_variable(
            [&](const ValueRef& reference, std::size_t first, std::size_t count) {
                if (first <= place && place < first + count)
                    get(&reference, std::size_t{1}, &targets[first], count);
            });
        return !is_unfilled(*target);
    }

    Mode mode_ = Mode::checked;
};

} // namespace rubato::unit
