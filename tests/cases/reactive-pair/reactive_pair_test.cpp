// SPDX-License-Identifier: Apache-2.0
#include "coupled-msd/exact_solution.hpp"
#include "forms.hpp"
#include "support/run_scenario.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rubato::test::reactive_pair {
namespace {

CompletedRun pair_run(Form form, const std::string& reduction, const std::string& step = "0.1") {
    return completed_run(CASES "/reactive-pair/scenario.yaml",
                         {{"algorithm.reduction", reduction}, {"experiment.step", step}},
                         [&](scenario::Scenario& scenario) { use(form, scenario); });
}

/// Largest error of both positions over all communication points.
double error(const Trajectories& run) {
    const examples::CoupledMsd system;
    double largest = 0;
    for (std::size_t i = 0; i < run.at("time").size(); ++i) {
        const Eigen::Vector4d exact = system.at(run.at("time")[i]);
        largest = std::max({largest, std::abs(run.at("msd1.x1")[i] - exact[0]),
                            std::abs(run.at("msd2.x2")[i] - exact[2])});
    }
    return largest;
}

class ReactivePair : public testing::TestWithParam<Form> {};

TEST_P(ReactivePair, ErrorFallsWithTheSquareOfTheStep) {
    for (const std::string reduction : {"minimum", "maximum"}) {
        const double coarse = error(pair_run(GetParam(), reduction, "0.1").trajectories);
        const double fine = error(pair_run(GetParam(), reduction, "0.05").trajectories);
        EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << reduction;
        EXPECT_LT(coarse, 3e-3) << reduction;
    }
}

TEST_P(ReactivePair, StepsBothUnitsOnceAnIteration) {
    for (const std::string reduction : {"minimum", "maximum"}) {
        const engine::Summary summary = pair_run(GetParam(), reduction).summary;
        EXPECT_EQ(summary.steps, 40u);
        EXPECT_GT(summary.iterations, 2 * summary.steps);
        EXPECT_EQ(summary.unit_steps, 2 * summary.iterations);
        EXPECT_EQ(summary.rejections, 0u);
        EXPECT_EQ(summary.not_converged, 0u);
    }
}

TEST_P(ReactivePair, AgreesWithTheNativeFormToTheLastBit) {
    EXPECT_EQ(pair_run(GetParam(), "minimum").trajectories,
              pair_run(Form::native, "minimum").trajectories);
}

INSTANTIATE_TEST_SUITE_P(Forms, ReactivePair,
                         testing::Values(Form::native, Form::fmi2, Form::fmi3, Form::isolated),
                         [](const auto& form) { return name_of(form.param); });

TEST(ReactivePair, EndsAtTheSameFixedPointWhateverIsGuessed) {
    const Trajectories few = pair_run(Form::native, "minimum").trajectories;
    const Trajectories all = pair_run(Form::native, "maximum").trajectories;
    for (const auto& [name, values] : few) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_NEAR(values[i], all.at(name)[i], 1e-10) << name;
        }
    }
}

} // namespace
} // namespace rubato::test::reactive_pair
