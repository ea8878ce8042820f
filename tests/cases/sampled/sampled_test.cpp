// SPDX-License-Identifier: Apache-2.0
#include "support/run_scenario.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace rubato::test::sampled {
namespace {

constexpr auto file = CASES "/sampled/scenario.yaml";
constexpr double k = 2, kp = 1.5, ki = 2, interval = 0.1, reference = 1, tolerance = 1e-8;

using scenario::Interface;

class Sampled : public testing::TestWithParam<std::tuple<Interface, const char*>> {
protected:
    static Trajectories run() {
        const auto [type, recipe] = GetParam();
        return run_scenario(file, {{"algorithm.recipe", recipe}},
                            [&form = type](scenario::Scenario& scenario) {
                                for (scenario::Unit& unit : scenario.units) {
                                    unit.origin = scenario::FmuFile{
                                        std::string(FMUS "/fmi2/") +
                                        std::get<scenario::NativeModel>(unit.origin).name + ".fmu"};
                                    unit.type = form;
                                }
                                scenario.experiment.tolerance = 1e-10;
                            });
    }
};

TEST_P(Sampled, FollowsTheDiscreteClosedForm) {
    const Trajectories result = run();
    const auto& time = result.at("time");
    const auto& u = result.at("controller.u");
    const auto& y = result.at("plant.y");
    const double a = std::exp(-k * interval);
    double expected = 0, integral = 0;
    std::size_t row = 0;
    for (int tick = 0; tick < 20; ++tick) {
        while (row < time.size() && time[row] < tick * interval - tolerance / 10) ++row;
        while (row + 1 < time.size() && time[row + 1] <= tick * interval + tolerance) ++row;
        ASSERT_LT(row, time.size());
        EXPECT_NEAR(time[row], tick * interval, tolerance) << tick;
        EXPECT_NEAR(y[row], expected, 20 * tolerance) << tick;
        integral += ki * interval * (reference - expected);
        const double control = kp * (reference - expected) + integral;
        EXPECT_NEAR(u[row], control, 20 * tolerance) << tick;
        expected = a * expected + (1 - a) * control;
    }
}

std::string name_of(const testing::TestParamInfo<std::tuple<Interface, const char*>>& test) {
    const auto [type, recipe] = test.param;
    return std::string(type == Interface::co_simulation ? "Fmi2" : "Solved") +
           (std::string(recipe) == "waveform-jacobi" ? "Jacobi" : "GaussSeidel");
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Sampled,
    testing::Combine(testing::Values(Interface::co_simulation, Interface::model_exchange),
                     testing::Values("waveform-gauss-seidel", "waveform-jacobi")),
    name_of);

} // namespace
} // namespace rubato::test::sampled
