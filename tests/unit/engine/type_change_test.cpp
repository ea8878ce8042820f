// SPDX-License-Identifier: Apache-2.0
#include "program/type_change.hpp"

#include <rubato/core/diagnostics.hpp>

#include <gmock/gmock.h>

#include <bit>
#include <limits>

namespace rubato::engine {
namespace {

using scenario::TypeConversion;

/// What becomes of a value; nullopt: it does not fit.
template <class To, class From>
std::optional<To> changed(From value, TypeChange change) {
    To result{};
    if (!change_type(change, &value, &result)) return std::nullopt;
    return result;
}

TypeChange from_real(ValueType to, TypeConversion how) {
    return {.from = ValueType::float64, .to = to, .how = how, .source = {}, .target = {}};
}

TEST(TypeChange, RoundsAsIsSaid) {
    const auto at = [](double value, TypeConversion how) {
        return changed<std::int64_t>(value, from_real(ValueType::int32, how)).value();
    };
    EXPECT_EQ(at(2.5, TypeConversion::round), 3);
    EXPECT_EQ(at(-2.5, TypeConversion::round), -3);
    EXPECT_EQ(at(-2.5, TypeConversion::floor), -3);
    EXPECT_EQ(at(-2.5, TypeConversion::ceiling), -2);
    EXPECT_EQ(at(-2.5, TypeConversion::truncate), -2);
}

TEST(TypeChange, KeepsToTheRangeOfTheTarget) {
    struct Range {
        ValueType type;
        double least, most;
    };
    for (const auto& [type, least, most] :
         {Range{ValueType::int8, -128, 127}, Range{ValueType::uint8, 0, 255},
          Range{ValueType::int16, -32768, 32767}, Range{ValueType::uint16, 0, 65535},
          Range{ValueType::int32, -2147483648., 2147483647.},
          Range{ValueType::uint32, 0, 4294967295.}}) {
        const TypeChange change = from_real(type, TypeConversion::round);
        EXPECT_EQ(changed<std::int64_t>(least, change), static_cast<std::int64_t>(least));
        EXPECT_EQ(changed<std::int64_t>(most, change), static_cast<std::int64_t>(most));
        EXPECT_EQ(changed<std::int64_t>(least - 1, change), std::nullopt) << to_string(type);
        EXPECT_EQ(changed<std::int64_t>(most + 1, change), std::nullopt) << to_string(type);
    }
}

TEST(TypeChange, KnowsWhereSixtyFourBitsEnd) {
    const TypeChange as_signed = from_real(ValueType::int64, TypeConversion::floor);
    const double beyond = std::ldexp(1., 63);
    EXPECT_EQ(changed<std::int64_t>(-beyond, as_signed), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(changed<std::int64_t>(beyond, as_signed), std::nullopt);
    const TypeChange as_unsigned = from_real(ValueType::uint64, TypeConversion::floor);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(changed<std::int64_t>(beyond, as_unsigned).value()),
              std::uint64_t{1} << 63);
    EXPECT_EQ(changed<std::int64_t>(2 * beyond, as_unsigned), std::nullopt);
    EXPECT_EQ(changed<std::int64_t>(-1., as_unsigned), std::nullopt);
    const double none = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(changed<std::int64_t>(none, as_unsigned), std::nullopt);
}

TEST(TypeChange, KeepsAllBitsOfIntegers) {
    const std::int64_t odd = (std::int64_t{1} << 62) + 1; // no double
    const TypeChange change{
        .from = ValueType::int64, .to = ValueType::uint64, .how = {}, .source = {}, .target = {}};
    EXPECT_EQ(changed<std::int64_t>(odd, change), odd);
    EXPECT_EQ(changed<std::int64_t>(std::int64_t{-1}, change), std::nullopt);
    const TypeChange back{
        .from = ValueType::uint64, .to = ValueType::int64, .how = {}, .source = {}, .target = {}};
    EXPECT_EQ(changed<std::int64_t>(std::int64_t{-1}, back), std::nullopt)
        << "the largest uint64 is no int64";
}

TEST(TypeChange, MakesRealsOfLargeUnsignedIntegers) {
    const TypeChange change{
        .from = ValueType::uint64, .to = ValueType::float64, .how = {}, .source = {}, .target = {}};
    EXPECT_EQ(changed<double>(std::int64_t{-1}, change), std::ldexp(1., 64));
}

TEST(TypeChange, ComparesAfterScaling) {
    TypeChange change{.from = ValueType::int8,
                      .to = ValueType::boolean,
                      .factor = 0.5,
                      .offset = 1,
                      .how = TypeConversion::threshold,
                      .threshold = 2,
                      .source = {},
                      .target = {}};
    EXPECT_EQ(changed<bool>(std::int64_t{2}, change), false);
    EXPECT_EQ(changed<bool>(std::int64_t{3}, change), true);
    change.how = TypeConversion::nonzero;
    EXPECT_EQ(changed<bool>(std::int64_t{-2}, change), false);
    EXPECT_EQ(changed<bool>(std::int64_t{0}, change), true);
}

TEST(Scaled, KeepsAllBitsOfIntegers) {
    constexpr std::int64_t beyond_doubles = (std::int64_t{1} << 53) + 1;
    EXPECT_EQ(scaled(beyond_doubles, 1, 0), beyond_doubles);
    EXPECT_EQ(scaled(beyond_doubles, -2, 3), -2 * beyond_doubles + 3);
    EXPECT_EQ(scaled(1.5, -2, 3), 0);
}

} // namespace
} // namespace rubato::engine
