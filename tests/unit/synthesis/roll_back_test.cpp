// SPDX-License-Identifier: Apache-2.0
// Units that must go back and cannot: the message says why, and what it proposes works.
#include "support/operations.hpp"
#include "support/system_builder.hpp"

#include <rubato/synthesis/recipe.hpp>
#include <rubato/synthesis/roll_back.hpp>

#include <gmock/gmock.h>

namespace rubato::synthesis {
namespace {

using scenario::AlgorithmSettings;
using scenario::Reactivity;
using scenario::Recipe;
using scenario::System;
using test::SystemBuilder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr auto reactive = Reactivity::reactive;
constexpr auto delayed = Reactivity::delayed;
constexpr bool cannot_save = false;

AlgorithmSettings by(Recipe recipe) {
    AlgorithmSettings settings;
    settings.recipe = recipe;
    return settings;
}

std::vector<std::string> refusals(const System& system,
                                  const AlgorithmSettings& settings = by(Recipe::synthesized)) {
    Diagnostics diagnostics;
    (void)orchestrate(system, settings, diagnostics);
    std::vector<std::string> texts;
    for (const Diagnostic& diagnostic : diagnostics.all()) texts.push_back(to_string(diagnostic));
    return texts;
}

std::vector<std::string> alternatives(const System& system, UnitId unit,
                                      Recipe recipe = Recipe::synthesized) {
    return alternatives_to_roll_back(system, by(recipe), {&unit, 1});
}

/// Two units that feed each other; the first cannot save its state.
SystemBuilder pair(Reactivity of_a, Reactivity of_b) {
    SystemBuilder builder;
    builder.unit("a", cannot_save).input("u", of_a).output("y");
    builder.unit("b").input("u", of_b).output("y");
    return builder.link("a.y", "b.u").link("b.y", "a.u");
}

TEST(RollBack, OfAReactivityLoopIsAvoidedByDelayingOneInput) {
    EXPECT_THAT(
        refusals(pair(reactive, reactive).build()),
        ElementsAre("unit \"a\" cannot save and restore its state, but must go back at each "
                    "repetition of the reactivity loop of a, b over a.y, b.y, guessing b.u\n"
                    "  instead: declare a.u delayed; or export it with the ability to save "
                    "and restore its state (an FMU: canGetAndSetFMUstate)"));
    EXPECT_THAT(refusals(pair(delayed, reactive).build()), IsEmpty());
}

TEST(RollBack, ProposesOnlyRecipesThatKeepTheDeclaredContracts) {
    SystemBuilder builder;
    builder.unit("a", cannot_save).input("u").output("y");
    builder.unit("b").input("u", reactive).output("y");
    builder.link("a.y", "b.u").link("b.y", "a.u");
    EXPECT_THAT(alternatives(builder.build(), {0}, Recipe::iterated_jacobi),
                ElementsAre("use the algorithm synthesized", "use the algorithm gauss-seidel"))
        << "jacobi would need b.u to be delayed";
    for (const Recipe recipe : {Recipe::synthesized, Recipe::gauss_seidel})
        EXPECT_THAT(refusals(builder.build(), by(recipe)), IsEmpty());
}

TEST(RollBack, OfIteratedRecipesIsAvoidedByOthers) {
    SystemBuilder builder;
    builder.unit("a", cannot_save).input("u").output("y").unit("b").input("u").output("y");
    builder.link("a.y", "b.u").link("b.y", "a.u");
    EXPECT_THAT(
        refusals(builder.build(), by(Recipe::iterated_gauss_seidel)),
        ElementsAre(HasSubstr("instead: use the algorithm synthesized; or use the algorithm "
                              "gauss-seidel; or use the algorithm jacobi; or export")));
}

/// A unit that may reject steps and takes what another gives from the end of the step.
SystemBuilder rejecting_sink() {
    SystemBuilder builder;
    builder.unit("source", cannot_save).output("y");
    builder.unit("sink").can_reject_step().input("u", reactive);
    return builder.link("source.y", "sink.u");
}

TEST(RollBack, OfANegotiationNamesWhoRejectsAndWhyTheOtherMustFollow) {
    EXPECT_THAT(
        refusals(rejecting_sink().build()),
        ElementsAre(HasSubstr("unit \"source\" cannot save and restore its state, but must "
                              "go back when unit \"sink\" rejects a step, which takes values "
                              "from the end of that step, in the step negotiation of source, "
                              "sink\n  instead: ")));
    EXPECT_THAT(alternatives(rejecting_sink().build(), {0}),
                ElementsAre("declare can-reject-step: false for sink, if every step is accepted",
                            "declare sink.u delayed", "use the algorithm gauss-seidel"));
}

TEST(RollBack, EachProposalForANegotiationWorks) {
    System accepted = rejecting_sink().build();
    accepted.units[1].can_reject_step = false;
    EXPECT_THAT(refusals(accepted), IsEmpty());
    System waiting = rejecting_sink().build();
    waiting.ports[1].reactivity = delayed;
    EXPECT_THAT(refusals(waiting), IsEmpty());
    EXPECT_THAT(refusals(rejecting_sink().build(), by(Recipe::gauss_seidel)), IsEmpty());
}

TEST(RollBack, OfAUnitThatRejectsItself) {
    SystemBuilder builder;
    builder.unit("a", cannot_save).can_reject_step().output("y").unit("b").input("u", delayed);
    builder.link("a.y", "b.u");
    System system = builder.build();
    system.units[0].can_reject_origin = scenario::Origin::scenario;
    EXPECT_THAT(refusals(system),
                ElementsAre(AllOf(HasSubstr("must go back when unit \"a\" rejects a step, in the "
                                            "step negotiation of a\n"),
                                  HasSubstr("can-reject-step: false for a"),
                                  Not(HasSubstr("use the algorithm")))));
}

TEST(RollBack, DrawnInByTwoUnitsNamesBoth) {
    SystemBuilder builder = rejecting_sink();
    builder.unit("other").can_reject_step().input("u", reactive).link("source.y", "other.u");
    EXPECT_THAT(alternatives(builder.build(), {0}),
                ElementsAre("declare can-reject-step: false for sink, other, if every step is "
                            "accepted",
                            "declare sink.u, other.u delayed", "use the algorithm gauss-seidel"));
}

TEST(RollBack, DrawnInThroughAssumedFeedthroughAsksForTheTruth) {
    SystemBuilder builder;
    builder.unit("source", cannot_save).output("y");
    builder.unit("gain").input("u", delayed).output("y", {"u"});
    builder.unit("sink").can_reject_step().input("u", reactive);
    builder.link("source.y", "gain.u").link("gain.y", "sink.u");
    EXPECT_THAT(
        alternatives(builder.build(), {0}),
        ::testing::Contains("declare the feed-through of gain.y, if it is none: all inputs are "
                            "assumed"));
    System told = builder.build();
    for (scenario::Port& port : told.ports) port.feedthrough.clear();
    EXPECT_THAT(refusals(told), IsEmpty());
}

TEST(RollBack, OfANestedLoopTakesBothChanges) {
    SystemBuilder builder;
    builder.unit("a", cannot_save).can_reject_step().input("u", reactive).output("y");
    builder.unit("b").can_reject_step().input("u", reactive).output("y");
    builder.link("a.y", "b.u").link("b.y", "a.u");
    System system = builder.build();
    EXPECT_THAT(refusals(system),
                ElementsAre(HasSubstr("when units \"a\", \"b\" reject a step, in the nested step "
                                      "negotiation of a, b over a.y, b.y")));
    EXPECT_THAT(alternatives(system, {0}),
                ElementsAre("declare can-reject-step: false for a, b and a.u, b.u delayed"));
    for (scenario::SystemUnit& unit : system.units) unit.can_reject_step = false;
    for (scenario::Port& port : system.ports) port.reactivity = delayed;
    EXPECT_THAT(refusals(system), IsEmpty());
}

TEST(RollBack, LoopsAreJudgedEachForItself) {
    SystemBuilder builder = pair(reactive, reactive);
    builder.unit("c", cannot_save).input("u", reactive).output("y");
    builder.unit("d").input("u", reactive).output("y");
    builder.link("c.y", "d.u").link("d.y", "c.u");
    EXPECT_THAT(refusals(builder.build()),
                ElementsAre(AllOf(HasSubstr("unit \"a\""), HasSubstr("declare a.u delayed")),
                            AllOf(HasSubstr("unit \"c\""), HasSubstr("declare c.u delayed"))));
}

TEST(RollBack, IsAskedForInEveryConfiguration) {
    SystemBuilder builder = pair(delayed, delayed);
    builder.configuration("apart", "one").configuration("together", "two");
    builder.contract("a.u", reactive).contract("b.u", reactive);
    EXPECT_THAT(refusals(builder.build()), ElementsAre(AllOf(HasSubstr("reactivity loop of a, b"),
                                                             HasSubstr("declare a.u delayed"))));
}

std::string refusal_of_written(const System& system, algorithm::Body step) {
    Diagnostics diagnostics;
    require_roll_back(system, {}, algorithm::Algorithm{{}, {{"step", std::move(step)}}},
                      diagnostics);
    return InputError(diagnostics.all()).what();
}

TEST(RollBack, OfAHandWrittenAlgorithmIsPlacedAndADerivedOneProposed) {
    const System system = pair(delayed, delayed).build();
    const test::Operations op(system);
    EXPECT_EQ(
        refusal_of_written(
            system, {op.save("a"), op.fixed_point({"a.y", "b.y"}, {op.step("a"), op.step("b")},
                                                  {op.restore("a")})}),
        "unit \"a\" cannot save and restore its state, which the algorithm saves to go back in "
        "the loop until a.y, b.y have converged\n"
        "  instead: leave the algorithm out: the one that is derived does not take it back");
    EXPECT_THAT(refusal_of_written(system, {op.save("a"), op.negotiate({"a", "b"}, {op.step("a")},
                                                                       {op.restore("a")})}),
                HasSubstr("to go back in the loop until a, b accept the same step"));
    EXPECT_THAT(refusal_of_written(system, {op.parallel({{op.save("a")}, {op.step("b")}})}),
                HasSubstr("which the algorithm saves but never restores"));
}

TEST(RollBack, OfAHandWrittenAlgorithmMayNeedOtherContractsToo) {
    const System system = pair(reactive, reactive).build();
    const test::Operations op(system);
    EXPECT_THAT(
        refusal_of_written(system, {op.save("a")}),
        HasSubstr("instead: leave the algorithm out and declare a.u delayed; or export it"));
}

} // namespace
} // namespace rubato::synthesis
