// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/unit/unit.hpp>

#include <span>

/// Values of variables one by one: for set-up and for access by name, not for steps.
namespace rubato::pipeline {

/// Sets all elements of an array, or the one value of a scalar. Values must be of the variable's
/// storage.
void set_values(unit::Unit& unit, const scenario::Variable& variable,
                std::span<const Value> values);

/// One element of an array, or the value of a scalar, whose only element is 0. The value must be of
/// the variable's storage.
void set_value(unit::Unit& unit, const scenario::Variable& variable, std::uint32_t element,
               Value value);
Value get_value(unit::Unit& unit, const scenario::Variable& variable, std::uint32_t element);

} // namespace rubato::pipeline
