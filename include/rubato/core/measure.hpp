// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace rubato {

/// The base units, named as the attributes of FMI's BaseUnit.
inline constexpr std::array<const char*, 8> base_units = {"kg", "m",   "s",  "A",
                                                          "K",  "mol", "cd", "rad"};

/// Exponents of the base units.
using Dimension = std::array<int, base_units.size()>;

/// A unit of measure: value in base units = factor · value + offset.
struct Measure {
    Dimension dimension{};
    double factor = 1;
    double offset = 0;
    friend bool operator==(const Measure&, const Measure&) = default;
};

/// Reads units as Modelica writes them: products with ".", one "/", exponents as digits, prefixes;
/// such as "N.s/m", "kg/(m.s2)", "1/s", "kPa", "km/h", "degC", "rev/min". nullopt for what it does
/// not know.
std::optional<Measure> find_measure(std::string_view unit);

/// `target = factor · source + offset`
struct Conversion {
    double factor = 1;
    double offset = 0;
    friend bool operator==(const Conversion&, const Conversion&) = default;
};

/// nullopt: they measure different things. Angles count as numbers: 1/s goes with rad/s.
std::optional<Conversion> conversion(const Measure& from, const Measure& to);

/// "kg.m/s2"
std::string to_string(const Dimension& dimension);

} // namespace rubato
