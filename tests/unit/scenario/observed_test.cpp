// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

namespace rubato::scenario::testing {
namespace {

std::string names_of(const Resolved& resolved, const UnitDescription& description = two_port()) {
    std::string names;
    for (const Observed& observed : resolved.system.observed) {
        names += resolved.system.unit(observed.unit).name + "." +
                 description.variables[observed.variable].name + " ";
    }
    return names;
}

TEST(Recorded, AreAllOutputsWhenNothingIsSaid) {
    EXPECT_EQ(names_of(resolve_two("")), "a.y a.z b.y b.z ");
}

TEST(Recorded, AreWhatPatternsMatchInTheirOrderAndOnce) {
    const Resolved resolved = resolve_two("record: [b.x, \"a.*\", \"*.y\", b.x, \"?.m\"]\n");
    EXPECT_EQ(resolved.problems(), "");
    EXPECT_EQ(names_of(resolved), "b.x a.u a.w a.y a.z a.m a.x b.y b.m ");
}

TEST(Recorded, AnExactNameGoesBeforeAPattern) {
    UnitDescription description = two_port();
    description.variables[5].name = "x*";
    description.variables[4].name = "x1";
    const Resolved resolved = resolve_one("record: [\"a.x*\"]\n", description);
    EXPECT_EQ(names_of(resolved, description), "a.x* ");
}

TEST(Recorded, UnknownNamesAreReported) {
    EXPECT_EQ(resolve_two("record: [c.x, a.xx, x]\n").problems(),
              "s.yaml:5: the scenario has no unit \"c\"\n"
              "  did you mean \"a\"? its units are: a, b\n"
              "s.yaml:5: unit \"a\" has no variable \"xx\"\n"
              "  did you mean \"x\"? its variables are: u, w, y, z, m, x\n"
              "s.yaml:5: the scenario has no unit \"x\"\n"
              "  did you mean \"a\"? its units are: a, b\n");
}

TEST(Recorded, PatternsThatMatchNothingAreReported) {
    EXPECT_EQ(resolve_two("record: [\"a.q*\", \"c*.x\"]\n").problems(),
              "s.yaml:5: no variable matches \"a.q*\"\n"
              "  a.* would match all variables of a\n"
              "s.yaml:5: no variable matches \"c*.x\"\n"
              "  names to record have the form unit.variable\n");
}

TEST(Recorded, AUnitIsNoVariable) {
    EXPECT_EQ(resolve_two("record: [a]\n").problems(), "s.yaml:5: \"a\" is a unit, not a variable\n"
                                                       "  a.* stands for all of its variables\n");
}

TEST(Recorded, ClocksCannotBeYet) {
    UnitDescription description = two_port();
    description.variables[3].type = ValueType::clock;
    EXPECT_EQ(names_of(resolve_one("record: [\"a.*\"]\n", description), description),
              "a.u a.w a.y a.m a.x ");
    EXPECT_EQ(resolve_one("record: [a.y, a.z]\n", description).problems(),
              "s.yaml:5: a.z is a clock, which cannot be recorded yet\n");
}

TEST(Recorded, EveryIsAtLeastOne) {
    EXPECT_EQ(resolve_two("record: {every: 0}\n").problems(),
              "s.yaml:5: record.every is 0: it must be at least 1\n");
    EXPECT_EQ(resolve_two("record: {intermediate: -1}\n").problems(),
              "s.yaml:5: record.intermediate is -1: it must lie between 0 and 1000000\n");
}

} // namespace
} // namespace rubato::scenario::testing
