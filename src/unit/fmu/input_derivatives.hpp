// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/description.hpp>

#include <optional>
#include <vector>

namespace rubato::unit {

/// Inputs may be declared the time derivatives of others. This knows which input is which
/// derivative of which.
class InputDerivativeMap {
public:
    explicit InputDerivativeMap(const std::vector<scenario::Variable>& variables);

    /// The highest order that every input having derivatives has; 0: none has any.
    unsigned max_order() const;

    /// The input that is the derivative of `order` ≥ 1 of `input`.
    std::optional<ValueRef> find(ValueRef input, unsigned order) const;

private:
    struct Entry {
        ValueRef input = 0;
        unsigned order = 0;
        ValueRef derivative = 0;
    };
    std::vector<Entry> entries_; ///< sorted by input and order
};

/// The continuous inputs of an FMI 3.0 FMU that move within steps by being set there, sorted: those
/// for which no other input carries their derivatives.
std::vector<ValueRef> inputs_set_within_steps(const std::vector<scenario::Variable>& variables);

} // namespace rubato::unit
