// SPDX-License-Identifier: Apache-2.0
#include "pipeline/workers/worker_pool.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/sweep_results.hpp>

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <set>

namespace rubato::pipeline {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<Value> values_of(const char* text) { return parse_variation(text).values; }

TEST(Variation, RangesIncludeTheirEndsWithoutAccumulatedRounding) {
    EXPECT_THAT(values_of("a.k=0:0.3:0.1"), ElementsAre(0.0, 0.1, 0.2, 0.3));
    EXPECT_THAT(values_of("a.k=1:2:0.4"), ElementsAre(1.0, 1.4, 1.8));
    EXPECT_THAT(values_of("a.k=3:1:-1"), ElementsAre(Value(std::int64_t{3}), Value(std::int64_t{2}),
                                                     Value(std::int64_t{1})));
    EXPECT_THAT(values_of("a.k=2:2:1"), SizeIs(1));
    EXPECT_THAT(values_of("a.k=0:1:0.001"), SizeIs(1001));
    EXPECT_EQ(std::get<double>(values_of("a.k=0:1:0.001")[700]), 0.7);
}

TEST(Variation, ListsHoldWhatTheyLookLike) {
    EXPECT_THAT(
        values_of("a.k=1, 2.5,true,fast"),
        ElementsAre(Value(std::int64_t{1}), Value(2.5), Value(true), Value(std::string("fast"))));
    EXPECT_THAT(values_of("a.k=[1,2]"), SizeIs(2));
}

TEST(SweepPlan, CombinesListsWithSamplesTheFirstOneChangesLast) {
    const SweepPlan plan(
        {parse_variation("a=1,2"), parse_variation("b=lhs:3:0:1"), parse_variation("c=5,6")},
        std::nullopt, 1);
    ASSERT_EQ(plan.size(), 12U);
    std::set<std::vector<std::string>> combinations;
    for (std::size_t run = 0; run < plan.size(); ++run) {
        const std::vector<Value> values = plan.values(run);
        combinations.insert({rubato::to_string(values[0]), rubato::to_string(values[1]),
                             rubato::to_string(values[2])});
        EXPECT_EQ(values[0], Value(std::int64_t{run < 6 ? 1 : 2}));
    }
    EXPECT_THAT(combinations, SizeIs(12));
}

TEST(SweepPlan, ALatinHypercubeHasOneSampleInEachPartOfEachRange) {
    constexpr std::size_t count = 200;
    const SweepPlan plan({parse_variation("a=lhs:-3:5"), parse_variation("b=lhs:10:20")}, count, 4);
    std::set<int> parts_of_a, parts_of_b;
    double product = 0;
    for (std::size_t run = 0; run < count; ++run) {
        const double a = (std::get<double>(plan.values(run)[0]) + 3) / 8;
        const double b = (std::get<double>(plan.values(run)[1]) - 10) / 10;
        parts_of_a.insert(static_cast<int>(a * count));
        parts_of_b.insert(static_cast<int>(b * count));
        product += (a - 0.5) * (b - 0.5) / count;
    }
    EXPECT_THAT(parts_of_a, SizeIs(count));
    EXPECT_THAT(parts_of_b, SizeIs(count));
    EXPECT_THAT(product * 12, DoubleNear(0, 0.25)) << "the variables are not correlated";
}

TEST(SweepPlan, SamplesDependOnTheSeedAlone) {
    const auto samples = [](std::uint64_t seed) {
        const SweepPlan plan({parse_variation("a=random:0:1"), parse_variation("b=lhs:0:1")}, 50,
                             seed);
        std::vector<std::vector<Value>> all;
        for (std::size_t run = 0; run < plan.size(); ++run) all.push_back(plan.values(run));
        return all;
    };
    EXPECT_EQ(samples(3), samples(3));
    EXPECT_NE(samples(3), samples(4));
    double mean = 0;
    for (const auto& values : samples(3)) mean += std::get<double>(values[0]) / 50;
    EXPECT_THAT(mean, DoubleNear(0.5, 0.2));
}

TEST(Quantile, IsLinearBetweenNeighbours) {
    std::vector<double> values = {4, 1, 3, 2, 5};
    EXPECT_EQ(quantile(values, 0), 1);
    EXPECT_EQ(quantile(values, 0.5), 3);
    EXPECT_EQ(quantile(values, 1), 5);
    EXPECT_DOUBLE_EQ(quantile(values, 0.05), 1.2);
    std::vector<double> one = {7};
    EXPECT_EQ(quantile(one, 0.95), 7);
}

/// What became of each item.
std::map<std::size_t, std::string> worked(std::size_t items, unsigned workers,
                                          const WorkerTask& task,
                                          std::optional<double> limit = std::nullopt) {
    std::map<std::size_t, std::string> results;
    const auto keep = [&](std::size_t item, std::string text) {
        EXPECT_TRUE(results.emplace(item, std::move(text)).second) << item << " came twice";
    };
    run_in_workers({.items = items,
                    .workers = workers,
                    .limit = limit,
                    .begin = [&] { return task; },
                    .done = keep,
                    .failed = keep});
    return results;
}

TEST(Workers, DoEachItemOnce) {
    for (const unsigned workers : {1U, 3U, 50U}) {
        const auto results = worked(20, workers, [](std::size_t item, const auto&) {
            return std::optional(std::string(item * 10'000, 'x')); // more than a pipe holds
        });
        ASSERT_THAT(results, SizeIs(20));
        for (const auto& [item, text] : results) EXPECT_EQ(text.size(), item * 10'000);
    }
    EXPECT_THAT(worked(0, 2, {}), SizeIs(0));
}

TEST(Workers, AreReplacedWhenTheyCrashExitOrHang) {
    const auto results = worked(
        30, 2,
        [](std::size_t item, const auto&) -> std::optional<std::string> {
            if (item % 10 == 3) std::abort();
            if (item % 10 == 5) std::_Exit(3);
            if (item % 10 == 7) throw Error("thrown");
            while (item == 29) ::usleep(1000);
            return "done";
        },
        1.0);
    ASSERT_THAT(results, SizeIs(30));
    EXPECT_EQ(results.at(13), "a unit crashed: signal 6");
    EXPECT_EQ(results.at(15), "a unit ended the process");
    EXPECT_EQ(results.at(17), "a unit ended the process");
    EXPECT_THAT(results.at(29), HasSubstr("not done after"));
    EXPECT_EQ(results.at(28), "done");
}

} // namespace
} // namespace rubato::pipeline
