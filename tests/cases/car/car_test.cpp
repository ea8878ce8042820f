// SPDX-License-Identifier: Apache-2.0
#include "support/run_scenario.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rubato::test::car {
namespace {

constexpr double m = 1576, v_d = 40, k = 1000, c_f = 0.5;
constexpr double limit = k * v_d / (k + c_f);

double exact(double t) { return limit * (1 - std::exp(-(k + c_f) * t / m)); }

double largest_error(const Trajectories& run) {
    double largest = 0;
    for (std::size_t i = 0; i < run.at("time").size(); ++i) {
        largest = std::max(largest, std::abs(run.at("car.v")[i] - exact(run.at("time")[i])));
    }
    return largest;
}

Trajectories car(const std::vector<scenario::Override>& overrides = {}) {
    return run_scenario(CASES "/car/scenario.yaml", overrides);
}

TEST(TutorialExample1, EulerFollowsItsRecursion) {
    const Trajectories run = car();
    double v = 0;
    for (const double simulated : run.at("car.v")) {
        EXPECT_NEAR(simulated, v, 1e-12);
        v = limit + (1 - 0.2 * (k + c_f) / m) * (v - limit);
    }
}

TEST(TutorialExample1, EulerIsWithinAMetrePerSecondOfTheClosedForm) {
    EXPECT_LT(largest_error(car()), 1);
}

TEST(TutorialExample1, HalvingTheStepHalvesTheErrorOfEuler) {
    const double coarse = largest_error(car({{"experiment.step", "0.02"}}));
    const double fine = largest_error(car({{"experiment.step", "0.01"}}));
    EXPECT_NEAR(std::log2(coarse / fine), 1, 0.02);
}

TEST(TutorialExample1, TheExactSolverMeetsTheClosedForm) {
    EXPECT_LT(largest_error(car({{"units.car.parameters.solver", "3"}})), 1e-12);
}

} // namespace
} // namespace rubato::test::car
