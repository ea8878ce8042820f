// SPDX-License-Identifier: Apache-2.0
#include <rubato/report/compare.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace rubato::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Table table(std::vector<double> times, std::vector<double> values) {
    return Table({{"time", std::move(times)}, {"x", std::move(values)}});
}

/// A sine over 10 s, in steps of 0.01 s.
Table sine(double shift = 0, double scale = 1) {
    std::vector<double> times, values;
    for (int i = 0; i <= 1000; ++i) {
        times.push_back(0.01 * i);
        values.push_back(scale * std::sin(0.01 * i - shift));
    }
    return table(times, values);
}

TEST(Compare, EqualTablesMatch) {
    const Comparison comparison = compare(sine(), sine());
    EXPECT_THAT(comparison.compared, ElementsAre("x"));
    EXPECT_FALSE(comparison.mismatch);
    EXPECT_FALSE(comparison.ends_too_soon);
}

TEST(Compare, AllowsAPartOfTheRange) {
    EXPECT_FALSE(compare(sine(0, 1.015), sine()).mismatch) << "the range is 2";
    const auto found = compare(sine(0, 1.05), sine()).mismatch;
    ASSERT_TRUE(found);
    EXPECT_EQ(found->variable, "x");
    EXPECT_NEAR(found->value / found->expected, 1.05, 1e-9);
}

TEST(Compare, AllowsAPartOfTheTime) {
    EXPECT_FALSE(compare(sine(0.015), sine()).mismatch);
    EXPECT_TRUE(compare(sine(0.1), sine()).mismatch);
}

TEST(Compare, AJumpMayComeARowOfTheReferenceLate) {
    const Table reference = table({0, 0.5, 1, 1, 1.5, 2}, {0, 0, 0, 5, 5, 5});
    EXPECT_FALSE(compare(table({0, 0.9, 1.1, 2}, {0, 0, 5, 5}), reference).mismatch);
    EXPECT_FALSE(compare(table({0, 0.5, 1, 1.5, 2}, {0, 0, 0, 5, 5}), reference).mismatch);
    EXPECT_TRUE(compare(table({0, 0.5, 1, 1.5, 1.75, 2}, {0, 0, 0, 0, 0, 5}), reference).mismatch);
}

TEST(Compare, LongStepsOfTheResultsAllowNoMore) {
    std::vector<double> times, values;
    for (int i = 0; i <= 10; ++i) {
        times.push_back(i);
        values.push_back(std::sin(i - 0.5)); // half a step late
    }
    EXPECT_TRUE(compare(table(times, values), sine()).mismatch);
}

/// Some references begin with what a model gives out after its first step.
TEST(Compare, TheFirstRowMayBeBehindByTheTimeOfTheTube) {
    const Table reference = table({0, 0.5, 1, 1.5, 2}, {1, 1, 1, 5, 5});
    const Comparison late = compare(table({0, 0.5, 1, 1.5, 2}, {0, 1, 1, 5, 5}), reference);
    EXPECT_FALSE(late.mismatch);
    ASSERT_TRUE(late.differs_at_start);
    EXPECT_EQ(late.differs_at_start->value, 0);
    EXPECT_EQ(late.differs_at_start->expected, 1);
    const auto later = compare(table({0, 0.5, 1, 1.5, 2}, {0, 0, 1, 5, 5}), reference).mismatch;
    ASSERT_TRUE(later);
    EXPECT_EQ(later->time, 0);
    EXPECT_FALSE(compare(reference, reference).differs_at_start);
}

TEST(Compare, NothingOfTheReferenceMayBeLeftOut) {
    Table pulse = sine(0, 0);
    std::vector<double> values(1001, 0.0);
    for (std::size_t i = 500; i < 510; ++i) values[i] = 1;
    const Table reference = table(pulse.columns().front().values, values);
    const auto found = compare(table({0, 2.5, 7.5, 10}, {0, 0, 0, 0}), reference).mismatch;
    ASSERT_TRUE(found) << "each value of the results is near the reference";
    EXPECT_NEAR(found->time, 5, 0.03);
    EXPECT_EQ(found->value, 0);
    EXPECT_EQ(found->expected, 1);
}

TEST(Compare, ConstantsMayDifferByAPartOfTheirSize) {
    const Table reference = table({0, 1}, {100, 100});
    EXPECT_FALSE(compare(table({0, 1}, {100.5, 100.5}), reference).mismatch);
    EXPECT_TRUE(compare(table({0, 1}, {102, 102}), reference).mismatch);
    EXPECT_FALSE(compare(table({0, 1}, {1e-7, 0}), table({0, 1}, {0, 0})).mismatch);
    EXPECT_TRUE(compare(table({0, 1}, {1e-5, 0}), table({0, 1}, {0, 0})).mismatch);
}

TEST(Compare, WhatIsNotANumberNeverMatches) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(compare(table({0, 1}, {1, nan}), table({0, 1}, {1, 1})).mismatch);
}

TEST(Compare, TellsTheFirstMismatchInTime) {
    const Table reference({{"time", {0, 1, 2}}, {"a", {0, 0, 0}}, {"b", {0, 0, 0}}});
    const Table results({{"time", {0, 1, 2}}, {"a", {0, 0, 1}}, {"b", {0, 2, 0}}});
    const auto found = compare(results, reference).mismatch;
    ASSERT_TRUE(found);
    EXPECT_EQ(found->variable, "b");
    EXPECT_EQ(found->time, 1);
    EXPECT_EQ(found->value, 2);
    EXPECT_EQ(found->expected, 0);
}

TEST(Compare, ResultsMustReachTheEnd) {
    EXPECT_EQ(compare(table({0, 1, 2}, {1, 1, 1}), table({0, 10}, {1, 1})).ends_too_soon, 2.0);
    EXPECT_FALSE(compare(table({0, 1, 2}, {1, 1, 1}), table({0, 1}, {1, 1})).ends_too_soon);
}

TEST(Compare, ComparesOnlyNumbersThatBothHave) {
    const Table reference({{"time", {0}}, {"text", {0}, "it is text"}, {"z", {0}}});
    EXPECT_THAT(compare(Table({{"time", {0}}, {"text", {0}}, {"y", {0}}}), reference).compared,
                IsEmpty());
}

} // namespace
} // namespace rubato::report
