// SPDX-License-Identifier: Apache-2.0
#include <rubato/private/format.hpp>
#include <rubato/report/ticks.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace rubato::report {
namespace {

/// Keeps a tick at a range's end when rounding has put it a hair beyond.
constexpr double slack = 1e-9;

struct Spacing {
    double mantissa = 1; ///< 1, 2 or 5
    int exponent = 0;
    double value() const { return mantissa * std::pow(10.0, exponent); }
};

Spacing round_spacing(double at_least) {
    const int exponent = static_cast<int>(std::floor(std::log10(at_least)));
    for (const double mantissa : {1.0, 2.0, 5.0}) {
        const Spacing spacing{mantissa, exponent};
        if (spacing.value() >= at_least * (1 - slack)) return spacing;
    }
    return {1, exponent + 1};
}

std::string superscript(int number) {
    constexpr std::array digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string out;
    for (const char c : std::to_string(number))
        out += c == '-' ? "⁻" : digits.at(static_cast<std::size_t>(c - '0'));
    return out;
}

/// `value` is positive.
std::string scientific(double value, int decimals) {
    const int exponent = static_cast<int>(std::floor(std::log10(value) + slack));
    const double mantissa = value / std::pow(10.0, exponent);
    const std::string power = "10" + superscript(exponent);
    if (decimals == 0 && mantissa < 1 + slack) return power;
    return format("{:.{}f}×{}", mantissa, decimals, power);
}

/// As many decimals as the spacing has, so that all labels of an axis look alike.
std::string linear_label(double value, const Spacing& spacing, double largest) {
    if (value == 0) return "0";
    if (value < 0) return "−" + linear_label(-value, spacing, largest);
    if (largest < 1e7 && spacing.exponent >= -4)
        return format("{:.{}f}", value, std::max(0, -spacing.exponent));
    const int leading = static_cast<int>(std::floor(std::log10(value) + slack));
    return scientific(value, std::max(0, leading - spacing.exponent));
}

std::vector<Tick> linear_ticks(Range range, int most) {
    const Spacing spacing = round_spacing((range.high - range.low) / most);
    const double first = std::ceil(range.low / spacing.value() - slack);
    const double last = std::floor(range.high / spacing.value() + slack);
    const double largest = std::max(std::abs(range.low), std::abs(range.high));
    std::vector<Tick> ticks;
    for (double n = first; n <= last; ++n) {
        // n·5·10⁻¹ as n·5/10: a power of ten below one is not exact.
        const double value = spacing.exponent < 0
                                 ? n * spacing.mantissa / std::pow(10.0, -spacing.exponent)
                                 : n * spacing.value();
        ticks.push_back({value, linear_label(value, spacing, largest)});
    }
    return ticks;
}

std::vector<Tick> logarithmic_ticks(Range range, int most) {
    const double low = std::log10(range.low);
    const double high = std::log10(range.high);
    const int stride = std::max(1, static_cast<int>(std::ceil((high - low) / most)));
    const bool has_room = 3 * (high - low) <= most;
    std::vector<Tick> ticks;
    for (int decade = static_cast<int>(std::floor(low)); decade <= high + slack; ++decade) {
        if (decade % stride != 0) continue;
        for (const double mantissa : {1.0, 2.0, 5.0}) {
            if (mantissa != 1 && !has_room) continue;
            const double place = decade + std::log10(mantissa);
            if (place < low - slack || place > high + slack) continue;
            const double value = mantissa * std::pow(10.0, decade);
            ticks.push_back({value, scientific(value, 0)});
        }
    }
    return ticks;
}

} // namespace

std::vector<Tick> choose_ticks(Range range, Scale scale, int most) {
    most = std::max(most, 2);
    return scale == Scale::linear ? linear_ticks(range, most) : logarithmic_ticks(range, most);
}

} // namespace rubato::report
