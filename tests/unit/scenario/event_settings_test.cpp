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

} // namespace
} // namespace rubato::scenario::testing
