// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"
#include "expect.hpp"

/// What loops compare, and what becomes of values that they do not compare.
namespace rubato::algorithm::test {
namespace {

FixedPoint& first_loop(Case& c) { return std::get<FixedPoint>(c.step()[0]); }

/// Both inputs are guessed in every iteration.
Case both_guessed() {
    Case c = feedthrough_loop();
    const Operations& o = c.op;
    first_loop(c).iterate = {o.set("B.x"), o.set("A.f"), o.get("A.x"), o.get("B.f")};
    return c;
}

TEST(VerifyComparison, WhatIsUsedOfTheIterationBeforeIsCompared) {
    Case c = both_guessed();
    EXPECT_TRUE(c.verify().correct());
    first_loop(c).ports.erase(first_loop(c).ports.begin());
    expect_violation(c,
                     "set B.x (operation 1.1 of the step procedure \"main\"): B.x is given what "
                     "A.x was in the iteration before, which the loop does not compare: it may end "
                     "before A.x has settled",
                     "compare A.x, too, or get it before it is used");
}

TEST(VerifyComparison, SoIsWhatInputsHoldOfTheIterationBefore) {
    Case c = feedthrough_loop();
    const Operations& o = c.op;
    first_loop(c).iterate = {o.get("B.f"), o.get("A.x"), o.set("A.f"), o.set("B.x")};
    EXPECT_TRUE(c.verify().correct());
    first_loop(c).ports.erase(first_loop(c).ports.begin());
    expect_violation(c,
                     "get B.f (operation 1.1 of the step procedure \"main\"): B.x feeds through "
                     "to it and holds what A.x was in the iteration before",
                     "compare A.x");
}

TEST(VerifyComparison, SoItIsInTheInitialization) {
    Case c = both_guessed();
    auto& loop = std::get<FixedPoint>(c.algorithm.initialization[0]);
    loop = first_loop(c);
    EXPECT_TRUE(c.verify().correct());
    loop.ports.pop_back();
    expect_violation(c, "set A.f (operation 1.2 of the initialization): A.f is given what B.f was",
                     "compare B.f");
}

TEST(VerifyComparison, WhatIsGotBeforeItIsUsedNeedNotBe) {
    Case c = feedthrough_loop(); // get A.x, set B.x, get B.f, set A.f
    first_loop(c).ports.erase(first_loop(c).ports.begin());
    EXPECT_TRUE(c.verify().correct());
}

TEST(VerifyComparison, NorWhereTheNumberOfIterationsIsGiven) {
    Case c = both_guessed();
    first_loop(c).ports.erase(first_loop(c).ports.begin());
    first_loop(c).until.iterations = 3;
    EXPECT_TRUE(c.verify().correct());
}

TEST(VerifyComparison, NoOutputIsComparedWithItself) {
    Case c = feedthrough_loop();
    first_loop(c).iterate.push_back(c.op.get_tentative("B.f"));
    expect_violation(c,
                     "the fixed-point loop over A.x, B.f (operation 1 of the step procedure "
                     "\"main\") compares B.f with itself: one iteration gets both its final and "
                     "its tentative value",
                     "get B.f in one of the two ways only");
    first_loop(c).ports.pop_back();
    expect_violation(c, "A.f feeds through to it and holds what B.f was in the iteration before",
                     "compare B.f");
}

/// A, B in a loop that guesses A.x alone; D uses B.f when the loop has ended.
Case used_after(const std::vector<std::string>& compared) {
    SystemBuilder builder;
    builder.unit("A").input("f", Reactivity::reactive).output("x");
    builder.unit("B").input("x", Reactivity::reactive).output("f");
    builder.unit("D").input("f", Reactivity::delayed);
    builder.link("A.x", "B.x").link("B.f", "A.f").link("B.f", "D.f");
    Case c(builder);
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("A.x"), o.set("B.x"), o.get("B.f"), o.set("A.f"),
                                  o.set("D.f")};
    c.step() = {o.save("A"), o.save("B"),
                o.fixed_point(compared,
                              {o.set("B.x"), o.step("B"), o.get_tentative("B.f"),
                               o.set_tentative("A.f"), o.step("A"), o.get_tentative("A.x")},
                              {o.restore("A"), o.restore("B")}),
                o.step("D"), o.set("D.f")};
    return c;
}

TEST(VerifyComparison, TentativeValuesAreFinalWhenTheLoopEnds) {
    EXPECT_TRUE(used_after({"A.x", "B.f"}).verify().correct());
    EXPECT_TRUE(used_after({"A.x"}).verify().correct());
    EXPECT_FALSE(used_after({"B.f"}).verify().correct());
}

TEST(VerifyComparison, TillThenFinalValuesOfThemAreThoseFromBefore) {
    // E waits for what A was at the start of the step.
    SystemBuilder builder = figure_2();
    builder.unit("E").input("x", Reactivity::delayed).link("A.x", "E.x");
    Case c(builder);
    const Case without = reactivity_loop_with_one_guess();
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("A.x"), o.set("B.x"), o.get("B.f"), o.set("A.f"),
                                  o.get("C.j"), o.set("B.j"), o.set("E.x")};
    const auto procedure = [&](const std::vector<std::string>& compared) {
        return Body{o.save("A"),
                    o.save("B"),
                    o.save("E"),
                    o.fixed_point(compared,
                                  {o.set("E.x"), o.step("E"), o.set("A.f"), o.step("A"),
                                   o.get_tentative("A.x"), o.set_tentative("B.x"), o.step("B"),
                                   o.get_tentative("B.f")},
                                  {o.restore("A"), o.restore("B"), o.restore("E")}),
                    o.step("C"),
                    o.get("C.j"),
                    o.set("B.j")};
    };
    c.step() = procedure({"B.f"});
    EXPECT_TRUE(c.verify().correct());
    c.step() = procedure({"A.x", "B.f"});
    expect_violation(c, "set E.x", "E");
}

TEST(VerifyComparison, TheFirstIterationMayBeTheLast) {
    // The second loop starts where the first one has left the units, and goes back only if it has
    // not converged.
    Case c = reactivity_loop();
    c.step().insert(c.step().begin() + 3, Op(c.step()[2]));
    expect_violation(c,
                     "set A.f (operation 4.1 of the step procedure \"main\"): A.f is reactive, "
                     "its value must be from after the time at which A stands: A stands at t=1",
                     "");
}

TEST(VerifyComparison, ALoopWithinLeavesNothingToCompare) {
    // The loop around takes x from its last iteration, but the one within has made both values of
    // it alike.
    SystemBuilder builder;
    builder.unit("A").input("f", Reactivity::delayed).output("x", {"f"});
    builder.unit("B").input("x", Reactivity::delayed).output("f", {"x"});
    builder.unit("C").can_reject_step();
    builder.link("A.x", "B.x").link("B.f", "A.f");
    Case c(builder);
    const Operations& o = c.op;
    const Body iterate = {o.set("B.x"), o.set("A.f"), o.get("A.x"), o.get("B.f")};
    const Op inner = o.fixed_point({"A.x", "B.f"}, iterate);
    c.algorithm.initialization = {inner};
    const auto around = [&](const Body& body) {
        return o.fixed_point({"A.x", "B.f"}, {o.negotiate({"C"}, body, {o.restore("C")})},
                             {o.restore("C")});
    };
    c.step() = {o.step("A"), o.step("B"), o.save("C"), around({o.step("C"), inner})};
    EXPECT_TRUE(c.verify().correct()); // the loop within does it all
    c.step() = {o.step("A"), o.step("B"), o.save("C"),
                around({o.step("C"), o.set("B.x"), o.get("B.f"), inner})};
    EXPECT_FALSE(c.verify().correct());
}

} // namespace
} // namespace rubato::algorithm::test
