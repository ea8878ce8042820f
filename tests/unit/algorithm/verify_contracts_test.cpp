// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"
#include "expect.hpp"

namespace rubato::algorithm::test {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(VerifyContracts, AReactiveInputIsSetAfterItsSourceHasStepped) {
    Case c = simple();
    const Operations& o = c.op;
    c.step() = {o.get("B.g"), o.set("A.g"), o.step("B"), o.step("A"), o.get("A.f"), o.set("B.f")};
    expect_violation(c,
                     "set A.g (operation 2 of the step procedure \"main\"): A.g is reactive, its "
                     "value must be from after the time at which A stands: A stands at t=0, the "
                     "value of B.g is from t=0",
                     "step B, get B.g and set A.g, all before A steps");
}

TEST(VerifyContracts, AReactiveInputNeedsTheNewValueOfItsSource) {
    Case c = simple();
    std::swap(c.step()[1], c.step()[2]);
    expect_violation(c, "A stands at t=0, the value of B.g is from t=0",
                     "get B.g and set A.g before: B stands at t=1 already");
}

TEST(VerifyContracts, ADelayedInputIsSetAfterItsUnitHasStepped) {
    Case c = simple();
    c.system->ports[0].reactivity = Reactivity::delayed;
    expect_violation(c,
                     "set A.g (operation 3 of the step procedure \"main\"): A.g is delayed, its "
                     "value must be from the time at which A stands: A stands at t=0, the value of "
                     "B.g is from t=1",
                     "set A.g after A has stepped as far as B, or get B.g before B steps");
}

TEST(VerifyContracts, ADelayedInputIsNotSetWithAnOldValue) {
    Case c = simple();
    std::swap(c.step()[4], c.step()[5]);
    expect_violation(c, "set B.f (operation 5 of the step procedure \"main\"): B.f is delayed",
                     "get A.f and set B.f before: A stands at t=1 already");
}

TEST(VerifyContracts, AStepNeedsItsReactiveInputsFromItsEnd) {
    Case c = simple();
    std::swap(c.step()[2], c.step()[3]);
    expect_violation(
        c,
        "step A (operation 3 of the step procedure \"main\"): A.g is reactive and must "
        "hold a value from the end of the step, t=1; A stands at t=0, A.g holds one "
        "from t=0",
        "get B.g and set A.g before: B stands at t=1 already");
}

TEST(VerifyContracts, AStepNeedsItsDelayedInputsFromItsBeginning) {
    Case c = simple();
    const Operations& o = c.op;
    c.system->ports[0].reactivity = Reactivity::delayed;
    c.step() = {o.get("B.g"), o.set("A.g"), o.step("A"), o.step("A"),
                o.step("B"),  o.get("A.f"), o.set("B.f")};
    expect_violation(c,
                     "step A (operation 4 of the step procedure \"main\"): A.g is delayed and must "
                     "hold a value from the time at which A stands, t=1; it holds one from t=0",
                     "step B before, then get B.g and set A.g");
}

TEST(VerifyContracts, AnOutputIsGotAfterTheInputsThatFeedThroughToIt) {
    Case c = followers();
    const Operations& o = c.op;
    c.step() = {o.step("msd1"),   o.step_as("msd3", "msd1"), o.get("msd1.x1"), o.get("msd2.fk"),
                o.set("msd2.x1"), o.step_as("msd2", "msd1"), o.set("msd1.fk"), o.set("msd3.fk")};
    expect_violation(c,
                     "set msd1.fk (operation 7 of the step procedure \"main\"): msd1.fk is delayed",
                     "get msd2.fk and set msd1.fk before: msd2 stands at t=");
    c.step() = {o.step("msd1"),   o.step_as("msd3", "msd1"), o.get("msd1.x1"), o.set("msd2.x1"),
                o.get("msd2.fk"), o.step_as("msd2", "msd1"), o.set("msd1.fk"), o.set("msd3.fk")};
    expect_violation(c,
                     "get msd2.fk (operation 5 of the step procedure \"main\"): msd2.x1 feeds "
                     "through to it and must hold a value from the time at which msd2 stands: msd2 "
                     "stands at t=0, msd2.x1 holds one from t=",
                     "set msd2.x1 before, with a value of msd1.x1 from t=0");
}

TEST(VerifyContracts, InitializationFollowsFeedthrough) {
    Case c = adaptive();
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("msd1.x1"), o.set("msd2.x1"), o.get("msd2.fk"),
                                  o.set("msd1.fk"), o.get("msd1.v1"), o.set("msd2.v1")};
    expect_violation(c,
                     "get msd2.fk (operation 3 of the initialization): msd2.v1 feeds through to it "
                     "and has not been set yet",
                     "set msd2.v1 before");
    c.algorithm.initialization = {o.set("msd2.x1"), o.get("msd1.x1"), o.get("msd1.v1"),
                                  o.set("msd2.v1"), o.get("msd2.fk"), o.set("msd1.fk")};
    expect_violation(
        c,
        "set msd2.x1 (operation 1 of the initialization): there is no value of msd1.x1 "
        "yet",
        "get msd1.x1 before");
}

TEST(VerifyContracts, UnitsThatWaitForEachOtherNeedALoop) {
    Case c = reactivity_loop();
    const Operations& o = c.op;
    c.step() = {o.set("B.x"), o.step("B"), o.get("B.f"), o.set("A.f"), o.step("A"),
                o.get("A.x"), o.step("C"), o.get("C.j"), o.set("B.j")};
    expect_violation(c, "set B.x (operation 1 of the step procedure \"main\"): B.x is reactive",
                     "A and B each wait for the other to step first: put the operations between "
                     "them into a fixed-point loop with roll-back");
}

TEST(VerifyContracts, EveryConnectedPortIsUsedInEveryProcedure) {
    Case c = adaptive();
    std::erase_if(c.algorithm.steps[1].body, [](const Op& op) {
        return std::holds_alternative<Get>(op) && std::get<Get>(op).port == PortId{2};
    });
    expect_violation(c,
                     "msd1.v1 is never got in the step procedure \"other\", although it is "
                     "connected to msd2.x1 in configuration \"conf2\"",
                     "get msd1.v1 in the step procedure \"other\"");
}

TEST(VerifyContracts, EveryConnectedPortIsUsedInTheInitialization) {
    Case c = adaptive();
    c.algorithm.initialization.pop_back();
    expect_violation(c,
                     "msd1.fk is never set in the initialization, although it is connected to "
                     "msd2.fk",
                     "set msd1.fk in the initialization");
}

TEST(VerifyContracts, EveryConfigurationIsExploredInTheSecondStep) {
    Case c = adaptive();
    c.algorithm.steps[1].body = c.step();
    const Verdict verdict = c.verify();
    ASSERT_THAT(verdict.violations, SizeIs(1));
    EXPECT_EQ(
        verdict.violations[0].message,
        "step msd1 (operation 1 of the step procedure \"other\"): msd1.fk is reactive and must "
        "hold a value from the end of the step, t=2; msd1 stands at t=1, msd1.fk holds one "
        "from t=1");
    EXPECT_THAT(verdict.violations[0].trace, ::testing::Contains("step 2 with h=1 in configuration "
                                                                 "\"conf2\":"));
}

TEST(VerifyContracts, EveryUnitAdvances) {
    SystemBuilder builder;
    builder.unit("A").input("u", Reactivity::reactive);
    builder.unit("B").output("y");
    builder.unit("alone");
    builder.link("B.y", "A.u");
    Case idle(builder);
    const Operations& o = idle.op;
    idle.algorithm.initialization = {o.get("B.y"), o.set("A.u")};
    idle.step() = {o.step("B"), o.get("B.y"), o.set("A.u"), o.step("alone")};
    expect_violation(idle, "at the end of the step procedure \"main\", A has not advanced",
                     "step A once, and do not restore it after");
    idle.step() = {o.step("B"), o.get("B.y"), o.set("A.u"), o.step("A")};
    expect_violation(idle, "at the end of the step procedure \"main\", alone has not advanced",
                     "step alone once");
}

TEST(VerifyContracts, AllUnitsAdvanceByTheSameAmount) {
    SystemBuilder builder;
    builder.unit("A").unit("B").unit("C");
    Case loose(builder);
    const Operations& o = loose.op;
    loose.step() = {o.step("A"), o.step("B"), o.step("C"), o.step("B")};
    expect_violation(loose,
                     "at the end of the step procedure \"main\", B has advanced by 2, A by 1",
                     "step each unit once, B as far as A");
    loose.step() = {o.step("A"), o.step("B"), o.step("C"), o.step("A"), o.step("B"), o.step("C")};
    expect_violation(loose, "all units have advanced by 2 in a step of 1", "step each unit once");
    loose.step() = {};
    expect_violation(loose, "A has not advanced", "step A once");
}

TEST(VerifyContracts, AUnitThatMayRejectIsNotJustSteppedBy) {
    Case c = followers();
    const Operations& o = c.op;
    c.step()[1] = o.step("msd3");
    c.step()[4] = o.step("msd2");
    const Verdict verdict = c.verify();
    ASSERT_FALSE(verdict.correct());
    EXPECT_EQ(
        verdict.violations[0].message,
        "step msd2 (operation 5 of the step procedure \"main\"): msd2.x1 is reactive and must "
        "hold a value from the end of the step, t=3; msd2 stands at t=0, msd2.x1 holds one "
        "from t=2: msd1 has accepted no more of its step");
    EXPECT_EQ(verdict.violations[0].hint,
              "step msd2 as far as msd1, or put both into a negotiation");
}

TEST(VerifyContracts, OneStepsAsFarAsAUnitThatHasStepped) {
    Case c = followers();
    std::swap(c.step()[0], c.step()[1]);
    expect_violation(c,
                     "step msd3 as far as msd1 (operation 1 of the step procedure \"main\"): msd1 "
                     "has not stepped yet in this co-simulation step",
                     "step msd1 before");
}

TEST(VerifyContracts, AProcedureLeavesWhatTheNextOneNeeds) {
    // Right as long as neither configuration follows the other: one exchanges before it steps, the
    // other after.
    SystemBuilder builder;
    builder.unit("A").output("y").unit("B").input("u", Reactivity::delayed).link("A.y", "B.u");
    builder.configuration("one", "after").configuration("other", "before");
    Case c(builder);
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("A.y"), o.set("B.u")};
    c.algorithm.steps = {{"after", {o.step("A"), o.step("B"), o.get("A.y"), o.set("B.u")}},
                         {"before", {o.get("A.y"), o.set("B.u"), o.step("A"), o.step("B")}}};
    expect_violation(c,
                     "step B (operation 2 of the step procedure \"after\"): B.u is delayed and "
                     "must hold a value from the time at which B stands, t=2; it holds one from "
                     "t=1",
                     "B");
}

TEST(VerifyContracts, TheTraceIsTheShortestWayThereWithTimes) {
    Case c = simple();
    std::swap(c.step()[4], c.step()[5]);
    const Verdict verdict = c.verify();
    ASSERT_THAT(verdict.violations, SizeIs(1));
    EXPECT_THAT(
        verdict.violations[0].trace,
        ElementsAre("initialize:", "  get A.f: A at t=0", "  set B.f: B at t=0, value from t=0",
                    "  get B.g: B at t=0", "  set A.g: A at t=0, value from t=0",
                    "step 1 with h=1:", "  step B: B from t=0 to t=1", "  get B.g: B at t=1",
                    "  set A.g: A at t=0, value from t=1", "  step A: A from t=0 to t=1",
                    "  set B.f: B.f is delayed, its value must be from the time at which B "
                    "stands: B stands at t=1, the value of A.f is from t=0"));
}

} // namespace
} // namespace rubato::algorithm::test
