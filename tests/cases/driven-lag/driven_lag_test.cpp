// SPDX-License-Identifier: Apache-2.0
#include "support/run_scenario.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rubato::test::driven_lag {
namespace {

constexpr auto file = CASES "/driven-lag/scenario.yaml";
constexpr double k = 2;

/// The largest distance from a solution, from `since` on.
template <class Solution>
double error_of(const test::Trajectories& results, Solution solution, double since = 0) {
    double largest = 0;
    for (std::size_t i = 0; i < results.at("time").size(); ++i) {
        const double t = results.at("time")[i];
        if (t < since) continue;
        largest = std::max(largest, std::abs(results.at("lag.y")[i] - solution(t)));
    }
    return largest;
}

/// Inputs without approximation.
void hold_inputs(scenario::Scenario& scenario) { scenario.units[1].inputs.clear(); }

TEST(DrivenLag, FollowsARampExactly) {
    const auto results = test::run_scenario(file);
    const auto ramp = [](double t) { return t - (1 - std::exp(-k * t)) / k; };
    EXPECT_LT(error_of(results, ramp), 1e-6);
}

TEST(DrivenLag, HeldInputsFollowARampToFirstOrder) {
    const auto ramp = [](double t) { return t - (1 - std::exp(-k * t)) / k; };
    const auto error = [&](const char* step) {
        return error_of(test::run_scenario(file, {{"experiment.step", step}}, hold_inputs), ramp);
    };
    EXPECT_NEAR(error("0.1") / error("0.05"), 2, 0.1);
}

TEST(DrivenLag, AJumpActsFromItsTimeOn) {
    const auto results = test::run_scenario(file, {{"units.in.table", "step.csv"}}, hold_inputs);
    const auto step = [](double t) { return t < 1 ? 0 : 1 - std::exp(-k * (t - 1)); };
    EXPECT_LT(error_of(results, step), 1e-6);
}

/// u = t before t = 1.03, which is within a step, and 3 - t after; y is continuous, and solves
/// y' = k (u - y) on both sides.
TEST(DrivenLag, AJumpWithinAStepActsFromItsTimeOnAndIsNotSmeared) {
    constexpr double jump = 1.03;
    const auto ramp = [](double t) { return t - (1 - std::exp(-k * t)) / k; };
    const auto after = [](double t) { return 3 - t + 1 / k; }; // but for what decays
    const auto solution = [&](double t) {
        return t < jump ? ramp(t)
                        : after(t) + (ramp(jump) - after(jump)) * std::exp(-k * (t - jump));
    };
    const auto results = test::run_scenario(file, {{"units.in.table", "ramps.csv"}});
    EXPECT_LT(error_of(results, solution), 1e-6);
    EXPECT_EQ(std::ranges::count(results.at("time"), jump), 2) << "before and after";
    const auto at = std::ranges::find(results.at("time"), jump) - results.at("time").begin();
    const auto index = static_cast<std::size_t>(at);
    EXPECT_NEAR(results.at("in.u")[index], jump, 1e-12);
    EXPECT_NEAR(results.at("in.u")[index + 1], 3 - jump, 1e-12);
    EXPECT_EQ(results.at("time").size(), 43u) << "nowhere else does a step end";
}

TEST(DrivenLag, AJumpCanBeLeftToTheNextCommunicationPoint) {
    const auto results = test::run_scenario(
        file, {{"units.in.table", "ramps.csv"}, {"units.in.stop-at-jumps", "false"}});
    EXPECT_EQ(std::ranges::count(results.at("time"), 1.03), 0);
}

TEST(DrivenLag, ATableTakesPartInEveryAlgorithm) {
    const auto expected = test::run_scenario(file);
    for (const char* recipe : {"gauss-seidel", "iterated-jacobi", "iterated-gauss-seidel"}) {
        const auto results = test::run_scenario(file, {{"algorithm.recipe", recipe}});
        EXPECT_EQ(results, expected) << recipe;
    }
}

} // namespace
} // namespace rubato::test::driven_lag
