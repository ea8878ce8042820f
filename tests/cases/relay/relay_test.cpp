// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"
#include "support/run_scenario.hpp"

#include <gmock/gmock.h>

namespace rubato::test::relay {
namespace {

constexpr auto file = CASES "/relay/scenario.yaml";

class Chattering : public testing::TestWithParam<Form> {
protected:
    static Trajectories run(const std::vector<scenario::Override>& overrides = {}) {
        return run_scenario(file, overrides,
                            [](scenario::Scenario& scenario) { use(GetParam(), scenario); });
    }
};

TEST_P(Chattering, IsReportedWithTheUnitsInvolved) {
    try {
        run();
        FAIL() << "it went on";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("relay"));
        EXPECT_THAT(error.what(), testing::HasSubstr("t = 1"));
    }
}

TEST_P(Chattering, IsNoneWithHysteresis) {
    const Trajectories result = run({{"units.relay.parameters.lower", "-0.1"}});
    EXPECT_NEAR(result.at("time").back(), 2, 1e-12);
    for (const double x : result.at("x.y")) EXPECT_GT(x, -0.1001);
}

INSTANTIATE_TEST_SUITE_P(Of, Chattering,
                         testing::Values(Form::native, Form::fmi2, Form::fmi3, Form::solved),
                         [](const auto& test) { return name_of(test.param); });

} // namespace
} // namespace rubato::test::relay
