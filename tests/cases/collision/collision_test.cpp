// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"
#include "support/run_scenario.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rubato::test::collision {
namespace {

constexpr auto file = CASES "/collision/scenario.yaml";
constexpr double tolerance = 1e-6, m1 = 1, m2 = 3;

class ElasticCollision : public testing::TestWithParam<std::tuple<Form, const char*>> {
protected:
    static Trajectories run(const std::vector<scenario::Override>& overrides = {}) {
        const auto [form, recipe] = GetParam();
        std::vector<scenario::Override> all = {{"algorithm.recipe", recipe}};
        all.insert(all.end(), overrides.begin(), overrides.end());
        return run_scenario(file, all, [&name = form](scenario::Scenario& scenario) {
            use(name, scenario);
            if (name == Form::solved) scenario.experiment.tolerance = 1e-10;
        });
    }
};

double sum(const Trajectories& run, const std::string& what, std::size_t row) {
    return run.at("left." + what)[row] + run.at("right." + what)[row];
}

TEST_P(ElasticCollision, KeepsEnergyAlways) {
    const Trajectories result = run();
    EXPECT_EQ(result.at("collision.hits").back(), 3);
    const double initial = sum(result, "energy", 0);
    for (std::size_t i = 1; i < result.at("time").size(); ++i)
        EXPECT_NEAR(sum(result, "energy", i), initial, 10 * tolerance) << result.at("time")[i];
}

/// Without springs the closed form is v₁' = v₁ - push/m₁, v₂' = v₂ + push/m₂ from one hit on.
TEST_P(ElasticCollision, KeepsMomentumOfFreeBodies) {
    const Trajectories result = run({{"units.left.parameters.c", "0"},
                                     {"units.right.parameters.c", "0"},
                                     {"units.left.start.v", "1"},
                                     {"units.right.start.v", "-0.2"}});
    constexpr double gap = 1.6 - 0.2, v1 = 1, v2 = -0.2;
    constexpr double hit = gap / (v1 - v2);
    constexpr double push = 2 * m1 * m2 / (m1 + m2) * (v1 - v2);
    const auto& time = result.at("time");
    for (std::size_t i = 0; i < time.size(); ++i) {
        EXPECT_NEAR(sum(result, "momentum", i), m1 * v1 + m2 * v2, 1e-9) << time[i];
        EXPECT_EQ(result.at("collision.hits")[i], time[i] < hit ? 0 : 1) << time[i];
        if (std::abs(time[i] - hit) <= tolerance) continue;
        const double taken = time[i] < hit ? 0 : push;
        EXPECT_NEAR(result.at("left.v")[i], v1 - taken / m1, 1e-9) << time[i];
        EXPECT_NEAR(result.at("right.v")[i], v2 + taken / m2, 1e-9) << time[i];
    }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, ElasticCollision,
    testing::Combine(testing::Values(Form::native, Form::fmi2, Form::fmi3, Form::solved),
                     testing::Values("waveform-gauss-seidel", "waveform-jacobi")),
    [](const auto& test) {
        const std::string recipe = std::get<1>(test.param);
        return name_of(std::get<0>(test.param)) +
               (recipe == "waveform-jacobi" ? "Jacobi" : "GaussSeidel");
    });

} // namespace
} // namespace rubato::test::collision
