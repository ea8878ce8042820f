// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"
#include "expect.hpp"

namespace rubato::algorithm::test {
namespace {

FixedPoint& loop_of(Case& c) { return std::get<FixedPoint>(c.step()[2]); }
Negotiate& negotiation_of(Case& c) { return std::get<Negotiate>(c.step()[2]); }

TEST(VerifyLoops, AUnitIsSavedBeforeItIsRestored) {
    Case c = reactivity_loop();
    c.step().erase(c.step().begin());
    expect_violation(c,
                     "restore A (operation 2.retry.1 of the step procedure \"main\"): A has not "
                     "been saved in this co-simulation step",
                     "save A before the loop");
}

TEST(VerifyLoops, WithRollBackValuesAreTentative) {
    Case c = reactivity_loop();
    loop_of(c).iterate[4] = c.op.get("A.x");
    expect_violation(c,
                     "the fixed-point loop over A.x, B.f (operation 3 of the step procedure "
                     "\"main\"): it does not come to an end: after 4 iterations the final and "
                     "the tentative value of A.x are still from different times",
                     "get tentative A.x in every iteration");
}

TEST(VerifyLoops, TheLastIterationIsChecked) {
    Case c = reactivity_loop();
    auto& iterate = loop_of(c).iterate;
    std::swap(iterate[0], iterate[2]); // A steps before its reactive input is set
    expect_violation(c,
                     "step A (operation 3.1 of the step procedure \"main\"): A.f is reactive and "
                     "must hold a value from the end of the step, t=1; A stands at t=0, A.f holds "
                     "one from t=0",
                     "A");
    const Verdict verdict = c.verify();
    EXPECT_THAT(verdict.violations.front().trace,
                ::testing::Contains("  the fixed-point loop over A.x, B.f, iteration 3, checked:"));
}

TEST(VerifyLoops, AnOutputOfTheLoopIsUsedWhenItIsFinal) {
    // f is not compared, so its final value stays the old one.
    Case c = reactivity_loop();
    loop_of(c).ports.pop_back();
    expect_violation(c,
                     "set A.f (operation 3.1 of the step procedure \"main\"): A.f is reactive, its "
                     "value must be from after the time at which A stands: A stands at t=0, the "
                     "value of B.f is from t=0",
                     "A");
}

TEST(VerifyLoops, NothingIsOlderThanWhatConvergenceCompares) {
    // B.f follows from B.x of the iteration before, which in turn had A.x of the one before that.
    Case c = feedthrough_loop();
    const Operations& o = c.op;
    std::get<FixedPoint>(c.step()[0]).iterate = {o.get("B.f"), o.set("B.x"), o.set("A.f"),
                                                 o.get("A.x")};
    expect_violation(c,
                     "get B.f (operation 1.1 of the step procedure \"main\"): B.x feeds through to "
                     "it and holds what A.x was two iterations ago: the loop may end before they "
                     "agree",
                     "set B.x before");
}

TEST(VerifyLoops, AFeedthroughLoopIsNeededForACircle) {
    Case c = feedthrough_loop();
    const Body iterate = std::get<FixedPoint>(c.step()[0]).iterate;
    c.step().erase(c.step().begin());
    c.step().insert(c.step().begin(), iterate.begin(), iterate.end());
    expect_violation(
        c,
        "get A.x (operation 1 of the step procedure \"main\"): A.f feeds through to it "
        "and must hold a value from the time at which A stands: A stands at t=1, A.f "
        "holds one from t=0",
        "put these operations into a fixed-point loop");
}

TEST(VerifyLoops, AFeedthroughLoopInTheInitializationIsNeededForACircle) {
    Case c = feedthrough_loop();
    c.algorithm.initialization = std::get<FixedPoint>(c.step()[0]).iterate;
    expect_violation(c, "get A.x (operation 1 of the initialization): A.f feeds through to it",
                     "set A.f before");
}

TEST(VerifyLoops, ANestedLoopIsCheckedWhereBothAreInTheirLastIteration) {
    Case c = nested();
    auto& search = std::get<Negotiate>(c.step()[3]);
    auto& iterate = std::get<FixedPoint>(search.iterate[0]).iterate;
    std::swap(iterate[9], iterate[10]); // C.g is got before C.z is set
    expect_violation(
        c,
        "get tentative C.g (operation 4.1.10 of the step procedure \"main\"): C.z feeds "
        "through to it",
        "set C.z before, with a value of B.z");
}

TEST(VerifyLoops, ANegotiationAgrees) {
    Case c = negotiation();
    c.system->largest_step = 3;
    negotiation_of(c).iterate[0] = c.op.step_by("D", 2);
    negotiation_of(c).iterate[3] = c.op.step_by("C", 1);
    expect_violation(c,
                     "the negotiation of C, D (operation 3 of the step procedure \"main\"): there "
                     "is no agreement after 4 iterations",
                     "step by the common step in the loop: it shrinks to what all accept");
}

TEST(VerifyLoops, ANegotiationIsRightIfAllAcceptAtOnce) {
    // Only a second iteration would find the value that the first has got.
    Case c = negotiation();
    auto& iterate = negotiation_of(c).iterate;
    std::swap(iterate[1], iterate[2]);
    expect_violation(c,
                     "set C.g (operation 3.2 of the step procedure \"main\"): C.g is reactive, its "
                     "value must be from after the time at which C stands: C stands at t=0, the "
                     "value of D.g is from t=0",
                     "get D.g");
}

TEST(VerifyLoops, TheFirstOperationAfterANegotiationIsChecked) {
    Case c = negotiation();
    std::swap(c.step()[3], c.step()[4]);
    expect_violation(c, "set D.z (operation 4 of the step procedure \"main\"): D.z is delayed",
                     "get C.z and set D.z before: C stands at t=");
}

TEST(VerifyLoops, TheNegotiatedStepIsNotBoundToTheNumberOfUnits) {
    SystemBuilder builder;
    builder.unit("only").can_reject_step().largest_step(7);
    Case c(builder);
    const Operations& o = c.op;
    c.step() = {o.save("only"), o.negotiate({"only"}, {o.step("only")}, {o.restore("only")})};
    EXPECT_TRUE(c.verify().correct());
}

TEST(VerifyLoops, UnitsOutsideOfANegotiationTakeTheStepThatItFound) {
    SystemBuilder builder;
    builder.unit("A").can_reject_step().unit("B").largest_step(3);
    Case c(builder);
    const Operations& o = c.op;
    const Op search = o.negotiate({"A"}, {o.step("A")}, {o.restore("A")});
    c.step() = {o.save("A"), search, o.step("B")};
    EXPECT_TRUE(c.verify().correct());
    c.step() = {o.step("B"), o.save("A"), search};
    expect_violation(c, "A has advanced by 2, B by 3", "put both into a negotiation");
}

} // namespace
} // namespace rubato::algorithm::test
