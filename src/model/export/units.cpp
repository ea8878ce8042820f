// SPDX-License-Identifier: Apache-2.0
#include "units.hpp"

#include <algorithm>

namespace rubato::model {

namespace {

struct Symbol {
    std::string_view name;
    Dimension dimension; // kg m s A K mol cd rad
};
constexpr Symbol symbols[] = {
    {"1", {}},
    {"kg", {1}},
    {"m", {0, 1}},
    {"s", {0, 0, 1}},
    {"A", {0, 0, 0, 1}},
    {"K", {0, 0, 0, 0, 1}},
    {"mol", {0, 0, 0, 0, 0, 1}},
    {"cd", {0, 0, 0, 0, 0, 0, 1}},
    {"rad", {0, 0, 0, 0, 0, 0, 0, 1}},
    {"Hz", {0, 0, -1}},
    {"N", {1, 1, -2}},
    {"Pa", {1, -1, -2}},
    {"J", {1, 2, -2}},
    {"W", {1, 2, -3}},
    {"C", {0, 0, 1, 1}},
    {"V", {1, 2, -3, -1}},
    {"Ohm", {1, 2, -3, -2}},
    {"F", {-1, -2, 4, 2}},
    {"H", {1, 2, -2, -2}},
    {"Wb", {1, 2, -2, -1}},
    {"T", {1, 0, -2, -1}},
};

/// Adds `sign` times a factor such as "s2" to a dimension.
bool add_factor(std::string_view factor, int sign, Dimension& sum) {
    int exponent = sign;
    if (factor.size() > 1 && factor.back() >= '2' && factor.back() <= '9') {
        exponent *= factor.back() - '0';
        factor.remove_suffix(1);
    }
    const auto* const symbol = std::ranges::find(symbols, factor, &Symbol::name);
    if (symbol == std::end(symbols)) return false;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += exponent * symbol->dimension[i];
    return true;
}

bool add_product(std::string_view product, int sign, Dimension& sum) {
    for (;;) {
        const auto dot = product.find('.');
        if (!add_factor(product.substr(0, dot), sign, sum)) return false;
        if (dot == std::string_view::npos) return true;
        product.remove_prefix(dot + 1);
    }
}

} // namespace

std::optional<Dimension> find_dimension(std::string_view unit) {
    Dimension result{};
    const auto slash = unit.find('/');
    if (!add_product(unit.substr(0, slash), 1, result)) return std::nullopt;
    if (slash == std::string_view::npos) return result;
    std::string_view below = unit.substr(slash + 1);
    if (below.starts_with('(') && below.ends_with(')')) below = below.substr(1, below.size() - 2);
    if (!add_product(below, -1, result)) return std::nullopt;
    return result;
}

} // namespace rubato::model
