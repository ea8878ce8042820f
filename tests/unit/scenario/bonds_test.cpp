// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <rubato/core/measure.hpp>

#include <gmock/gmock.h>

namespace rubato::scenario::testing {
namespace {

using ::testing::HasSubstr;

constexpr auto connections = "connections: [a.y -> b.u, b.y -> a.u, a.z -> b.w]\n";

UnitDescription measured(const char* unit) {
    UnitDescription description = two_port();
    description.variables[2].unit = unit;
    description.variables[2].measure = find_measure(unit);
    return description;
}

std::string problems_of(const std::string& bond) {
    return resolve_two(connections + ("bonds: {spring: {" + bond + "}}\n")).problems();
}

TEST(Bonds, AreReadAndWritten) {
    const Parsed parsed =
        parse("rubato: 1\nunits: {a: {model: m}, b: {model: m}}\nbonds:\n  spring: "
              "{effort: a.y -> b.u, flow: b.y -> a.u}\n");
    EXPECT_EQ(parsed.said(), "");
    ASSERT_EQ(parsed.scenario.bonds.size(), 1u);
    EXPECT_EQ(parsed.scenario.bonds[0].name, "spring");
    EXPECT_EQ(parsed.scenario.bonds[0].effort.to_port, "u");
    EXPECT_EQ(parse(write_yaml(parsed.scenario)).scenario.bonds[0].flow.from_unit, "b");
}

TEST(Bonds, HaveTwoHalves) {
    EXPECT_THAT(
        parse("rubato: 1\nunits: {a: {model: m}}\nbonds: {s: {effort: a.y -> b.u}}\n").said(),
        HasSubstr("s.yaml:3: bonds.s lacks flow\n  a bond is a pair of connections"));
}

TEST(Bonds, AreMadeOfConnectionsInOppositeDirections) {
    EXPECT_EQ(problems_of("effort: a.y -> b.u, flow: b.y -> a.u"), "");
    EXPECT_THAT(problems_of("effort: a.y -> b.u, flow: b.z -> a.u"),
                HasSubstr("s.yaml:6: bond \"spring\": its flow is b.z -> a.u, which is no "
                          "connection\n  did you mean \"b.y -> a.u\"?"));
    EXPECT_THAT(problems_of("effort: a.y -> b.u, flow: a.z -> b.w"),
                HasSubstr("do not join two units in opposite directions"));
}

TEST(Bonds, SeeTheSamePowerOnBothSides) {
    const auto scaled = [](const char* effort, const char* flow) {
        return resolve_two(std::string("connections: [a.y -> b.u: {") + effort +
                           "}, b.y -> a.u: {" + flow +
                           "}]\nbonds: {s: {effort: a.y -> b.u, flow: b.y -> a.u}}\n")
            .problems();
    };
    EXPECT_EQ(scaled("factor: 3", "factor: 3"), "");
    EXPECT_EQ(scaled("factor: -1", "factor: 1"), "");
    EXPECT_THAT(scaled("factor: 3", "factor: 1"),
                HasSubstr("the two sides do not see the same power: the effort is scaled by 3 with "
                          "offset 0, the flow by 1 with offset 0"));
    EXPECT_THAT(scaled("offset: 1", "factor: 1"), HasSubstr("do not see the same power"));
}

TEST(Bonds, MultiplyToAPower) {
    const auto of_units = [](const char* effort, const char* flow) {
        return resolve_text("rubato: 1\nunits: {a: {model: m}, b: {model: m}}\n"
                            "connections: [a.y -> b.u, b.y -> a.u]\n"
                            "bonds: {s: {effort: a.y -> b.u, flow: b.y -> a.u}}\n",
                            {measured(effort), measured(flow)});
    };
    const Resolved force = of_units("kN", "m/s");
    EXPECT_EQ(force.problems(), "");
    ASSERT_EQ(force.system.bonds.size(), 1u);
    EXPECT_EQ(force.system.bonds[0].parts[0].factor, 1000);
    EXPECT_TRUE(force.system.bonds[0].is_measured);
    EXPECT_EQ(of_units("N.m", "rad/s").problems(), "");
    EXPECT_EQ(of_units("V", "A").problems(), "");
    EXPECT_THAT(of_units("N", "m").problems(),
                HasSubstr("bond \"s\": effort (N) times flow (m) is kg.m2/s2, not a power"));
}

UnitDescription able(bool goes_back, bool varies = true) {
    UnitDescription description = two_port();
    description.capabilities.snapshots = goes_back;
    description.capabilities.variable_step = varies;
    return description;
}

std::string problems_of_control(const std::string& control, const UnitDescription& a = able(true),
                                const std::string& rest = connections) {
    return resolve_text("rubato: 1\nunits: {a: {model: m}, b: {model: m}}\nstep-control: " +
                            control + "\n" + rest,
                        {a, able(true)})
        .problems();
}

TEST(StepControlSettings, MakeSense) {
    EXPECT_EQ(problems_of_control("predictor"), "");
    EXPECT_EQ(problems_of_control("{controller: richardson, tolerance: 1.0e-6, minimum: 1.0e-6}"),
              "");
    EXPECT_THAT(problems_of_control("{tolerance: 0}"),
                HasSubstr("s.yaml:3: step-control.tolerance is 0\n  it must lie between 0 and 1"));
    EXPECT_THAT(problems_of_control("{minimum: 1}"), HasSubstr("step-control.minimum is 1"));
    EXPECT_THAT(problems_of_control("{maximum: 0.001}"),
                HasSubstr("step-control.maximum is 0.001"));
    EXPECT_THAT(problems_of_control("{safety: 2}"), HasSubstr("step-control.safety is 2"));
    EXPECT_THAT(problems_of_control("{growth: 1}"), HasSubstr("step-control.growth is 1"));
    EXPECT_THAT(problems_of_control("{shrinking: 1}"), HasSubstr("step-control.shrinking is 1"));
}

TEST(StepControlSettings, NameUnitsThatCannotDoWhatIsAskedOfThem) {
    EXPECT_THAT(problems_of_control("richardson", able(false)),
                HasSubstr("step-control.controller is richardson, but unit \"a\" cannot go back\n"
                          "  predictor needs no way back"));
    EXPECT_EQ(problems_of_control("predictor", able(false)), "");
    EXPECT_THAT(problems_of_control("predictor", able(true, false)),
                HasSubstr("the step cannot be adapted: unit \"a\" cannot vary its step\n"
                          "  use controller: fixed"));
}

TEST(StepControlSettings, GoWithAnOrderThatAdapts) {
    EXPECT_EQ(problems_of_control("predictor", able(true),
                                  std::string(connections) + "algorithm: adaptive-gauss-seidel\n"),
              "");
    EXPECT_THAT(
        problems_of_control("richardson", able(true),
                            std::string(connections) + "algorithm: adaptive-gauss-seidel\n"),
        HasSubstr("step-control.controller is richardson, but the order adapts, too"));
}

TEST(StepControlSettings, HaveNoEffectOnFixedSteps) {
    EXPECT_EQ(problems_of_control("fixed"), "");
    EXPECT_EQ(problems_of_control("{tolerance: 1.0e-5, at-minimum: accept}"),
              "s.yaml:3: warning: step-control.tolerance has no effect: the controller is fixed\n"
              "  give a controller that adapts the step, or leave it out\n"
              "s.yaml:3: warning: step-control.at-minimum has no effect: the controller is fixed\n"
              "  give a controller that adapts the step, or leave it out\n");
}

TEST(StepControlSettings, NeedSomethingToJudgeBy) {
    EXPECT_THAT(problems_of_control("energy"), HasSubstr("the scenario has no power bonds"));
    EXPECT_THAT(problems_of_control("predictor", able(true), ""),
                HasSubstr("no continuous reals are exchanged"));
}

TEST(RecordingSettings, AreRecordedAtTimesOrEveryNthPoint) {
    EXPECT_THAT(resolve_two("record: {interval: 0}\n").problems(),
                HasSubstr("record.interval is 0: it must be positive"));
    EXPECT_THAT(resolve_two("record: {interval: 0.1, every: 2}\n").problems(),
                HasSubstr("record has both every and interval"));
    EXPECT_THAT(resolve_two("record: {bonds: true}\n").problems(),
                HasSubstr("record.bonds is true, but there are none"));
}

TEST(RecordingSettings, WarnOfStepsThatUnitsCannotVary) {
    const auto problems = [](const char* interval, bool varies) {
        return resolve_text(std::string("rubato: 1\nunits: {a: {model: m}}\n"
                                        "experiment: {step: 0.01}\nrecord: {interval: ") +
                                interval + "}\n",
                            {able(true, varies)})
            .problems();
    };
    EXPECT_EQ(problems("0.03", false), "");
    EXPECT_EQ(problems("0.025", true), "");
    EXPECT_EQ(problems("0.025", false),
              "s.yaml:4: warning: steps end at the times of record.interval, but unit \"a\" cannot "
              "vary its step\n"
              "  make the interval a multiple of experiment.step, which is 0.01\n");
}

} // namespace
} // namespace rubato::scenario::testing
