// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/placement.hpp>
#include <rubato/scenario/placement.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace rubato::pipeline {
namespace {

using ::testing::DoubleEq;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using Ranks = std::vector<std::uint32_t>;

/// So many nodes in a chain.
Assembly chain(int nodes, const std::vector<scenario::PlacedUnit>& placed = {}) {
    scenario::Scenario scenario;
    scenario.name = "chain";
    for (int i = 0; i < nodes; ++i) {
        scenario::Unit& unit = scenario.units.emplace_back();
        unit.name = "n" + std::to_string(i);
        unit.origin = scenario::NativeModel{"node"};
        if (i > 0)
            scenario.connections.push_back({scenario.units[i - 1].name, "y", unit.name, "a"});
    }
    scenario.experiment = {.start = 0, .stop = 1, .step = 0.1};
    scenario::place(scenario.machines, placed);
    unit::Library library(silent_log());
    add_native_models(library);
    Diagnostics diagnostics;
    Assembly assembly = assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    return assembly;
}

/// In place of METIS: always the same.
Partition gives(Ranks ranks) {
    return [ranks](const UnitGraph&, std::uint32_t) { return ranks; };
}

Ranks place(const Assembly& assembly, std::uint32_t processes, Ranks partition) {
    return placement_of(assembly, unit_graph(assembly), processes, gives(std::move(partition)));
}

std::string fault_of(const Assembly& assembly, std::uint32_t processes, Ranks partition) {
    try {
        (void)place(assembly, processes, std::move(partition));
    } catch (const InputError& fault) {
        return fault.what();
    }
    return "";
}

TEST(PlacementOf, IsThatOfThePartition) {
    EXPECT_THAT(place(chain(4), 2, {1, 1, 0, 0}), ElementsAre(1, 1, 0, 0));
}

TEST(PlacementOf, FollowsTheScenario) {
    const Assembly all = chain(3, {{"n0", 1, {}}, {"n1", 0, {}}, {"n2", 1, {}}});
    EXPECT_THAT(placement_of(all, unit_graph(all), 2,
                             [](const UnitGraph&, std::uint32_t) -> Ranks {
                                 ADD_FAILURE() << "there is nothing to divide";
                                 return {};
                             }),
                ElementsAre(1, 0, 1));
}

TEST(PlacementOf, GivesAPartTheRankOfWhatIsPlaced) {
    EXPECT_THAT(place(chain(4, {{"n0", 1, {}}}), 2, {0, 0, 1, 1}), ElementsAre(1, 1, 0, 0));
    EXPECT_THAT(place(chain(6, {{"n4", 0, {}}}), 3, {0, 0, 1, 1, 2, 2}),
                ElementsAre(1, 1, 2, 2, 0, 0));
}

TEST(PlacementOf, LeavesNoProcessWithoutAUnit) {
    EXPECT_THAT(place(chain(4), 3, {0, 0, 0, 0}), ElementsAre(1, 2, 0, 0));
    EXPECT_THAT(place(chain(3, {{"n0", 0, {}}, {"n1", 0, {}}}), 2, {0, 0, 0}),
                ElementsAre(0, 0, 1));
}

TEST(PlacementOf, RefusesWhatCannotBe) {
    EXPECT_THAT(fault_of(chain(2), 3, {0, 1}),
                HasSubstr("3 processes are more than the 2 units of \"chain\""));
    EXPECT_THAT(fault_of(chain(2, {{"n1", 2, {}}}), 2, {0, 1}),
                HasSubstr("unit \"n1\" is placed on rank 2, but there are 2 processes"));
    EXPECT_THAT(fault_of(chain(2, {{"n0", 0, {}}, {"n1", 0, {}}}), 2, {0, 1}),
                HasSubstr("rank 1 would have no unit"));
}

TEST(PlacementOf, NamesUnknownUnits) {
    try {
        (void)chain(2, {{"n7", 0, {}}});
        FAIL();
    } catch (const InputError& fault) {
        EXPECT_THAT(fault.what(), HasSubstr("placement: the scenario has no unit \"n7\""));
    }
}

TEST(Forecast, CountsMessagesAndBytesBetweenRanks) {
    const Assembly assembly = chain(4);
    const Ranks ranks = {0, 0, 1, 2};
    const PlacementForecast result = forecast(unit_graph(assembly), ranks, 3);
    EXPECT_THAT(result.units, ElementsAre(2, 1, 1));
    EXPECT_THAT(result.costs, ElementsAre(DoubleEq(2), DoubleEq(1), DoubleEq(1)));
    EXPECT_DOUBLE_EQ(result.imbalance, 1.5);
    EXPECT_EQ(result.bytes, 16u);
}

TEST(MeasuredCosts, AreThoseOfTheUnits) {
    Assembly assembly = chain(3);
    unit::Library library(silent_log());
    add_native_models(library);
    EXPECT_THAT(measured_costs(assembly, library, 5), Each(Gt(0)));
    EXPECT_EQ(measured_costs(assembly, library, 1000000).size(), 3u); // the run ends before
}

} // namespace
} // namespace rubato::pipeline
