// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string_view>

namespace rubato::model {

/// Names of the base units, as attributes of FMI's BaseUnit.
inline constexpr std::array<const char*, 8> base_units = {"kg", "m",   "s",  "A",
                                                          "K",  "mol", "cd", "rad"};

/// Exponents of the base units.
using Dimension = std::array<int, base_units.size()>;

/// Reads units as Modelica writes them: products with ".", one "/", exponents as digits, such as
/// "N.s/m", "kg/(m.s2)", "1/s". None for what it does not know, such as prefixes.
std::optional<Dimension> find_dimension(std::string_view unit);

} // namespace rubato::model
