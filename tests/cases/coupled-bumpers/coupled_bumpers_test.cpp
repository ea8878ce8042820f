// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"
#include "monolithic.hpp"
#include "support/run_scenario.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rubato::test::coupled_bumpers {
namespace {

/// Position and speed of a and of b; the numbers are those of scenario.yaml.
using State = Eigen::Vector4d;

const State initial{1, 0, -0.2, 0};

/// Both bodies as one system.
State derivative(const State& s) {
    const double force = 2.0 * (s[2] - s[0]) + 0.3 * (s[3] - s[1]);
    return {s[1], -s[0] * (1 + s[0] * s[0] / 0.25) - 0.1 * s[1] + force, //
            s[3], (-2.0 * s[2] * (1 + s[2] * s[2] / 0.16) - force) / 0.5};
}

double longest_step_of_a(double x) { return 0.2 / std::sqrt(1 + 3 * x * x / 0.25); }
double longest_step_of_b(double x) { return 0.2 / std::sqrt(4 * (1 + 3 * x * x / 0.16)); }

CompletedRun bumpers_run(Form form, double step = 0.1, double resolution = 0.2,
                         const std::string& reduction = "minimum") {
    return completed_run(CASES "/coupled-bumpers/scenario.yaml",
                         {{"experiment.step", std::to_string(step)},
                          {"units.a.parameters.resolution", std::to_string(resolution)},
                          {"units.b.parameters.resolution", std::to_string(resolution)},
                          {"algorithm.reduction", reduction}},
                         [&](scenario::Scenario& scenario) { use(form, scenario); });
}

/// Largest error of both positions over all communication points.
double error(const Trajectories& run) {
    const std::vector<State> exact = solve_as_one(derivative, initial, run.at("time"));
    double largest = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        largest = std::max({largest, std::abs(run.at("a.x")[i] - exact[i][0]),
                            std::abs(run.at("b.x")[i] - exact[i][2])});
    }
    return largest;
}

class CoupledBumpers : public testing::TestWithParam<Form> {};

TEST_P(CoupledBumpers, ErrorFallsWithTheSquareOfTheStep) {
    for (const std::string reduction : {"minimum", "maximum"}) {
        const double coarse = error(bumpers_run(GetParam(), 0.1, 0.2, reduction).trajectories);
        const double fine = error(bumpers_run(GetParam(), 0.05, 0.1, reduction).trajectories);
        const double finest = error(bumpers_run(GetParam(), 0.025, 0.05, reduction).trajectories);
        EXPECT_LT(coarse, 0.003) << reduction;
        EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << reduction;
        EXPECT_NEAR(std::log2(fine / finest), 2, 0.1) << reduction;
    }
}

TEST_P(CoupledBumpers, StepsAreWhatTheMoreCautiousBumperAccepts) {
    const Trajectories run = bumpers_run(GetParam()).trajectories;
    const auto& times = run.at("time");
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        const double longest =
            std::min(longest_step_of_a(run.at("a.x")[i]), longest_step_of_b(run.at("b.x")[i]));
        const double left = 0.1 * (std::floor(10 * times[i] + 1 + 1e-6)) - times[i];
        EXPECT_NEAR(times[i + 1] - times[i], std::min(longest, left), 1e-9) << "from " << times[i];
    }
}

TEST_P(CoupledBumpers, NegotiateAndIterate) {
    const engine::Summary summary = bumpers_run(GetParam()).summary;
    EXPECT_GT(summary.steps, 80u);
    EXPECT_GT(summary.rejections, 40u);
    EXPECT_GT(summary.iterations, 2 * summary.steps);
    EXPECT_EQ(summary.not_converged, 0u);
}

TEST_P(CoupledBumpers, AgreeWithTheNativeFormToTheLastBit) {
    EXPECT_EQ(bumpers_run(GetParam()).trajectories, bumpers_run(Form::native).trajectories);
}

INSTANTIATE_TEST_SUITE_P(Forms, CoupledBumpers,
                         testing::Values(Form::native, Form::fmi2, Form::fmi3, Form::isolated),
                         [](const auto& form) { return name_of(form.param); });

} // namespace
} // namespace rubato::test::coupled_bumpers
