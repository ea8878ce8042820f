// SPDX-License-Identifier: Apache-2.0
// Communication steps that a unit gives (Gomes 2016, section 3.1).
#include "support/error_text.hpp"
#include "transformed/transformed.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace rubato::test {
namespace {

using scenario::StepController;
using testing::AllOf;
using testing::HasSubstr;

const std::string fmus = FMUS;
const std::vector accuracy = {transform::Concern::accuracy};

/// Two masses with a bond between them, as native units, or as FMUs that cannot be rolled back.
std::string masses(const std::string& control, bool can_roll_back, const std::string& more = "") {
    const auto origin = [&](const std::string& model) {
        return can_roll_back ? "model: " + model : "fmu: " + fmus + "/fmi1/" + model + ".fmu";
    };
    return "rubato: 1\nunits:\n  msd1: {" + origin("msd1") +
           ", parameters: {m1: 1.0, c1: 1.0, d1: 0.1}, start: {x1: 1.0}}\n  msd2: {" +
           origin("msd2") + R"(, parameters: {m2: 1.0, c2: 1.0, d2: 0.1, cc: 2.0, dc: 0.2}}
connections:
  - msd1.x1 -> msd2.x1
  - msd1.v1 -> msd2.v1
  - msd2.Fc -> msd1.Fc
bonds: {spring: {effort: msd2.Fc -> msd1.Fc, flow: msd1.v1 -> msd2.v1}}
experiment: {stop: 8, step: 0.01}
algorithm: jacobi
record: [msd1.x1, msd1.v1, msd2.x2, msd2.Fc]
step-control: )" +
           control + "\n" + more;
}

class SteppingUnit : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(SteppingUnit, GivesTheStepsOfTheBuiltInControllerBitByBit) {
    Transformer transformer;
    const auto& [control, interval] = GetParam();
    std::vector<scenario::Override> overrides;
    if (!interval.empty()) overrides.push_back({"record.interval", interval});
    const scenario::Scenario direct = transformer.parse(masses(control, false), overrides);
    const pipeline::Transformed transformed = transformer.transform(direct, accuracy);
    ASSERT_TRUE(transformed.stages[0].is_present);
    EXPECT_EQ(transformed.scenario.experiment.step_output, "step-size.H");
    EXPECT_EQ(transformed.scenario.step_control.controller, StepController::fixed);
    const Trajectories expected = transformer.run(direct);
    EXPECT_GT(expected.at("time").size(), 30u);
    EXPECT_EQ(transformer.run(transformed.scenario), expected);
    EXPECT_EQ(transformer.run(transformer.rewritten(transformed)), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Of, SteppingUnit,
    testing::Combine(testing::Values("{controller: predictor, tolerance: 1.0e-2}",
                                     "{controller: predictor, tolerance: 1.0e-3, safety: 0.8, "
                                     "growth: 1.5, maximum: 0.05}",
                                     "{controller: energy, tolerance: 1.0e-2}"),
                     testing::Values("", "0.3")),
    [](const auto& test) { return "n" + std::to_string(test.index); });

/// A unit that can be rolled back changes nothing, where no step is repeated.
TEST(StepSize, FollowsTheBuiltInControllerOfUnitsThatCanBeRolledBack) {
    Transformer transformer;
    const scenario::Scenario direct = transformer.parse(
        masses("{controller: predictor, tolerance: 5.0e-2, safety: 0.5, growth: 1.1}", true));
    Diagnostics diagnostics;
    const auto assembly = pipeline::assemble(direct, transformer.library(), diagnostics);
    auto simulation = pipeline::build(assembly, transformer.library(), silent_log());
    ASSERT_EQ(simulation.run({}).repeated, 0u);
    const pipeline::Transformed transformed = transformer.transform(direct, accuracy);
    EXPECT_EQ(transformer.run(transformed.scenario), transformer.run(direct));
}

/// x' = -k x: the length of the next step.
std::string steps_by(const std::string& sh, const std::string& experiment = "") {
    return "rubato: 1\nunits:\n  sh: " + sh +
           "\n  a: {model: oscillator}\nexperiment: {stop: 1, step: sh.x" + experiment +
           "}\nalgorithm: jacobi\n";
}

void expect_steps_of_output(const std::string& scenario) {
    Transformer transformer;
    const Trajectories run = transformer.run(transformer.parse(scenario));
    const auto& t = run.at("time");
    const auto& given = run.at("sh.x");
    ASSERT_GT(t.size(), 10u);
    EXPECT_EQ(t.back(), 1);
    for (std::size_t i = 0; i + 3 < t.size(); ++i) EXPECT_EQ(t[i + 1], t[i] + given[i]);
    EXPECT_LT(given.back(), 0.7 * given.front()); // it changes
}

TEST(StepOutput, MayBeThatOfAnFmu) {
    for (const char* const version : {"fmi1", "fmi2", "fmi3"})
        expect_steps_of_output(
            steps_by("{fmu: " + fmus + "/" + version + "/dahlquist.fmu, start: {x: 0.1}}"));
}

TEST(StepOutput, MayBeThatOfANativeUnit) {
    expect_steps_of_output(steps_by("{model: dahlquist, start: {x: 0.1}}"));
}

TEST(StepOutput, MayBeThatOfAComposite) {
    expect_steps_of_output(steps_by(
        "{scenario: {units: {inner: {model: dahlquist, start: {x: 0.1}}}, interface: {outputs: "
        "{x: inner.x}}}}"));
}

std::string failure(const std::string& scenario) {
    return error_of<std::exception>([&] {
        Transformer transformer;
        (void)transformer.run(transformer.parse(scenario));
    });
}

TEST(StepOutput, ThatGivesNoStepIsNamedWithUnitAndTime) {
    const auto with_start = [](const std::string& x) {
        return steps_by("{model: dahlquist, start: {x: " + x + "}}");
    };
    for (const char* const bad : {"0", "-0.1", "1.0e-30"})
        EXPECT_THAT(failure(with_start(bad)),
                    AllOf(HasSubstr("unit \"sh\" gives a communication step of"),
                          HasSubstr("output \"x\"")))
            << bad;
    EXPECT_THAT(failure(steps_by("{model: dahlquist, start: {x: 0.1}, parameters: {k: -1}}",
                                 ", maximum-step: 0.15")),
                AllOf(HasSubstr("unit \"sh\" gives a communication step of 0.16"),
                      HasSubstr("at t = 0."), HasSubstr("experiment.maximum-step is 0.15")));
    EXPECT_THAT(failure(steps_by("{model: dahlquist, start: {x: 0.1}, parameters: {k: 1.0e+308}}")),
                AllOf(HasSubstr("unit \"sh\": output \"x\" is"), HasSubstr("nan at t = 0.1 s")));
    // What lies beyond the stop is shortened.
    EXPECT_EQ(failure(with_start("7")), "");
}

TEST(StepOutput, MustBeAContinuousRealOutput) {
    const auto with = [](const std::string& units, const std::string& output) {
        return failure("rubato: 1\nunits:\n" + units + "experiment: {stop: 1, step: " + output +
                       "}\n");
    };
    const std::string a = "  a: {model: dahlquist}\n";
    EXPECT_THAT(with(a, "sh.H"), HasSubstr("the scenario has no unit \"sh\""));
    EXPECT_THAT(with(a, "a.y"), AllOf(HasSubstr("unit \"a\" has no output \"y\""), HasSubstr("x")));
    EXPECT_THAT(with(a, "often"), HasSubstr("experiment.step"));
    EXPECT_THAT(with(a + "  r: {model: relay}\n", "r.closed"),
                HasSubstr("cannot give experiment.step"));
    EXPECT_THAT(failure(steps_by("{model: dahlquist, start: {x: 0.1}}") +
                        "step-control: {controller: predictor}\n"),
                HasSubstr("chooses steps, too"));
}

TEST(StepSize, IsNotMadeWhereItCannotBe) {
    Transformer transformer;
    const auto refusal = [&](const std::string& text) {
        return error_of<std::exception>(
            [&] { (void)transformer.transform(transformer.parse(text), accuracy); });
    };
    EXPECT_THAT(refusal(masses("{controller: richardson}", true)),
                HasSubstr("twice from the same state"));
    EXPECT_THAT(refusal(masses("{controller: predictor}", true,
                               "machines: {left: [msd1], right: [msd2]}\n")),
                HasSubstr("machines exchange values with a fixed step"));
    EXPECT_THAT(refusal(masses("{controller: predictor}", true,
                               "events: {locate: always, crossings: [msd1.x1 > 0]}\n")),
                HasSubstr("there are events"));
}

TEST(StepSize, OfStepsThatAreFixedIsNotMade) {
    Transformer transformer;
    const auto transformed =
        transformer.transform(transformer.parse(masses("fixed", true)), accuracy);
    EXPECT_FALSE(transformed.stages[0].is_present);
    EXPECT_EQ(transformed.scenario.units.size(), 2u);
}

} // namespace
} // namespace rubato::test
