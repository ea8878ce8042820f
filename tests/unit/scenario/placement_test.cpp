// SPDX-License-Identifier: Apache-2.0
#include "essence.hpp"
#include "support.hpp"

#include <rubato/scenario/flatten.hpp>
#include <rubato/scenario/placement.hpp>

#include <gmock/gmock.h>

namespace rubato::scenario::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view three_units = R"(rubato: 1
units: {a: {model: m}, b: {model: m}, c: {model: m}}
)";

Parsed parse_placed(const std::string& rest, const std::vector<Override>& overrides = {}) {
    return parse(std::string(three_units) + rest, overrides);
}

/// "rank0: a c; rank2: b"
std::string machines_text(const std::vector<Machine>& machines) {
    std::string text;
    for (const Machine& machine : machines) {
        text += (text.empty() ? "" : "; ") + machine.name + ":";
        for (const std::string& unit : machine.units) text += " " + unit;
    }
    return text;
}

TEST(Placement, IsReadAsMachinesByRank) {
    const Parsed parsed = parse_placed("placement: {b: 2, a: 0, c: 0}\n");
    EXPECT_EQ(parsed.said(), "");
    EXPECT_EQ(machines_text(parsed.scenario.machines), "rank0: a c; rank2: b");
    EXPECT_EQ(rank_of_machine(parsed.scenario, 1), 2u);
    EXPECT_TRUE(are_ranks(parsed.scenario.machines));
}

TEST(Placement, ReadsBack) {
    const Scenario scenario = parse_placed("placement: {b: 12, c: 3}\n").scenario;
    const Parsed again = parse(write_yaml(scenario));
    EXPECT_EQ(again.said(), "");
    EXPECT_EQ(machines_text(again.scenario.machines), "rank3: c; rank12: b");
}

TEST(Placement, OfMachinesIsTheirOrder) {
    const Scenario scenario = parse_placed("machines: {left: [a], right: [b, c]}\n").scenario;
    EXPECT_FALSE(are_ranks(scenario.machines));
    EXPECT_EQ(rank_of_machine(scenario, 0), 0u);
    EXPECT_EQ(rank_of_machine(scenario, 1), 1u);
}

TEST(Placement, CanBeOverriddenUnitByUnit) {
    const Parsed parsed =
        parse_placed("placement: {a: 0, b: 1}\n", {{"placement.a", "1"}, {"placement.c", "0"}});
    EXPECT_EQ(parsed.said(), "");
    EXPECT_EQ(machines_text(parsed.scenario.machines), "rank0: c; rank1: b a");
}

TEST(Placement, CanBeOverriddenAsAWhole) {
    const Parsed parsed = parse_placed("placement: {a: 0, b: 1}\n", {{"placement", "{c: 4}"}});
    EXPECT_EQ(parsed.said(), "");
    EXPECT_EQ(machines_text(parsed.scenario.machines), "rank4: c");
}

TEST(Placement, RefusesWhatIsNoRank) {
    EXPECT_THAT(parse_placed("placement: {a: -1}\n").said(),
                HasSubstr("s.yaml:3: placement.a is -1\n  ranks count from 0"));
    EXPECT_THAT(parse_placed("placement: {a: first}\n").said(), HasSubstr("placement.a"));
    EXPECT_THAT(parse_placed("placement: [a, b]\n").said(), HasSubstr("placement"));
    EXPECT_THAT(parse_placed("placement: {a: 1.5}\n").said(), HasSubstr("placement.a"));
}

TEST(Placement, RefusesMachinesBesideIt) {
    EXPECT_THAT(parse_placed("machines: {left: [a]}\nplacement: {b: 1}\n").said(),
                HasSubstr("there are machines, which are placed already"));
}

TEST(Placement, NamesOfRanksAreNumbersWithoutMore) {
    EXPECT_EQ(named_rank("rank0"), 0u);
    EXPECT_EQ(named_rank("rank17"), 17u);
    for (const char* name :
         {"rank", "rank01", "rank-1", "rank1x", "Rank1", "left", "rank99999999999"})
        EXPECT_EQ(named_rank(name), std::nullopt) << name;
}

TEST(Placement, OfAScenarioWithinIsThatOfItsUnits) {
    Parsed parsed = parse(R"(rubato: 1
units:
  a: {model: m}
  inner: {scenario: {units: {x: {model: m}, y: {model: m}}}}
placement: {a: 0, inner: 1}
)");
    EXPECT_EQ(parsed.said(), "");
    Diagnostics diagnostics;
    const Scenario flat = flatten(parsed.scenario, diagnostics);
    EXPECT_EQ(text_of(diagnostics), "");
    EXPECT_EQ(machines_text(flat.machines), "rank0: a; rank1: inner-x inner-y");
}

} // namespace
} // namespace rubato::scenario::testing
