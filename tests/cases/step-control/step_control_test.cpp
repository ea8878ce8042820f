// SPDX-License-Identifier: Apache-2.0
#include "step-control/systems.hpp"

#include <gtest/gtest.h>

namespace rubato::test::step_control {
namespace {

TEST(StepControlCase, EveryControllerHoldsTheErrorOverFourDecades) {
    for (const studies::System& system : studies::systems()) {
        for (const char* controller : {"richardson", "predictor", "energy"}) {
            for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
                const auto run = studies::run(system, STUDIES "/step-control",
                                              studies::controlled(controller, tolerance));
                const double ratio = studies::largest_error(system, run.series) / tolerance;
                EXPECT_LT(ratio, 3) << system.name << ", " << controller << ", " << tolerance;
                EXPECT_GT(ratio, 0.005) << system.name << ", " << controller << ", " << tolerance;
            }
        }
    }
}

/// An order that adapts changes what is extrapolated, not how large an error may be.
TEST(StepControlCase, StepsAndOrdersAdaptTogether) {
    const studies::System system = studies::systems().front();
    for (const char* estimator : {"input", "power"}) { // by the work over the bond
        for (const char* controller : {"predictor", "energy"}) {
            std::uint64_t switches = 0;
            for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
                auto overrides = studies::controlled(controller, tolerance);
                overrides.push_back({"algorithm.recipe", "adaptive-gauss-seidel"});
                overrides.push_back({"algorithm.order", "[msd2, msd1]"}); // to begin with
                overrides.push_back({"algorithm.order-estimator", estimator});
                const auto run = studies::run(system, STUDIES "/step-control", overrides);
                const double ratio = studies::largest_error(system, run.series) / tolerance;
                EXPECT_LT(ratio, 3) << estimator << ", " << controller << ", " << tolerance;
                EXPECT_GT(ratio, 0.005) << estimator << ", " << controller << ", " << tolerance;
                EXPECT_GT(run.summary.longest_step, 1.5 * run.summary.shortest_step);
                switches += run.summary.switches;
            }
            EXPECT_GT(switches, 0u) << estimator << ", " << controller;
        }
    }
}

TEST(StepControlCase, TheEstimatedErrorIsWithinAFactorOfThreeOfTheTrueOne) {
    for (const studies::System& system : studies::systems()) {
        for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
            const auto overrides = studies::controlled("predictor", tolerance);
            const auto run = [&](const engine::Series* like, std::vector<Time> points) {
                return studies::run(system, STUDIES "/step-control", overrides, like,
                                    std::move(points));
            };
            const auto coarse = run(nullptr, {});
            const auto half = run(&coarse.series, engine::refined(coarse.points, 2));
            const auto quarter = run(&coarse.series, engine::refined(coarse.points, 4));
            const auto errors =
                engine::extrapolated_errors(coarse.series, half.series, quarter.series);
            const auto rows = studies::expected(system, coarse.series);
            for (std::size_t c = 0; c < errors.size(); ++c) {
                double truth = 0;
                for (std::size_t r = 0; r < rows.size(); ++r)
                    truth = std::max(truth, std::abs(coarse.series.value(r, c) - rows[r][c].value));
                EXPECT_LT(errors[c].largest, 3 * truth) << system.name << " " << errors[c].name;
                EXPECT_GT(errors[c].largest, truth / 3) << system.name << " " << errors[c].name;
            }
        }
    }
}

} // namespace
} // namespace rubato::test::step_control
