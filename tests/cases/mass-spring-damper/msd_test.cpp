// SPDX-License-Identifier: Apache-2.0
#include "support/run_scenario.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace rubato::test::mass_spring_damper {
namespace {

double exact(double t) {
    const double omega = std::numbers::sqrt3 / 2;
    return std::exp(-t / 2) * (std::cos(omega * t) + std::sin(omega * t) / std::numbers::sqrt3);
}

double largest_error(const std::vector<scenario::Override>& overrides) {
    const Trajectories run = run_scenario(CASES "/mass-spring-damper/scenario.yaml", overrides);
    double largest = 0;
    for (std::size_t i = 0; i < run.at("time").size(); ++i) {
        largest = std::max(largest, std::abs(run.at("msd.x1")[i] - exact(run.at("time")[i])));
    }
    return largest;
}

TEST(TutorialExample2, EulerIsNearTheClosedForm) { EXPECT_LT(largest_error({}), 0.05); }

TEST(TutorialExample2, HalvingTheStepHalvesTheErrorOfEuler) {
    const double ratio = largest_error({{"experiment.step", "0.01"}}) /
                         largest_error({{"experiment.step", "0.005"}});
    EXPECT_NEAR(std::log2(ratio), 1, 0.02);
}

TEST(TutorialExample2, InnerStepsRefineASingleCommunicationStep) {
    const double outer = largest_error({{"experiment.step", "0.01"}});
    const double inner =
        largest_error({{"experiment.step", "0.1"}, {"units.msd.parameters.inner_step", "0.01"}});
    EXPECT_NEAR(inner, outer, 1e-4);
}

TEST(TutorialExample2, TheExactSolverMeetsTheClosedForm) {
    EXPECT_LT(largest_error({{"units.msd.parameters.solver", "3"}}), 1e-13);
}

} // namespace
} // namespace rubato::test::mass_spring_damper
