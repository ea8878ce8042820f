// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/measure.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rubato {

namespace {

struct Symbol {
    std::string_view name;
    Measure measure; // of kg m s A K mol cd rad
    bool takes_prefix = false;
};

constexpr double pi = std::numbers::pi;
constexpr Symbol symbols[] = {
    {"1", {}},
    {"g", {{1}, 1e-3}, true},
    {"m", {{0, 1}}, true},
    {"s", {{0, 0, 1}}, true},
    {"A", {{0, 0, 0, 1}}, true},
    {"K", {{0, 0, 0, 0, 1}}, true},
    {"mol", {{0, 0, 0, 0, 0, 1}}, true},
    {"cd", {{0, 0, 0, 0, 0, 0, 1}}},
    {"rad", {{0, 0, 0, 0, 0, 0, 0, 1}}, true},
    {"Hz", {{0, 0, -1}}, true},
    {"N", {{1, 1, -2}}, true},
    {"Pa", {{1, -1, -2}}, true},
    {"J", {{1, 2, -2}}, true},
    {"W", {{1, 2, -3}}, true},
    {"C", {{0, 0, 1, 1}}, true},
    {"V", {{1, 2, -3, -1}}, true},
    {"Ohm", {{1, 2, -3, -2}}, true},
    {"S", {{-1, -2, 3, 2}}, true},
    {"F", {{-1, -2, 4, 2}}, true},
    {"H", {{1, 2, -2, -2}}, true},
    {"Wb", {{1, 2, -2, -1}}, true},
    {"T", {{1, 0, -2, -1}}, true},
    {"bar", {{1, -1, -2}, 1e5}, true},
    {"l", {{0, 3}, 1e-3}, true},
    {"t", {{1}, 1e3}},
    {"min", {{0, 0, 1}, 60}},
    {"h", {{0, 0, 1}, 3600}},
    {"d", {{0, 0, 1}, 86400}},
    {"deg", {{0, 0, 0, 0, 0, 0, 0, 1}, pi / 180}},
    {"rev", {{0, 0, 0, 0, 0, 0, 0, 1}, 2 * pi}},
    {"rpm", {{0, 0, -1, 0, 0, 0, 0, 1}, pi / 30}},
    {"%", {{}, 1e-2}},
    {"degC", {{0, 0, 0, 0, 1}, 1, 273.15}},
    {"degF", {{0, 0, 0, 0, 1}, 5.0 / 9, 459.67 * 5 / 9}},
};

struct Prefix {
    std::string_view name;
    double factor;
};
constexpr Prefix prefixes[] = {
    {"T", 1e12}, {"G", 1e9},  {"M", 1e6},  {"k", 1e3},  {"h", 1e2},   {"d", 1e-1},
    {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}, {"p", 1e-12},
};

/// A symbol, or one with a prefix: "Pa", "kPa". What is a symbol as it stands is no prefix.
std::optional<Measure> find_symbol(std::string_view name) {
    const auto* const plain = std::ranges::find(symbols, name, &Symbol::name);
    if (plain != std::end(symbols)) return plain->measure;
    for (const Prefix& prefix : prefixes) {
        if (!name.starts_with(prefix.name)) continue;
        const auto* const rest =
            std::ranges::find(symbols, name.substr(prefix.name.size()), &Symbol::name);
        if (rest == std::end(symbols) || !rest->takes_prefix) continue;
        Measure measure = rest->measure;
        measure.factor *= prefix.factor;
        return measure;
    }
    return std::nullopt;
}

/// Multiplies by a factor such as "s2", or divides if `sign` is -1.
bool multiply(std::string_view factor, int sign, Measure& product) {
    int exponent = sign;
    if (factor.size() > 1 && factor.back() >= '1' && factor.back() <= '9') {
        exponent *= factor.back() - '0';
        factor.remove_suffix(1);
        if (factor.size() > 1 && factor.back() == '-') {
            exponent = -exponent;
            factor.remove_suffix(1);
        }
    }
    const auto symbol = find_symbol(factor);
    if (!symbol) return false;
    for (std::size_t i = 0; i < product.dimension.size(); ++i)
        product.dimension[i] += exponent * symbol->dimension[i];
    product.factor *= std::pow(symbol->factor, exponent);
    return true;
}

bool multiply_all(std::string_view factors, int sign, Measure& product) {
    for (;;) {
        const auto dot = factors.find('.');
        if (!multiply(factors.substr(0, dot), sign, product)) return false;
        if (dot == std::string_view::npos) return true;
        factors.remove_prefix(dot + 1);
    }
}

} // namespace

std::optional<Measure> find_measure(std::string_view unit) {
    // Only a unit by itself has a zero of its own: a difference of 1 degC is one of 1 K.
    if (const auto symbol = find_symbol(unit)) return symbol;
    Measure result;
    const auto slash = unit.find('/');
    if (!multiply_all(unit.substr(0, slash), 1, result)) return std::nullopt;
    if (slash == std::string_view::npos) return result;
    std::string_view below = unit.substr(slash + 1);
    if (below.starts_with('(') && below.ends_with(')')) below = below.substr(1, below.size() - 2);
    if (!multiply_all(below, -1, result)) return std::nullopt;
    return result;
}

std::optional<Conversion> conversion(const Measure& from, const Measure& to) {
    constexpr std::size_t but_angles = base_units.size() - 1;
    if (!std::equal(from.dimension.begin(), from.dimension.begin() + but_angles,
                    to.dimension.begin()))
        return std::nullopt;
    return Conversion{from.factor / to.factor, (from.offset - to.offset) / to.factor};
}

std::string to_string(const Dimension& dimension) {
    std::string above, below;
    for (std::size_t i = 0; i < dimension.size(); ++i) {
        if (dimension[i] == 0) continue;
        std::string& side = dimension[i] > 0 ? above : below;
        if (!side.empty()) side += ".";
        side += base_units[i];
        if (std::abs(dimension[i]) != 1) side += std::to_string(std::abs(dimension[i]));
    }
    if (above.empty()) above = "1";
    if (below.empty()) return above;
    const bool is_product = below.find('.') != std::string::npos;
    return above + "/" + (is_product ? "(" + below + ")" : below);
}

} // namespace rubato
