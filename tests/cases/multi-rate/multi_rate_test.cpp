// SPDX-License-Identifier: Apache-2.0
#include "support/run_scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rubato::test {
namespace {

using Overrides = std::vector<scenario::Override>;
using testing::DoubleNear;
using testing::Pointwise;

constexpr const char* file = CASES "/multi-rate/scenario.yaml";

Overrides joined(Overrides a, const Overrides& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Overrides steps(double all, double slow) {
    return {{"experiment.step", std::to_string(all)}, {"units.slow.step", std::to_string(slow)}};
}

Overrides approximated(const std::string& approximation) {
    return {{"units.fast.inputs.u.approximation", approximation},
            {"units.slow.inputs.u.approximation", approximation}};
}

double error(const Overrides& overrides) {
    const Trajectories run = run_scenario(file, overrides);
    double largest = 0;
    for (std::size_t i = 0; i < run.at("time").size(); ++i)
        largest = std::max(largest, std::abs(run.at("fast.y")[i] - std::cos(run.at("time")[i])));
    return std::max(largest, std::abs(run.at("slow.y").back() - std::sin(2)));
}

class Rates : public testing::TestWithParam<Overrides> {};

TEST_P(Rates, ErrorFallsWithTheStepsWhenInputsAreHeld) {
    const double coarse = error(joined(GetParam(), steps(0.01, 0.1)));
    const double fine = error(joined(GetParam(), steps(0.005, 0.05)));
    EXPECT_NEAR(std::log2(coarse / fine), 1, 0.1);
}

TEST_P(Rates, ErrorFallsWithTheirSquareWhenInputsAreLines) {
    const Overrides lines = joined(GetParam(), approximated("linear"));
    const double coarse = error(joined(lines, steps(0.01, 0.1)));
    const double fine = error(joined(lines, steps(0.005, 0.05)));
    EXPECT_LT(coarse, 0.01);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.25);
}

TEST_P(Rates, ErrorIsThatOfTheLongerStep) {
    const Overrides lines = joined(GetParam(), approximated("linear"));
    const double coarse = error(joined(lines, steps(0.001, 0.1)));
    const double fine = error(joined(lines, steps(0.001, 0.05)));
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.25);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Rates,
                         testing::Values(Overrides{{"algorithm.recipe", "jacobi"}},
                                         Overrides{{"algorithm.recipe", "gauss-seidel"},
                                                   {"algorithm.order", "[fast, slow]"}},
                                         Overrides{{"algorithm.recipe", "gauss-seidel"},
                                                   {"algorithm.order", "[slow, fast]"}},
                                         Overrides{{"algorithm.recipe", "iterated-jacobi"},
                                                   {"algorithm.relative-tolerance", "1e-10"}}));

TEST(MultiRate, HeldInputsGiveTheRecursionOfLibcosim) {
    constexpr int ratio = 10, count = 200;
    constexpr double H = 0.01;
    std::vector<double> x = {1}, y = {0};
    double ahead = 0, seen = 0; // the output at the end of the long step, and the one before
    for (int n = 0; n < count; ++n) {
        if (n % ratio == 0) {
            seen = ahead;
            ahead += ratio * H * x.back();
        }
        x.push_back(x.back() - H * seen);
        y.push_back((n + 1) % ratio == 0 ? ahead : seen);
    }
    const Trajectories run = run_scenario(file);
    EXPECT_THAT(run.at("fast.y"), Pointwise(DoubleNear(1e-12), x));
    EXPECT_THAT(run.at("slow.y"), Pointwise(DoubleNear(1e-12), y));
}

TEST(MultiRate, AStepAsLongAsThatOfTheCommunicationChangesNoBit) {
    const Trajectories expected = run_scenario(
        file, {}, [](scenario::Scenario& scenario) { scenario.units[1].step.reset(); });
    EXPECT_EQ(run_scenario(file, {{"units.slow.step", "0.01"}}), expected);
}

TEST(MultiRate, AFractionOfTheStepIsSubSteps) {
    for (const std::string approximation : {"constant", "linear"}) {
        const Overrides common = joined(approximated(approximation), {{"experiment.step", "0.1"}});
        const Trajectories own = run_scenario(file, joined(common, {{"units.slow.step", "0.01"}}));
        const Trajectories cut = run_scenario(file, common, [](scenario::Scenario& scenario) {
            scenario.units[1].step.reset();
            scenario.units[1].sub_steps = 10;
        });
        // Parts hold their inputs; steps of its own give them their slope.
        const double tolerance = approximation == "constant" ? 1e-12 : 6e-3;
        EXPECT_THAT(own.at("slow.y"), Pointwise(DoubleNear(tolerance), cut.at("slow.y")));
    }
}

TEST(MultiRate, AnyRatioConvergesAlike) {
    for (const double slow : {0.03, 0.015, 0.025, 0.0317}) {
        EXPECT_LT(error(joined(approximated("linear"), steps(0.01, slow))), 1e-3) << slow;
    }
}

/// Steps end at the times of the rows, too.
TEST(MultiRate, TheStepsOfTheOthersMayVary) {
    const Overrides rows = {{"record.interval", "0.037"}, {"units.slow.step", "0.02"}};
    EXPECT_LT(error(joined(approximated("linear"), rows)), 1e-3);
}

TEST(MultiRate, FmusGiveTheBitsOfNativeModels) {
    for (const std::string approximation : {"constant", "linear", "quadratic"}) {
        const Overrides settings = joined(approximated(approximation), steps(0.01, 0.05));
        const Trajectories native = run_scenario(file, settings);
        for (const std::string version : {"fmi2", "fmi3"}) {
            const Trajectories fmus =
                run_scenario(file, settings, [&](scenario::Scenario& scenario) {
                    for (scenario::Unit& unit : scenario.units)
                        unit.origin = scenario::FmuFile{FMUS "/" + version + "/integrator.fmu"};
                });
            EXPECT_EQ(fmus, native) << version << ", " << approximation;
        }
    }
}

/// The slow unit as a scenario of its own.
TEST(MultiRate, AScenarioAsAUnitHasItsOwnStep) {
    const Trajectories plain = run_scenario(file);
    const Trajectories nested = run_scenario(file, {}, [](scenario::Scenario& scenario) {
        scenario::Unit& slow = scenario.units[1];
        auto inner = std::make_shared<scenario::Scenario>();
        inner->name = "inner";
        inner->experiment = {.stop = 2, .step = 0.1};
        inner->units = {slow};
        inner->units[0].step.reset();
        inner->interface.emplace();
        inner->interface->inputs = {{"u", {"slow.u"}, {}}};
        inner->interface->outputs = {{"y", {"slow.y"}, {}}};
        slow.origin = scenario::NestedScenario{.file = {}, .scenario = std::move(inner)};
    });
    EXPECT_THAT(nested.at("fast.y"), Pointwise(DoubleNear(1e-12), plain.at("fast.y")));
}

} // namespace
} // namespace rubato::test
