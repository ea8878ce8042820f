// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <gmock/gmock.h>

namespace rubato::scenario::testing {
namespace {

/// a.y -> b.u with these units of measure.
Resolved connected(const std::string& from, const std::string& to, const std::string& extra = "") {
    UnitDescription a = two_port(), b = two_port();
    a.variables[2].unit = from;
    a.variables[2].measure = find_measure(from);
    b.variables[0].unit = to;
    b.variables[0].measure = find_measure(to);
    return resolve_text("rubato: 1\nunits: {a: {model: m}, b: {model: m}}\nconnections:\n"
                        "  - a.y -> b.u" +
                            extra + "\n",
                        {a, b});
}

TEST(UnitsOfMeasure, AreConverted) {
    const Resolved resolved = connected("kPa", "Pa");
    EXPECT_EQ(resolved.problems(), "");
    EXPECT_EQ(resolved.system.links.at(0).factor, 1000);
    EXPECT_THAT(resolved.said(), ::testing::HasSubstr("a.y -> b.u converts kPa to Pa: 1000·x\n"));
}

TEST(UnitsOfMeasure, AreConvertedBeforeFactorAndOffset) {
    const Link link = connected("degC", "K", ": {factor: 2, offset: 1}").system.links.at(0);
    EXPECT_EQ(link.factor, 2);
    EXPECT_EQ(link.offset, 2 * 273.15 + 1);
}

TEST(UnitsOfMeasure, OfDifferentThingsAreNotConnected) {
    EXPECT_EQ(connected("kPa", "m").problems(),
              "s.yaml:4: a.y -> b.u connects \"kPa\" (kg/(m.s2)) to \"m\" (m)\n"
              "  they measure different things; convert: false connects them all the same\n");
    EXPECT_EQ(connected("kPa", "m", ": {convert: false}").problems(), "");
}

TEST(UnitsOfMeasure, ThatNobodyDefinesAreSaid) {
    EXPECT_EQ(connected("furlong", "m").problems(),
              "s.yaml:4: warning: a.y -> b.u connects \"furlong\" to \"m\" as they are: nothing "
              "says what \"furlong\" of a.y is\n"
              "  write factor and offset where they are needed, and convert: false\n");
    EXPECT_EQ(connected("furlong", "furlong").problems(), "");
}

TEST(UnitsOfMeasure, NeedNotBeDeclared) {
    EXPECT_EQ(connected("", "Pa").problems(), "");
    EXPECT_EQ(connected("kPa", "").system.links.at(0).factor, 1);
}

} // namespace
} // namespace rubato::scenario::testing
