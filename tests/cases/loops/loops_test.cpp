// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"
#include "support/run_scenario.hpp"

#include <rubato/core/diagnostics.hpp>

#include <gmock/gmock.h>

namespace rubato::test::loops {
namespace {

using testing::Each;

const std::string folder = std::string(CASES) + "/loops/";

double force(double own, double other) { return 3 * (own - 3 * other) / (1 - 9); }

class SpringLoop : public testing::TestWithParam<Form> {
protected:
    static CompletedRun run(const std::string& method) {
        return completed_run(folder + "springs.yaml", {{"loops.method", method}},
                             [](scenario::Scenario& scenario) { use(GetParam(), scenario); });
    }
};

TEST_P(SpringLoop, IsSolvedByAllButPlainIteration) {
    EXPECT_THROW((void)run("plain"), Error);
    for (const char* method : {"automatic", "aitken", "iqn-ils", "newton"}) {
        const CompletedRun done = run(method);
        EXPECT_THAT(done.trajectories.at("a.F"), Each(testing::DoubleNear(force(1, 2), 1e-8)));
        EXPECT_THAT(done.trajectories.at("b.F"), Each(testing::DoubleNear(force(2, 1), 1e-8)));
    }
}

TEST_P(SpringLoop, NeedsNoIterationsForDerivativesThatAreTold) {
    const engine::Summary summary = run("newton").summary;
    ASSERT_EQ(summary.loops.size(), 2u);
    const engine::LoopWork& initial = summary.loops[1];
    EXPECT_EQ(initial.jacobians, 1u);
    EXPECT_EQ(initial.iterations, 2u);
    EXPECT_EQ(run("automatic").summary.loops[1].method, scenario::LoopMethod::newton);
}

INSTANTIATE_TEST_SUITE_P(Of, SpringLoop,
                         testing::Values(Form::native, Form::fmi2, Form::fmi3, Form::isolated,
                                         Form::solved),
                         [](const auto& test) { return name_of(test.param); });

TEST(SwitchedSpringLoop, IsSolvedAtEvents) {
    const Trajectories result = run_scenario(folder + "switched.yaml");
    const auto& u = result.at("controller.u");
    EXPECT_NEAR(u.back(), 3.5, 1e-12);
    for (std::size_t row = 0; row < u.size(); ++row) {
        EXPECT_NEAR(result.at("a.F")[row], force(u[row], 2), 1e-7) << result.at("time")[row];
        EXPECT_NEAR(result.at("b.F")[row], force(2, u[row]), 1e-7) << result.at("time")[row];
    }
}

TEST(SwitchedSpringLoop, DoesNotSettleByPlainIteration) {
    EXPECT_THAT(
        [] {
            (void)run_scenario(folder + "switched.yaml", {{"loops.method", "plain"}});
        },
        testing::Throws<Error>());
}

TEST(LoopsThroughValuesFromWithinSteps, AgreeWhateverTheMethod) {
    const auto run = [](const char* method) {
        return run_scenario(folder + "within.yaml", {{"loops.method", method}});
    };
    const Trajectories plain = run("plain");
    for (const char* method : {"automatic", "aitken", "iqn-ils", "newton"}) {
        const Trajectories result = run(method);
        for (const char* name : {"msd1.x1", "msd2.Fc"})
            EXPECT_THAT(result.at(name),
                        testing::Pointwise(testing::DoubleNear(1e-7), plain.at(name)))
                << method;
    }
}

} // namespace
} // namespace rubato::test::loops
