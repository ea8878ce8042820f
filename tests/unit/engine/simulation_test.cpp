// SPDX-License-Identifier: Apache-2.0
#include "pair.hpp"
#include "support/allocation_counter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rubato::engine::testing {
namespace {

using scenario::Approximation;
using scenario::Recipe;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Simulation, ReachesTheStopTimeExactlyWithoutAccumulatingRounding) {
    Pair pair;
    pair.experiment.stop = 100;
    const Rows rows = recorded(pair);
    ASSERT_EQ(rows.times.size(), 1001u);
    EXPECT_EQ(rows.times[123], 123 * 0.1);
    EXPECT_EQ(rows.times.back(), 100);
}

TEST(Simulation, ShortensTheLastStepWhenTheSpanIsNotAWholeNumberOfSteps) {
    Pair pair;
    pair.experiment.stop = 0.25;
    EXPECT_THAT(recorded(pair).times, ElementsAre(0, 0.1, 0.2, 0.25));
}

TEST(Simulation, TakesRoundingOfLateTimesForNoStep) {
    Pair pair;
    pair.experiment.start = 1e9;
    pair.experiment.stop = 1e9 + 0.1;
    pair.experiment.step = 1e-3;
    const Rows rows = recorded(pair);
    EXPECT_EQ(rows.times.size(), 101u);
    EXPECT_EQ(rows.times.back(), 1e9 + 0.1);
}

TEST(Simulation, RecordsEveryNthPointAndTheLast) {
    EXPECT_THAT(recorded(Pair{}, 4).times, ElementsAre(0, DoubleEq(0.4), DoubleEq(0.8), 1));
}

TEST(Simulation, ExchangesWithFactorAndOffset) {
    Pair pair;
    pair.a.initial = 2;
    pair.factor = 3;
    pair.offset = -1;
    pair.experiment.stop = 0.1;
    // b.u = 3·2 - 1 = 5 held over 0.1 s; a.u = 0
    EXPECT_THAT(recorded(pair).values.back(), ElementsAre(2, 0.5, 5));
}

TEST(Simulation, JacobiUsesOldAndGaussSeidelNewValues) {
    Pair pair;
    pair.a.initial = 1;
    pair.b.initial = 1;
    pair.experiment.stop = 0.1;
    EXPECT_THAT(recorded(pair).values.back(), ElementsAre(1.1, 1.1, 1.1));
    pair.algorithm.recipe = Recipe::gauss_seidel;
    EXPECT_THAT(recorded(pair).values.back(), ElementsAre(1.1, DoubleEq(1 + 0.1 * 1.1), 1.1));
}

TEST(Simulation, NamesUnitVariableAndTimeOfAValueThatIsNotFinite) {
    Pair pair;
    pair.b.not_a_number_at = 0.35;
    Rows rows;
    EXPECT_THAT(failure(pair, rows), HasSubstr("unit \"b\": output \"y\" is nan at t = 0.4 s"));
    EXPECT_TRUE(rows.ended);
    EXPECT_THAT(rows.times, ElementsAre(0, DoubleEq(0.1), DoubleEq(0.2), DoubleEq(0.3)));
}

TEST(Simulation, EndsWhenAUnitAsksForIt) {
    Pair pair;
    pair.a.terminates_at = 0.55;
    Rows rows;
    Simulation simulation = pair.simulation();
    const Summary summary = simulation.run({.recorder = &rows, .every = 1, .stop = nullptr});
    EXPECT_EQ(summary.end, RunEnd::terminated);
    EXPECT_EQ(summary.ended_by, "a");
    EXPECT_EQ(rows.times.back(), 0.5);
}

TEST(Simulation, EndsWhenTheUserAsksForIt) {
    std::atomic<bool> stop = true;
    Simulation simulation = Pair{}.simulation();
    EXPECT_EQ(simulation.run({.recorder = nullptr, .every = 1, .stop = &stop}).end,
              RunEnd::interrupted);
}

TEST(Simulation, RepeatedRunsAreBitIdentical) {
    Pair pair;
    pair.a.initial = 1;
    pair.algorithm.recipe = Recipe::iterated_gauss_seidel;
    pair.approximation = Approximation::quadratic;
    EXPECT_EQ(recorded(pair).values, recorded(pair).values);
}

TEST(Engine, StepDoesNotAllocateAfterInitialization) {
    for (const Recipe recipe : {Recipe::jacobi, Recipe::gauss_seidel, Recipe::iterated_jacobi,
                                Recipe::iterated_gauss_seidel}) {
        for (const Approximation approximation :
             {Approximation::constant, Approximation::linear, Approximation::quadratic}) {
            Pair pair;
            pair.a.initial = 1;
            pair.b.feedthrough = 0.1;
            pair.algorithm.recipe = recipe;
            pair.approximation = approximation;
            Simulation simulation = pair.simulation();
            simulation.initialize();
            simulation.step(); // the first save makes the snapshots' slots
            const std::size_t before = test::allocations();
            for (int i = 0; i < 8; ++i) simulation.step();
            EXPECT_EQ(test::allocations(), before) << to_string(recipe);
        }
    }
}

} // namespace
} // namespace rubato::engine::testing
