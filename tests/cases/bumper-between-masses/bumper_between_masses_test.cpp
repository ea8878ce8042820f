// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"
#include "monolithic.hpp"
#include "support/run_scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rubato::test::bumper_between_masses {
namespace {

using testing::HasSubstr;

/// Position and speed of the bumper, of the left and of the right mass.
using State = Eigen::Matrix<double, 6, 1>;

const State initial = (State() << 1, 0, 0.5, 0, 0, 0).finished();

/// All three bodies as one system; the numbers are those of scenario.yaml.
State derivative(const State& s) {
    const double x = s[0], v = s[1];
    const double left = 1.0 * (s[2] - x) + 0.2 * (s[3] - v);
    const double right = 2.0 * (s[4] - x) + 0.1 * (s[5] - v);
    State result;
    result << v, -x * (1 + x * x / 0.25) - 0.05 * v + left + right, //
        s[3], (-0.5 * s[2] - 0.1 * s[3] - left) / 2.0,              //
        s[5], -0.2 * s[4] - right;
    return result;
}

CompletedRun masses_run(Form form, double step = 0.1, double resolution = 0.2) {
    return completed_run(CASES "/bumper-between-masses/scenario.yaml",
                         {{"experiment.step", std::to_string(step)},
                          {"units.bumper.parameters.resolution", std::to_string(resolution)}},
                         [&](scenario::Scenario& scenario) { use(form, scenario, "msd2"); });
}

/// Largest error of all positions over all communication points.
double error(const Trajectories& run) {
    const std::vector<State> exact = solve_as_one(derivative, initial, run.at("time"));
    double largest = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        largest = std::max({largest, std::abs(run.at("bumper.x")[i] - exact[i][0]),
                            std::abs(run.at("left.x2")[i] - exact[i][2]),
                            std::abs(run.at("right.x2")[i] - exact[i][4])});
    }
    return largest;
}

class BumperBetweenMasses : public testing::TestWithParam<Form> {};

TEST_P(BumperBetweenMasses, ErrorFallsWithTheSquareOfTheStep) {
    const double coarse = error(masses_run(GetParam(), 0.1, 0.2).trajectories);
    const double fine = error(masses_run(GetParam(), 0.05, 0.1).trajectories);
    const double finest = error(masses_run(GetParam(), 0.025, 0.05).trajectories);
    EXPECT_LT(coarse, 0.02);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15);
    EXPECT_NEAR(std::log2(fine / finest), 2, 0.15);
}

TEST_P(BumperBetweenMasses, MakesNoStepThatTheBumperRejects) {
    const Trajectories run = masses_run(GetParam()).trajectories;
    const auto& times = run.at("time");
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        const double x = run.at("bumper.x")[i];
        const double longest = 0.2 / std::sqrt(1 + 3 * x * x / 0.25);
        EXPECT_LE(times[i + 1] - times[i], longest * (1 + 1e-9)) << "from " << times[i];
    }
}

TEST_P(BumperBetweenMasses, OnlyTheBumperRepeatsSteps) {
    const engine::Summary summary = masses_run(GetParam()).summary;
    EXPECT_GT(summary.steps, 50u);
    EXPECT_GT(summary.rejections, 10u);
    EXPECT_GT(summary.shortest_step, Duration{0.05});
    EXPECT_LT(summary.shortest_step, Duration{0.06});
    EXPECT_EQ(summary.unit_steps, 3 * summary.steps + summary.rejections);
    EXPECT_EQ(summary.iterations, 0u);
}

TEST_P(BumperBetweenMasses, AgreesWithTheNativeFormToTheLastBit) {
    EXPECT_EQ(masses_run(GetParam()).trajectories, masses_run(Form::native).trajectories);
}

INSTANTIATE_TEST_SUITE_P(Forms, BumperBetweenMasses,
                         testing::Values(Form::native, Form::fmi2, Form::fmi3, Form::isolated),
                         [](const auto& form) { return name_of(form.param); });

TEST(BumperBetweenMasses, MassesThatWouldHaveToGoBackAreNamedBeforeTheRun) {
    const auto run = [](Form form) {
        return run_scenario(CASES "/bumper-between-masses/scenario.yaml",
                            {{"units.bumper.inputs.F1.contract", "reactive"}},
                            [&](scenario::Scenario& scenario) { use(form, scenario, "msd2"); });
    };
    EXPECT_NO_THROW(run(Form::native));
    for (const Form form : {Form::fmi2, Form::fmi3}) {
        EXPECT_THAT([&] { run(form); }, testing::ThrowsMessage<InputError>(HasSubstr(
                                            "unit \"left\" cannot save and restore its state")));
    }
}

} // namespace
} // namespace rubato::test::bumper_between_masses
