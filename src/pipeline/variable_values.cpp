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
    with_type_of(storage_of(variable.type), [&]<class T>() { set_all<T>(unit, variable, values); });
}

void set_value(unit::Unit& unit, const scenario::Variable& variable, std::uint32_t element,
               Value value) {
    const Part part{element, 1, variable.element_count()};
    const std::span parts(&part, variable.is_array() ? 1 : 0);
    std::visit(
        [&](auto& held) {
            unit.set({variable.type, {&variable.reference, 1}, &held, 1, parts});
        },
        value);
}

Value get_value(unit::Unit& unit, const scenario::Variable& variable, std::uint32_t element) {
    const Part part{element, 1, variable.element_count()};
    const std::span parts(&part, variable.is_array() ? 1 : 0);
    Value value;
    with_type_of(storage_of(variable.type), [&]<class T>() { value = T{}; });
    std::visit(
        [&](auto& held) {
            unit.get({variable.type, {&variable.reference, 1}, &held, 1, parts});
        },
        value);
    return value;
}

} // namespace rubato::pipeline
