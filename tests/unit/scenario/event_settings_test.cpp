// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <gmock/gmock.h>

namespace rubato::scenario::testing {
namespace {

using ::testing::HasSubstr;

/// The output "y" is discrete.
UnitDescription deciding(bool can_go_back = true) {
    UnitDescription description = two_port();
    description.capabilities.snapshots = can_go_back;
    description.capabilities.variable_step = true;
    description.variables[2].variability = Variability::discrete;
    return description;
}

Resolved resolved(const std::string& settings, const UnitDescription& a = deciding()) {
    return resolve_text("rubato: 1\nunits: {a: {model: m}, b: {model: m}}\n" + settings +
                            "\nconnections: [a.y -> b.u, a.z -> b.w]\n",
                        {a, deciding()});
}

TEST(EventSettings, MakeSense) {
    EXPECT_THAT(resolved("events: {tolerance: 1}").problems(),
                HasSubstr("s.yaml:3: events.tolerance is 1\n  it must be positive and at most "
                          "experiment.step, which is 0.01"));
    EXPECT_THAT(resolved("events: {limit: 0}").problems(), HasSubstr("events.limit is 0"));
    EXPECT_THAT(resolved("events: {crossings: [a.z >> 3]}").problems(),
                HasSubstr("events.crossings: \"a.z >> 3\" is no condition\n  write it as "
                          "tank.level > 0.5"));
    EXPECT_THAT(resolved("events: {crossings: [a.zz > 3]}").problems(),
                HasSubstr("unit \"a\" has no output \"zz\""));
    EXPECT_THAT(resolved("events: {locate: never, crossings: [a.z > 3]}").problems(),
                HasSubstr("events.crossings are not looked at: locate is never"));
}

TEST(EventSettings, DiscreteOutputsThatFeedOthersAreWatchedWhereEventsAreWanted) {
    EXPECT_TRUE(resolved("").system.watched.empty());
    EXPECT_FALSE(resolved("").system.ends_steps_at_events);
    for (const char* wish : {"events: always", "algorithm: waveform-jacobi"}) {
        const Resolved result = resolved(wish);
        EXPECT_EQ(result.problems(), "") << wish;
        ASSERT_EQ(result.system.watched.size(), 1u) << wish;
        EXPECT_EQ(result.system.name_of(result.system.watched[0].output), "a.y") << wish;
        EXPECT_TRUE(result.system.ends_steps_at_events) << wish;
    }
    const Resolved crossing = resolved("events: {crossings: [a.z < 3]}");
    ASSERT_EQ(crossing.system.watched.size(), 2u);
    EXPECT_EQ(crossing.system.watched[0].crossing->value, 3);
}

TEST(EventSettings, WithoutAWayBackTheLatenessOfEventsIsTold) {
    const Resolved fixed = resolved("events: always", deciding(false));
    EXPECT_FALSE(fixed.system.ends_steps_at_events);
    EXPECT_EQ(fixed.system.watched.size(), 1u);
    EXPECT_THAT(fixed.problems(),
                HasSubstr("events cannot be located: unit \"a\" cannot go back; they are found at "
                          "the end of the step in which they happen, up to 0.01 s late"));
    const Resolved adapted = resolved(
        "events: always\nstep-control: {controller: predictor, maximum: 0.5}", deciding(false));
    EXPECT_THAT(adapted.problems(), HasSubstr("up to 0.5 s late"));
}

TEST(EventSettings, WithoutAWayBackCrossingsArePredicted) {
    const std::string crossing = "events: {crossings: [a.z < 3]}";
    UnitDescription one_way = deciding(false);
    one_way.variables[2].variability = Variability::continuous;
    const Resolved predicted = resolved(crossing, one_way);
    EXPECT_EQ(predicted.problems(), "");
    EXPECT_TRUE(predicted.system.predicts_crossings);
    EXPECT_FALSE(predicted.system.ends_steps_at_events);
    EXPECT_THAT(predicted.said(),
                HasSubstr("note: crossings are predicted: unit \"a\" cannot go back"));

    const Resolved located = resolved(crossing);
    EXPECT_FALSE(located.system.predicts_crossings);
    EXPECT_TRUE(located.system.ends_steps_at_events);
    const Resolved wanted = resolved("events: {locate: predict, crossings: [a.z < 3]}");
    EXPECT_TRUE(wanted.system.predicts_crossings);
    EXPECT_FALSE(wanted.system.ends_steps_at_events);
    EXPECT_EQ(wanted.problems(), "");
}

TEST(EventSettings, WhatCannotBePredictedIsTold) {
    EXPECT_THAT(resolved("events: predict").problems(),
                HasSubstr("events.locate is predict, but there are no crossings"));
    UnitDescription rigid = deciding();
    rigid.capabilities.variable_step = false;
    EXPECT_THAT(resolved("events: {locate: predict, crossings: [a.z < 3]}", rigid).problems(),
                HasSubstr("crossings cannot be predicted: unit \"a\" cannot vary its step"));
}

TEST(EventSettings, ThresholdsOfConnectionsAreCrossings) {
    UnitDescription b = deciding();
    b.variables[1].type = ValueType::boolean;
    const Resolved result =
        resolve_text("rubato: 1\nunits: {a: {model: m}, b: {model: m}}\nevents: always\n"
                     "connections:\n  - a.z -> b.w: {threshold: 3, factor: -2, offset: 1}\n",
                     {deciding(), b});
    EXPECT_EQ(result.problems(), "");
    ASSERT_EQ(result.system.watched.size(), 1u);
    EXPECT_EQ(result.system.watched[0].crossing->relation, Relation::falls_below);
    EXPECT_EQ(result.system.watched[0].crossing->value, -1);
}

TEST(StepLimitSettings, MakeSense) {
    const auto problems = [](const std::string& limits) {
        return resolved("step-limits: {" + limits + "}").problems();
    };
    EXPECT_EQ(problems("changes: [{of: a.z, absolute: 0.1}, {of: a.z, minus: b.z, relative: 1}]"),
              "");
    EXPECT_EQ(problems("sampling: [{period: 0.1}, {period: 1, start: -3}]"), "");
    EXPECT_EQ(problems("changes: [{of: a.zz, absolute: 0.1}]"),
              "s.yaml:3: unit \"a\" has no output \"zz\"\n"
              "  did you mean \"z\"? its outputs are: y, z\n");
    EXPECT_THAT(problems("changes: [{of: a.y, absolute: 0.1}]"),
                HasSubstr("a.y is discrete: however short a step is, it changes all at once"));
    EXPECT_THAT(problems("changes: [{of: z, absolute: 0.1}]"), HasSubstr("\"z\" is no output"));
    EXPECT_THAT(problems("changes: [{of: a.z}]"), HasSubstr("the limit of a.z lacks its amount"));
    EXPECT_THAT(problems("changes: [{of: a.z, absolute: 0}]"),
                HasSubstr("absolute of the limit of a.z is 0: it must be positive"));
    EXPECT_THAT(problems("sampling: [{period: 0}]"), HasSubstr("is 0\n  it must be positive"));
    EXPECT_THAT(problems("sampling: [{period: 1e-12}]"), HasSubstr("less than a millionth"));
}

TEST(StepLimitSettings, NeedUnitsThatCanVaryTheirSteps) {
    UnitDescription rigid = deciding();
    rigid.capabilities.variable_step = false;
    EXPECT_THAT(resolved("step-limits: {sampling: [{period: 0.1}]}", rigid).problems(),
                HasSubstr("steps cannot be limited: unit \"a\" cannot vary its step"));
    EXPECT_THAT(
        resolved("step-limits: {changes: [{of: a.z, absolute: 0.1}]}", deciding(false)).problems(),
        HasSubstr("warning: limits of changes may be exceeded: unit \"a\" cannot go back"));
}

TEST(StepLimitSettings, AreReadWithTheirPlaces) {
    EXPECT_EQ(said_of("step-limits: {chnages: []}\n"),
              "s.yaml:3: unknown key \"step-limits.chnages\"\n"
              "  did you mean \"changes\"? the keys of step-limits are: changes, sampling\n");
    EXPECT_EQ(said_of("step-limits:\n  changes:\n    - {absolute: 1}\n"),
              "s.yaml:5: an item of step-limits.changes lacks its output\n"
              "  write {of: tank.level, absolute: 0.01}\n");
    EXPECT_EQ(said_of("step-limits:\n  sampling:\n    - {start: 1}\n"),
              "s.yaml:5: an item of step-limits.sampling lacks its period\n"
              "  write {period: 0.1}, or {period: 0.1, start: 0.05}: [s]\n");
}

} // namespace
} // namespace rubato::scenario::testing
