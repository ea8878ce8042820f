// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/measure.hpp>

#include <gtest/gtest.h>

namespace rubato {
namespace {

double convert(std::string_view from, std::string_view to, double value) {
    const auto rule = conversion(find_measure(from).value(), find_measure(to).value());
    return rule.value().factor * value + rule.value().offset;
}

TEST(Measure, ReadsProductsQuotientsAndExponents) {
    EXPECT_EQ(find_measure("N.s/m")->dimension, (Dimension{1, 0, -1}));
    EXPECT_EQ(find_measure("kg/(m.s2)"), find_measure("Pa"));
    EXPECT_EQ(find_measure("1/s"), find_measure("Hz"));
    EXPECT_EQ(find_measure("J/s"), find_measure("V.A"));
    EXPECT_EQ(find_measure("m2")->dimension, (Dimension{0, 2}));
    EXPECT_EQ(find_measure("m.s-2"), find_measure("m/s2"));
    EXPECT_EQ(find_measure("m.s-1"), find_measure("m/s"));
}

TEST(Measure, DoesNotKnowEverything) {
    for (const char* unit : {"m/furlong", "", "kmin", "kdegC", "m//s", "."})
        EXPECT_EQ(find_measure(unit), std::nullopt) << unit;
}

TEST(Measure, Converts) {
    EXPECT_DOUBLE_EQ(convert("kPa", "Pa", 2), 2000);
    EXPECT_DOUBLE_EQ(convert("bar", "kPa", 1.5), 150);
    EXPECT_DOUBLE_EQ(convert("km/h", "m/s", 36), 10);
    EXPECT_DOUBLE_EQ(convert("degC", "K", 20), 293.15);
    EXPECT_DOUBLE_EQ(convert("K", "degC", 0), -273.15);
    EXPECT_NEAR(convert("degF", "degC", 212), 100, 1e-12);
    EXPECT_DOUBLE_EQ(convert("rev/min", "rad/s", 30), 3.141592653589793);
    EXPECT_DOUBLE_EQ(convert("rpm", "rev/min", 17), 17);
    EXPECT_DOUBLE_EQ(convert("g/cm3", "kg/m3", 1), 1000);
    EXPECT_DOUBLE_EQ(convert("kW.h", "MJ", 1), 3.6);
    EXPECT_DOUBLE_EQ(convert("l/min", "m3/h", 1000), 60);
    EXPECT_DOUBLE_EQ(convert("1/s", "rad/s", 2), 2);
}

TEST(Measure, DoesNotConvertWhatMeasuresDifferentThings) {
    EXPECT_EQ(conversion(*find_measure("kPa"), *find_measure("m")), std::nullopt);
    EXPECT_EQ(conversion(*find_measure("N"), *find_measure("N.m")), std::nullopt);
}

TEST(Measure, ADifferenceHasNoZeroOfItsOwn) { EXPECT_DOUBLE_EQ(convert("degC/s", "K/s", 3), 3); }

TEST(Measure, WritesDimensions) {
    EXPECT_EQ(to_string(find_measure("N")->dimension), "kg.m/s2");
    EXPECT_EQ(to_string(find_measure("Pa")->dimension), "kg/(m.s2)");
    EXPECT_EQ(to_string(find_measure("%")->dimension), "1");
}

} // namespace
} // namespace rubato
