// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"
#include "support/run_scenario.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace rubato::test::clocked_controller {
namespace {

constexpr auto file = CASES "/clocked-controller/scenario.yaml";
constexpr double k = 2, kp = 1.5, ki = 2, interval = 0.1, reference = 1;

/// The closed form (README.md).
class Solution {
public:
    explicit Solution(int ticks) {
        double y = 0, integral = 0;
        const double a = std::exp(-k * interval);
        for (int n = 0; n <= ticks; ++n) {
            integral += ki * interval * (reference - y);
            const double u = kp * (reference - y) + integral;
            points_.push_back({y, u});
            y = a * y + (1 - a) * u;
        }
    }
    double u(int n) const { return points_[static_cast<std::size_t>(n)].u; }
    double y(double time, int n) const {
        const Point& point = points_[static_cast<std::size_t>(n)];
        return point.u + (point.y - point.u) * std::exp(-k * (time - n * interval));
    }

private:
    struct Point {
        double y, u;
    };
    std::vector<Point> points_;
};

class ClockedController : public testing::TestWithParam<std::tuple<Form, const char*>> {
protected:
    static CompletedRun run(const std::vector<scenario::Override>& overrides = {}) {
        const auto [form, recipe] = GetParam();
        std::vector<scenario::Override> all = {{"algorithm.recipe", recipe}};
        all.insert(all.end(), overrides.begin(), overrides.end());
        return completed_run(file, all, [&name = form](scenario::Scenario& s) {
            use(name, s);
            if (name == Form::solved) s.experiment.tolerance = 1e-10;
        });
    }
    /// The plant is solved exactly, but by CVODE.
    static double accuracy() { return std::get<0>(GetParam()) == Form::solved ? 1e-8 : 1e-12; }
};

TEST_P(ClockedController, FollowsTheDiscreteClosedForm) {
    const CompletedRun done = run();
    const auto& time = done.trajectories.at("time");
    const auto& y = done.trajectories.at("plant.y");
    const auto& u = done.trajectories.at("controller.u");
    const Solution solution(20);
    int ticks = 0; // after the one at the start
    for (std::size_t i = 0; i < time.size(); ++i) {
        if (i > 0 && time[i] == time[i - 1]) {
            ++ticks;
            EXPECT_DOUBLE_EQ(time[i], ticks * interval);
        }
        EXPECT_NEAR(u[i], solution.u(ticks), accuracy()) << time[i];
        EXPECT_NEAR(y[i], solution.y(time[i], ticks), accuracy()) << time[i];
    }
    EXPECT_EQ(ticks, 20);
    EXPECT_EQ(done.summary.events, 21);
}

TEST_P(ClockedController, TicksAreTheSameWhateverTheStep) {
    const Solution solution(20);
    for (const char* step : {"0.1", "0.07", "2", "0.05"}) {
        const CompletedRun done = run({{"experiment.step", step}});
        EXPECT_EQ(done.summary.events, 21) << step;
        EXPECT_NEAR(done.trajectories.at("plant.y").back(), solution.y(2, 20), accuracy()) << step;
        EXPECT_NEAR(done.trajectories.at("controller.u").back(), solution.u(20), accuracy())
            << step;
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, ClockedController,
                         testing::Combine(testing::Values(Form::native, Form::fmi3, Form::solved),
                                          testing::Values("jacobi", "gauss-seidel")),
                         [](const auto& test) {
                             const std::string recipe = std::get<1>(test.param);
                             return name_of(std::get<0>(test.param)) +
                                    (recipe == "jacobi" ? "Jacobi" : "GaussSeidel");
                         });

} // namespace
} // namespace rubato::test::clocked_controller
