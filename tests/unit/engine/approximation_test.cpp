// SPDX-License-Identifier: Apache-2.0
#include "execution/approximation.hpp"

#include <gtest/gtest.h>

namespace rubato::engine {
namespace {

double quadratic(double t) { return 3 - 2 * t + 5 * t * t; }

InputHistory sampled_at(unsigned order, std::initializer_list<double> accepted, double newest) {
    InputHistory history(order);
    for (const double t : accepted) {
        history.sample({t}, quadratic(t));
        history.commit();
    }
    history.sample({newest}, quadratic(newest));
    return history;
}

TEST(InputHistory, QuadraticApproximationOfAQuadraticIsExactOnAnUnevenGrid) {
    InputHistory history = sampled_at(2, {0.1, 0.4}, 0.5);
    const Taylor beyond = history.extrapolated();
    EXPECT_DOUBLE_EQ(beyond.value, quadratic(0.5));
    EXPECT_NEAR(beyond.first, -2 + 10 * 0.5, 1e-12);
    EXPECT_NEAR(beyond.second, 10, 1e-11);
    const Taylor between = history.interpolated();
    EXPECT_DOUBLE_EQ(between.value, quadratic(0.4));
    EXPECT_NEAR(between.first, -2 + 10 * 0.4, 1e-12);
    EXPECT_NEAR(between.second, 10, 1e-11);
}

TEST(InputHistory, LinearApproximationIsTheSecant) {
    InputHistory history = sampled_at(1, {0, 1}, 2);
    EXPECT_DOUBLE_EQ(history.extrapolated().first, quadratic(2) - quadratic(1));
    EXPECT_DOUBLE_EQ(history.interpolated().first, quadratic(2) - quadratic(1));
    EXPECT_EQ(history.extrapolated().second, 0);
}

TEST(InputHistory, FallsBackToLowerOrdersWhileHistoryIsShort) {
    EXPECT_EQ(sampled_at(2, {}, 1).extrapolated().first, 0);
    EXPECT_EQ(sampled_at(2, {0}, 1).extrapolated().first, quadratic(1) - quadratic(0));
    EXPECT_EQ(sampled_at(2, {0}, 1).extrapolated().second, 0);
}

TEST(InputHistory, ReplacesTheSampleUnderWayUntilItIsAccepted) {
    InputHistory history(1);
    history.sample({0}, 1);
    history.commit();
    history.sample({1}, 100);
    history.sample({1}, 3);
    EXPECT_EQ(history.interpolated().first, 2);
}

TEST(InputHistory, ConstantApproximationHoldsTheNewestValue) {
    InputHistory history = sampled_at(0, {0, 1}, 2);
    EXPECT_EQ(history.interpolated().value, quadratic(2));
    EXPECT_EQ(history.interpolated().first, 0);
}

TEST(InputHistory, ASampleWithinTheStepMakesWhatWasBeforeItNeedless) {
    const auto u = [](double t) { return 1 - 3 * t + 2 * t * t; };
    InputHistory history(2);
    history.restart(Time{1}, u(1)); // nothing is known before
    history.sample(Time{1.4}, u(1.4));
    history.sample_within(Time{1.3}, u(1.3));
    const Taylor p = history.interpolated();
    for (const double tau : {0., 0.1, 0.25, 0.4}) EXPECT_NEAR(p.at(tau), u(1 + tau), 1e-14);
    history.sample(Time{1.4}, u(1.4)); // of the next iteration, of which nothing is told yet
    EXPECT_EQ(history.interpolated().second, 0);
}

} // namespace
} // namespace rubato::engine
