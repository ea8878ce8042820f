// SPDX-License-Identifier: Apache-2.0
#include "perturbation.hpp"

#include <rubato/scenario/system.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace rubato::probe {

using scenario::Variable;

namespace {

constexpr double trial_changes[] = {1, 0.1, 1e-3, 1e-6, 10};
constexpr double small_steps[] = {1e-9, 1e-12};
constexpr std::int64_t integer_steps[] = {1, 2, 10};
constexpr double unbounded = std::numeric_limits<double>::infinity();

double within_range(const Variable& variable, double value) {
    return std::min(std::max(value, variable.minimum.value_or(-unbounded)),
                    variable.maximum.value_or(unbounded));
}

void add(std::vector<Value>& values, const Value& now, Value value) {
    if (value != now && std::ranges::find(values, value) == values.end()) {
        values.push_back(std::move(value));
    }
}

std::vector<Value> moved(const Variable& variable, double now, std::span<const double> sizes) {
    std::vector<Value> values;
    const double scale = std::max(std::abs(now), std::abs(variable.nominal.value_or(1)));
    for (const double size : sizes) {
        for (const double step : {size * scale, -size * scale}) {
            const double value = within_range(variable, now + step);
            if (std::isfinite(value)) add(values, now, value);
        }
    }
    return values;
}

/// nullopt: beyond the type. An uint64 keeps its bits.
std::optional<std::int64_t> sum(ValueType type, std::int64_t now, std::int64_t step) {
    std::int64_t result = 0;
    if (type == ValueType::uint64) {
        std::uint64_t bits = 0;
        if (__builtin_add_overflow(static_cast<std::uint64_t>(now), step, &bits)) return {};
        return static_cast<std::int64_t>(bits);
    }
    if (__builtin_add_overflow(now, step, &result)) return {};
    return scenario::convert(result, type) ? std::optional(result) : std::nullopt;
}

std::vector<Value> moved(const Variable& variable, std::int64_t now) {
    std::vector<Value> values;
    for (const std::int64_t size : integer_steps) {
        for (const std::int64_t step : {size, -size}) {
            const auto value = sum(variable.type, now, step);
            if (!value) continue;
            const auto wanted = static_cast<double>(*value);
            const double allowed = within_range(variable, wanted);
            add(values, now, allowed == wanted ? *value : static_cast<std::int64_t>(allowed));
        }
    }
    return values;
}

} // namespace

std::vector<Value> perturbations(const Variable& variable, const Value& now) {
    switch (storage_of(variable.type)) {
    case Storage::real: return moved(variable, std::get<double>(now), trial_changes);
    case Storage::integer: return moved(variable, std::get<std::int64_t>(now));
    case Storage::boolean: return {!std::get<bool>(now)};
    case Storage::string: break;
    }
    return {};
}

std::vector<Value> small_perturbations(const Variable& variable, const Value& now) {
    if (storage_of(variable.type) != Storage::real) return {};
    return moved(variable, std::get<double>(now), small_steps);
}

} // namespace rubato::probe
