// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"
#include "support/run_scenario.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace rubato::test::self_feeding {
namespace {

std::string file(const char* name) { return std::string(CASES "/self-feeding/") + name; }

class SelfFeeding : public testing::TestWithParam<Form> {
protected:
    static Trajectories run(const char* name,
                            const std::vector<scenario::Override>& overrides = {}) {
        return run_scenario(file(name), overrides,
                            [](scenario::Scenario& scenario) { use(GetParam(), scenario); });
    }
};

void expect_powers(const std::vector<double>& values, double base, double tolerance) {
    ASSERT_EQ(values.size(), 9u);
    for (std::size_t n = 0; n < values.size(); ++n)
        EXPECT_NEAR(values[n], std::pow(base, static_cast<double>(n)), tolerance) << n;
}

TEST_P(SelfFeeding, DelayedInputsHoldTheValueOfTheStart) {
    for (const char* recipe : {"synthesized", "jacobi", "gauss-seidel"})
        expect_powers(run("decay.yaml", {{"algorithm", recipe}}).at("x.y"), 1 - 0.125, 1e-9);
}

TEST_P(SelfFeeding, ReactiveInputsHaveTheValueOfTheEnd) {
    for (const char* recipe : {"iterated-jacobi", "iterated-gauss-seidel", "waveform-jacobi"})
        expect_powers(run("decay.yaml", {{"algorithm", recipe}}).at("x.y"), 1 / (1 + 0.125), 1e-4);
}

TEST_P(SelfFeeding, StartEqualToStopRecordsOneRow) {
    const Trajectories result = run("decay.yaml", {{"experiment", "{start: 2, stop: 2}"}});
    EXPECT_THAT(result.at("time"), testing::ElementsAre(2.0));
    EXPECT_THAT(result.at("x.y"), testing::ElementsAre(1.0));
}

INSTANTIATE_TEST_SUITE_P(Of, SelfFeeding,
                         testing::Values(Form::native, Form::fmi2, Form::fmi3, Form::isolated,
                                         Form::solved),
                         [](const auto& test) { return name_of(test.param); });

/// Tolerances so wide that the loop ends after one iteration, of u := u/2 + 1.
TEST(SelfFeedingLoop, BeginsWithTheStartValueOfTheInput) {
    for (const Form form : {Form::native, Form::fmi3, Form::isolated}) {
        const auto first = [&](const char* start) {
            return run_scenario(file("loop.yaml"),
                                {{"units.f.start.float64_in", start},
                                 {"algorithm.absolute-tolerance", "100"},
                                 {"experiment", "{start: 0, stop: 0}"}},
                                [&](scenario::Scenario& scenario) { use(form, scenario); })
                .at("f.float64_out")
                .front();
        };
        EXPECT_EQ(first("10"), 10) << name_of(form);
        EXPECT_EQ(first("-6"), -6) << name_of(form);
    }
}

TEST(SelfFeedingLoop, IsSolvedAtEachInstant) {
    for (const Form form : {Form::native, Form::fmi3}) {
        const Trajectories result = run_scenario(
            file("loop.yaml"), {}, [&](scenario::Scenario& scenario) { use(form, scenario); });
        for (const double y : result.at("f.float64_out")) EXPECT_NEAR(y, 2, 1e-5);
    }
}

TEST(SelfFeedingLoop, IsSolvedWhereStopEqualsStart) {
    const Trajectories result = run_scenario(file("loop.yaml"), {{"experiment.stop", "0"}});
    ASSERT_EQ(result.at("f.float64_out").size(), 1u);
    EXPECT_NEAR(result.at("f.float64_out")[0], 2, 1e-5);
}

} // namespace
} // namespace rubato::test::self_feeding
