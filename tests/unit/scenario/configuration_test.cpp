// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

namespace rubato::scenario::testing {
namespace {

std::string in_two_configurations(const std::string& second) {
    return "configurations:\n  first: {}\n  second: {" + second + "}\n";
}

TEST(Condition, ReadsBackWhatItWrites) {
    for (const char* text : {"a.y", "a.y = 2", "a.level[1,2] > 0.5", "a.b.c < -1e-07"}) {
        const auto condition = parse_condition(text);
        ASSERT_TRUE(condition) << text;
        EXPECT_EQ(to_string(*condition), text);
    }
    EXPECT_EQ(to_string(*parse_condition("a.y = 1")), "a.y");
}

TEST(Condition, IsAnOutputOrAComparisonWithANumber) {
    for (const char* text : {"", "y", "a.y >", "a.y >= 1", "a.y > b.y", "a.y > 1 m", "a.y = 1x"})
        EXPECT_FALSE(parse_condition(text)) << text;
}

TEST(Configurations, TakeForceByTimeAndByOutputs) {
    const Resolved resolved = resolve_two(in_two_configurations("from: 2, when: b.z > 0.5"));
    EXPECT_EQ(resolved.problems(), "");
    const Configuration& second = resolved.system.configurations.at(1);
    EXPECT_EQ(second.from->seconds, 2);
    EXPECT_EQ(resolved.system.name_of(second.when->output), "b.z");
    EXPECT_EQ(second.when->relation, Relation::exceeds);
    EXPECT_EQ(second.when->value, 0.5);
}

TEST(Configurations, ConditionsNameOutputs) {
    EXPECT_EQ(resolve_two(in_two_configurations("when: b.zz")).problems(),
              "s.yaml:7: unit \"b\" has no output \"zz\"\n"
              "  did you mean \"z\"? its outputs are: y, z\n");
    EXPECT_EQ(resolve_two(in_two_configurations("when: bb.z")).problems(),
              "s.yaml:7: the scenario has no unit \"bb\"\n"
              "  did you mean \"b\"? its units are: a, b\n");
}

TEST(Configurations, TheFirstHasNoCondition) {
    EXPECT_EQ(resolve_two("configurations:\n  first: {from: 1}\n").problems(),
              "s.yaml:6: configuration \"first\" is the first and has a condition\n"
              "  the first one is in force when no other is: give the condition to the others\n");
}

} // namespace
} // namespace rubato::scenario::testing
