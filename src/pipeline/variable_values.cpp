// SPDX-License-Identifier: Apache-2.0
#include "variable_values.hpp"

#include <algorithm>
#include <memory>

namespace rubato::pipeline {

namespace {

template <class T>
void set_all(unit::Unit& unit, const scenario::Variable& variable, std::span<const Value> values) {
    const auto held = std::make_unique<T[]>(values.size());
    std::ranges::transform(values, held.get(),
                           [](const Value& value) { return std::get<T>(value); });
    const auto size = static_cast<std::uint32_t>(values.size());
    const Part whole{0, size, size};
    const std::span parts(&whole, variable.is_array() ? 1 : 0);
    unit.set({variable.type, {&variable.reference, 1}, held.get(), values.size(), parts});
}

} // namespace

void set_values(unit::Unit& unit, const scenario::Variable& variable,
                std::span<const Value> values) {
    switch (storage_of(variable.type)) {
    case Storage::real: return set_all<double>(unit, variable, values);
    case Storage::integer: return set_all<std::int64_t>(unit, variable, values);
    case Storage::boolean: return set_all<bool>(unit, variable, values);
    case Storage::string: return set_all<std::string>(unit, variable, values);
    }
}

} // namespace rubato::pipeline
