// SPDX-License-Identifier: Apache-2.0
#include "support/system_builder.hpp"

#include <rubato/algorithm/text.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rubato::synthesis {
namespace {

using scenario::AlgorithmSettings;
using scenario::Reactivity;
using scenario::Recipe;
using scenario::System;
using test::coupled_msd;
using test::SystemBuilder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

AlgorithmSettings settings(Recipe recipe, std::vector<std::string> order = {}) {
    AlgorithmSettings result;
    result.recipe = recipe;
    result.order = std::move(order);
    return result;
}

Orchestration orchestrated(const System& system, const AlgorithmSettings& algorithm) {
    Diagnostics diagnostics;
    Orchestration result = orchestrate(system, algorithm, diagnostics);
    diagnostics.throw_if_errors();
    return result;
}

std::string text(const System& system, const AlgorithmSettings& algorithm) {
    const Orchestration result = orchestrated(system, algorithm);
    return algorithm::to_text(result.algorithm, result.system);
}

std::string refusal(const System& system, const AlgorithmSettings& algorithm) {
    Diagnostics diagnostics;
    (void)orchestrate(system, algorithm, diagnostics);
    try {
        diagnostics.throw_if_errors();
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

TEST(Jacobi, StepsAllThenExchangesAlongTheFeedthrough) {
    EXPECT_EQ(text(coupled_msd().build(), settings(Recipe::jacobi)), R"(initialize:
  get msd1.x1, msd1.v1
  set msd2.x1, msd2.v1
  get msd2.Fc
  set msd1.Fc
each step:
  step msd1, msd2
  get msd1.x1, msd1.v1
  set msd2.x1, msd2.v1
  get msd2.Fc
  set msd1.Fc
)");
}

TEST(GaussSeidel, DerivesTheOrderThatGivesUpLeast) {
    const auto result = orchestrated(coupled_msd().build(), settings(Recipe::gauss_seidel));
    EXPECT_THAT(result.order, ElementsAre(UnitId{0}, UnitId{1}));
    EXPECT_THAT(result.remarks, ElementsAre("order derived from the couplings: msd1, msd2"));
    EXPECT_THAT(algorithm::to_text(result.algorithm, result.system), HasSubstr(R"(each step:
  step msd1
  get msd1.x1, msd1.v1
  set msd2.x1, msd2.v1
  step msd2
  get msd2.Fc
  set msd1.Fc
)"));
}

TEST(GaussSeidel, HandsOnApproximatedFeedthroughInTheOtherOrder) {
    const auto result =
        orchestrated(coupled_msd().build(), settings(Recipe::gauss_seidel, {"msd2", "msd1"}));
    EXPECT_THAT(result.remarks,
                ElementsAre("msd2.Fc is propagated before msd2.x1, msd2.v1 can be known: it is "
                            "computed from the unit's own approximation of that input"));
    EXPECT_THAT(algorithm::to_text(result.algorithm, result.system), HasSubstr(R"(each step:
  step msd2
  get msd2.Fc
  set msd1.Fc
  step msd1
  get msd1.x1, msd1.v1
  set msd2.x1, msd2.v1
)"));
}

TEST(GaussSeidel, PutsSourcesBeforeThoseTheyFeed) {
    SystemBuilder builder;
    builder.unit("c").input("u").unit("a").output("y").unit("b").input("u").output("y");
    builder.link("a.y", "b.u").link("b.y", "c.u");
    const auto result = orchestrated(builder.build(), settings(Recipe::gauss_seidel));
    EXPECT_THAT(result.order, ElementsAre(UnitId{1}, UnitId{2}, UnitId{0}));
}

TEST(GaussSeidel, OrdersLargeCyclesToo) {
    SystemBuilder builder;
    constexpr int count = 20;
    for (int i = 0; i < count; ++i) builder.unit("u" + std::to_string(i)).input("u").output("y");
    for (int i = 0; i < count; ++i) {
        builder.link("u" + std::to_string(i) + ".y", "u" + std::to_string((i + 1) % count) + ".u");
    }
    const auto result = orchestrated(builder.build(), settings(Recipe::gauss_seidel));
    int waiting = 0;
    for (const auto& link : result.system.links) {
        if (result.system.port(link.to).reactivity == Reactivity::delayed) ++waiting;
    }
    EXPECT_EQ(waiting, 1) << "a ring needs one input to wait, and only one";
}

TEST(IteratedJacobi, GuessesEveryInput) {
    EXPECT_THAT(text(coupled_msd().build(), settings(Recipe::iterated_jacobi)),
                HasSubstr(R"(each step:
  save msd1, msd2
  repeat until msd1.x1, msd1.v1, msd2.Fc change by at most 1e-09 + 1e-06·|value| (at most 50 times, then stop):
    set msd1.Fc, msd2.x1, msd2.v1
    step msd1, msd2
    get tentative msd1.x1, msd1.v1, msd2.Fc
  before each repetition:
    restore msd1, msd2
)"));
}

TEST(IteratedGaussSeidel, GuessesOnlyWhatComesFromLaterUnits) {
    EXPECT_THAT(text(coupled_msd().build(), settings(Recipe::iterated_gauss_seidel)),
                HasSubstr(R"(    set msd1.Fc
    step msd1
    get tentative msd1.x1, msd1.v1
    set tentative msd2.x1, msd2.v1
    step msd2
    get tentative msd2.Fc
)"));
}

TEST(IteratedRecipes, LeaveUnitsOutsideTheCycleAlone) {
    SystemBuilder builder = coupled_msd();
    builder.unit("probe").input("x").link("msd1.x1", "probe.x");
    const std::string procedure = text(builder.build(), settings(Recipe::iterated_jacobi));
    EXPECT_THAT(procedure, HasSubstr("restore msd1, msd2\n  set probe.x\n  step probe\n"));
    EXPECT_THAT(procedure, testing::Not(HasSubstr("save probe")));
}

TEST(IteratedRecipes, RepeatAFixedNumberOfTimesWhenAsked) {
    AlgorithmSettings algorithm = settings(Recipe::iterated_jacobi);
    algorithm.iterations = 3;
    EXPECT_THAT(text(coupled_msd().build(), algorithm), HasSubstr("  repeat 3 times:\n"));
}

/// Two units with continuous values, and a switch between them.
scenario::System switched(std::optional<Reactivity> declared) {
    SystemBuilder builder;
    builder.unit("tank").input("inflow");
    declared ? builder.input("outflow", *declared) : builder.input("outflow");
    builder.output("level").unit("pump").input("level").output("flow");
    builder.unit("valve").input("u").output("y");
    builder.link("tank.level", "pump.level").link("pump.flow", "tank.inflow");
    builder.link("tank.level", "valve.u").link("valve.y", "tank.outflow");
    scenario::System system = builder.build();
    for (scenario::Port& port : system.ports) port.is_continuous = port.name != "y";
    return system;
}

TEST(IteratedRecipes, ExchangeDiscreteValuesAtTheEndOfAStep) {
    for (const Recipe recipe : {Recipe::iterated_jacobi, Recipe::iterated_gauss_seidel}) {
        const auto result = orchestrated(switched({}), settings(recipe));
        const std::string procedure = algorithm::to_text(result.algorithm, result.system);
        EXPECT_THAT(procedure, HasSubstr("repeat until tank.level, pump.flow change"));
        EXPECT_THAT(procedure, testing::Not(HasSubstr("restore tank, pump, valve")));
        EXPECT_THAT(result.remarks,
                    testing::Contains("not iterated, but exchanged at the end of a step, because "
                                      "the values are discrete: valve.y -> tank.outflow"));
    }
}

TEST(IteratedRecipes, IterateDiscreteValuesWhereTheScenarioSaysSo) {
    EXPECT_THAT(text(switched(Reactivity::reactive), settings(Recipe::iterated_jacobi)),
                HasSubstr("restore tank, pump, valve"));
    EXPECT_THAT(text(switched(Reactivity::delayed), settings(Recipe::iterated_jacobi)),
                testing::Not(HasSubstr("restore tank, pump, valve")));
}

TEST(IteratedRecipes, IterateDiscreteValuesWhereThereAreNoOthers) {
    scenario::System system = switched({});
    for (scenario::Port& port : system.ports) port.is_continuous = false;
    EXPECT_THAT(text(system, settings(Recipe::iterated_jacobi)),
                HasSubstr("restore tank, pump, valve"));
}

TEST(IteratedRecipes, RefuseUnitsThatCannotRollBack) {
    SystemBuilder builder;
    builder.unit("a", false).input("u").output("y").unit("b").input("u").output("y");
    builder.link("a.y", "b.u").link("b.y", "a.u");
    EXPECT_THAT(refusal(builder.build(), settings(Recipe::iterated_gauss_seidel)),
                HasSubstr("unit \"a\" cannot save and restore its state, but must go back"));
}

TEST(Recipes, IterateFeedthroughLoopsWithoutRollBack) {
    SystemBuilder builder;
    builder.unit("a", false).input("u").output("y", {"u"});
    builder.unit("b", false).input("u").output("y", {"u"});
    builder.link("a.y", "b.u").link("b.y", "a.u");
    const std::string loop = R"(:
    set a.u
    get a.y
    set b.u
    get b.y
)";
    const std::string procedure = text(builder.build(), settings(Recipe::jacobi));
    EXPECT_THAT(procedure, HasSubstr("initialize:\n  repeat until a.y, b.y"));
    EXPECT_THAT(procedure, HasSubstr(loop));
    EXPECT_THAT(procedure, testing::Not(HasSubstr("save")));
}

TEST(Recipes, RefuseContractsTheyCannotKeep) {
    SystemBuilder builder;
    builder.unit("a").output("y").unit("b").input("u", Reactivity::reactive).link("a.y", "b.u");
    EXPECT_THAT(
        refusal(builder.build(), settings(Recipe::jacobi)),
        HasSubstr("input \"b.u\" is declared reactive, but the algorithm needs it to be delayed"));
    EXPECT_THAT(refusal(builder.build(), settings(Recipe::gauss_seidel)), IsEmpty());
    EXPECT_THAT(refusal(builder.build(), settings(Recipe::gauss_seidel, {"b", "a"})),
                HasSubstr("change the order of the units"));
}

TEST(Recipes, DeriveAnOrderThatKeepsDeclaredContracts) {
    SystemBuilder builder;
    builder.unit("a").input("u", Reactivity::reactive).output("y");
    builder.unit("b").input("u").output("y").link("a.y", "b.u").link("b.y", "a.u");
    const auto result = orchestrated(builder.build(), settings(Recipe::gauss_seidel));
    EXPECT_THAT(result.order, ElementsAre(UnitId{1}, UnitId{0}));
}

TEST(Recipes, NegotiateWhenAUnitMayRejectAStep) {
    System system = coupled_msd().build();
    system.units[1].can_reject_step = true;
    system.units[1].can_reject_origin = scenario::Origin::scenario;
    EXPECT_THAT(text(system, settings(Recipe::jacobi)), HasSubstr(R"(each step:
  save msd2
  repeat with a smaller step until msd2 accepts it:
    step msd2
  before each repetition:
    restore msd2
  step msd1
)"));
}

} // namespace
} // namespace rubato::synthesis
