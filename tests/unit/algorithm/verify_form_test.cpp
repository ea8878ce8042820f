// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"
#include "expect.hpp"

namespace rubato::algorithm::test {
namespace {

using ::testing::SizeIs;

TEST(VerifyForm, StepsComeInOneToTheLargest) {
    Case c = simple();
    c.step()[0] = c.op.step_by("B", 0);
    expect_violation(
        c,
        "step B by 0 (operation 1 of the step procedure \"main\") goes by 0, but steps "
        "come in 1 … 1",
        "leave the number out to go by the common step");
    c.step()[0] = c.op.step_by("B", 2);
    expect_violation(c, "goes by 2, but steps come in 1 … 1", "");
    c.step()[0] = c.op.step_by("B", 1);
    EXPECT_TRUE(c.verify().correct()) << "the largest step is the common one";
}

TEST(VerifyForm, AStepGoesOneWay) {
    Case c = simple();
    c.step()[0] = c.op.step_as("B", "B");
    expect_violation(c, "has the unit wait for itself", "name another unit, or none");
    c.step()[0] = Step{.unit = {1}, .by = 1, .same_as = UnitId{0}};
    expect_violation(c, "goes both by a number and as far as another unit", "choose one");
}

TEST(VerifyForm, OperationsNameWhatThereIs) {
    Case c = simple();
    c.step()[0] = Step{.unit = {7}};
    c.step()[1] = Get{{70}};
    c.step()[2] = Set{{1}};
    const Verdict verdict = c.verify();
    ASSERT_THAT(verdict.violations, SizeIs(3)) << "all problems at once";
    EXPECT_EQ(
        verdict.violations[0].message,
        "step unit #7 (operation 1 of the step procedure \"main\") names a unit that does not "
        "exist");
    EXPECT_EQ(
        verdict.violations[1].message,
        "get port #70 (operation 2 of the step procedure \"main\") names a port that does not "
        "exist");
    EXPECT_EQ(verdict.violations[2].message,
              "set A.f (operation 3 of the step procedure \"main\") takes A.f for an input");
    EXPECT_EQ(verdict.violations[2].hint, "outputs are got, not set");
}

TEST(VerifyForm, TimeDoesNotPassInTheInitialization) {
    Case c = simple();
    c.algorithm.initialization.push_back(c.op.step("A"));
    expect_violation(
        c,
        "step A (operation 5 of the initialization) stands in the initialization, where "
        "time does not pass",
        "there, only get and set");
}

TEST(VerifyForm, ValuesAreTentativeInLoopsOnly) {
    Case c = simple();
    c.step()[1] = c.op.get_tentative("B.g");
    expect_violation(c, "is tentative, but stands in no loop", "make it final");
}

TEST(VerifyForm, LoopsHaveOperations) {
    Case c = reactivity_loop();
    std::get<FixedPoint>(c.step()[2]).iterate.clear();
    expect_violation(c, "has no operations", "remove it, or say what it repeats");
    std::get<FixedPoint>(c.step()[2]) = {};
    EXPECT_THAT(c.verify().violations, SizeIs(2)) << "nor does it compare anything";
}

TEST(VerifyForm, LoopsNeitherSaveNorRestore) {
    Case c = reactivity_loop();
    auto& iterate = std::get<FixedPoint>(c.step()[2]).iterate;
    iterate.push_back(c.op.save("A"));
    iterate.push_back(c.op.restore("B"));
    const Verdict verdict = c.verify();
    ASSERT_THAT(verdict.violations, SizeIs(2));
    EXPECT_EQ(verdict.violations[0].message,
              "save A (operation 3.7 of the step procedure \"main\") stands in a loop, where the "
              "state to go back to would be overwritten");
    EXPECT_EQ(verdict.violations[1].message,
              "restore B (operation 3.8 of the step procedure \"main\") stands in what a loop "
              "repeats, and undoes every iteration");
}

TEST(VerifyForm, RetriesOnlyRestore) {
    Case c = reactivity_loop();
    std::get<FixedPoint>(c.step()[2]).retry.push_back(c.op.get("A.x"));
    expect_violation(
        c,
        "get A.x (operation 3.retry.3 of the step procedure \"main\") stands among what "
        "is done before each repetition, where only units are restored",
        "move it to the operations that are repeated");
}

TEST(VerifyForm, AFixedPointLoopIsNotDirectlyInAnother) {
    Case c = reactivity_loop();
    const Op inner = c.step()[2];
    std::get<FixedPoint>(c.step()[2]).iterate = {inner};
    expect_violation(c, "stands directly in another fixed-point loop", "make them one loop");
    std::get<FixedPoint>(c.step()[2]).iterate = {c.op.parallel({{inner}})};
    expect_violation(c, "stands directly in another fixed-point loop", "make them one loop");
}

TEST(VerifyForm, LoopsRollBackWhatTheyStep) {
    Case c = reactivity_loop();
    std::get<FixedPoint>(c.step()[2]).retry.pop_back();
    expect_violation(c,
                     "step B (operation 3.4 of the step procedure \"main\") is repeated by the "
                     "fixed-point loop over A.x, B.f, which does not roll B back",
                     "save B before the loop and restore it before each repetition");
}

TEST(VerifyForm, EachOfTwoNestedLoopsRollsBackWhatItSteps) {
    Case inner = nested(), outer = nested();
    auto& search = std::get<Negotiate>(inner.step()[3]);
    std::get<FixedPoint>(search.iterate[0]).retry.pop_back();
    expect_violation(inner,
                     "is repeated by the fixed-point loop over A.x, A.v, B.f, B.z, C.g, which "
                     "does not roll C back",
                     "save C before the loop");
    std::get<Negotiate>(outer.step()[3]).retry.pop_back();
    expect_violation(outer, "is repeated by the negotiation of A, B, C, which does not roll C back",
                     "save C before the loop");
}

TEST(VerifyForm, ANegotiationRollsBack) {
    Case c = negotiation();
    std::get<Negotiate>(c.step()[2]).retry.clear();
    expect_violation(
        c,
        "the negotiation of C, D (operation 3 of the step procedure \"main\") rolls no "
        "unit back",
        "restore the units that it steps");
}

TEST(VerifyForm, AllThatMayRejectNegotiate) {
    Case c = negotiation();
    std::get<Negotiate>(c.step()[2]).units.pop_back();
    expect_violation(c,
                     "the negotiation of C (operation 3 of the step procedure \"main\") leaves out "
                     "D, which can reject a step",
                     "name D among the units that must accept the step");
    std::get<Negotiate>(c.step()[2]).units.push_back({9});
    EXPECT_THAT(c.verify().violations, SizeIs(2)) << "and names one that does not exist";
}

TEST(VerifyForm, WhoeverNegotiatesIsAsked) {
    Case c = negotiation();
    auto& search = std::get<Negotiate>(c.step()[2]);
    const Op step = search.iterate.back();
    search.iterate.pop_back();
    c.step().push_back(step);
    expect_violation(c, "waits for C to accept a step, but does not step it", "step C in the loop");
}

TEST(VerifyForm, AProcedureNegotiatesOnce) {
    Case c = negotiation();
    c.step().push_back(c.step()[2]);
    expect_violation(c,
                     "the negotiation of C, D (operation 6 of the step procedure \"main\") is the "
                     "second negotiation of its procedure (the first is operation 3 of the step "
                     "procedure \"main\")",
                     "negotiate once, with all units that can reject a step");
}

TEST(VerifyForm, ConfigurationsNameProceduresThatExist) {
    Case c = adaptive();
    c.algorithm.steps[1].name = "another";
    expect_violation(c,
                     "configuration \"conf2\" names the step procedure \"other\", which does not "
                     "exist",
                     "the step procedures are: another, main");
    c.algorithm.steps[1].name = "main";
    expect_violation(c, "there are two step procedures \"main\"", "rename one");
    c.algorithm.steps.clear();
    expect_violation(c, "the algorithm has no step procedure", "give it one");
}

} // namespace
} // namespace rubato::algorithm::test
