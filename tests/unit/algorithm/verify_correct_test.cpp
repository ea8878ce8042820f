// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <gmock/gmock.h>

namespace rubato::algorithm::test {
namespace {

/// What is wrong, for the message of a failing test.
std::string problems(const Verdict& verdict) {
    std::string text;
    for (const Violation& violation : verdict.violations) {
        text += violation.message + "\n  " + violation.hint + "\n";
        for (const std::string& line : violation.trace) text += "    " + line + "\n";
    }
    return text;
}

void expect_correct(const Case& c) {
    const Verdict verdict = c.verify();
    EXPECT_TRUE(verdict.correct()) << problems(verdict);
    EXPECT_EQ(verdict.coverage, Coverage::every_run);
}

TEST(Verify, AcceptsTheAlgorithmsOfThePaper) {
    expect_correct(simple());
    expect_correct(reactivity_loop());
    expect_correct(reactivity_loop_with_one_guess());
    expect_correct(nested());
    expect_correct(negotiation());
}

TEST(Verify, AcceptsFeedthroughLoopsWithFinalAndWithTentativeValues) {
    expect_correct(feedthrough_loop());

    Case c = feedthrough_loop();
    const Operations& o = c.op;
    const Op loop = o.fixed_point({"A.x", "B.f"}, {o.set("A.f"), o.get_tentative("A.x"),
                                                   o.set_tentative("B.x"), o.get_tentative("B.f")});
    c.algorithm.initialization = {loop};
    c.step() = {o.step("A"), o.step("B"), loop};
    expect_correct(c);
}

TEST(Verify, AcceptsUnitsThatFollowOneThatMayReject) { expect_correct(followers()); }

TEST(Verify, AcceptsAProcedureForEachConfiguration) { expect_correct(adaptive()); }

TEST(Verify, AcceptsExchangeBeforeStepAsWellAsAfter) {
    Case c = feedthrough_loop();
    for (scenario::Port& port : c.system->ports) port.feedthrough.clear();
    const Operations& o = c.op;
    const Body exchange = {o.get("A.x"), o.set("B.x"), o.get("B.f"), o.set("A.f")};
    const Body step = {o.step("A"), o.step("B")};
    c.step() = exchange;
    c.step().insert(c.step().end(), step.begin(), step.end());
    expect_correct(c);
    c.step() = step;
    c.step().insert(c.step().end(), exchange.begin(), exchange.end());
    expect_correct(c);
}

TEST(Verify, LeavesOutPortsThatAreNotConnected) {
    SystemBuilder builder;
    builder.unit("A").input("g", Reactivity::reactive).input("idle", Reactivity::reactive);
    builder.output("f", {"idle"}).output("spare");
    builder.unit("B").input("f", Reactivity::delayed).output("g");
    builder.link("B.g", "A.g").link("A.f", "B.f");
    Case with_spare(builder);
    const Operations& o = with_spare.op;
    with_spare.algorithm.initialization = {o.set("A.idle"), o.get("A.spare"), o.get("A.f"),
                                           o.set("B.f"),    o.get("B.g"),     o.set("A.g")};
    with_spare.step() = {o.set("A.idle"), o.step("B"),  o.get("B.g"), o.set("A.g"),
                         o.step("A"),     o.get("A.f"), o.set("B.f")};
    expect_correct(with_spare);
}

TEST(Verify, AcceptsALoopAroundANegotiation) {
    SystemBuilder builder;
    builder.unit("A").can_reject_step().input("u", Reactivity::reactive).output("y");
    builder.unit("B").input("u", Reactivity::reactive).output("y");
    builder.link("A.y", "B.u").link("B.y", "A.u").largest_step(2);
    Case c(builder);
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("A.y"), o.set("B.u"), o.get("B.y"), o.set("A.u")};
    const Body restore = {o.restore("A"), o.restore("B")};
    c.step() = {o.save("A"), o.save("B"),
                o.fixed_point({"A.y", "B.y"},
                              {o.negotiate({"A"},
                                           {o.set("A.u"), o.set("B.u"), o.step("A"), o.step("B"),
                                            o.get_tentative("A.y"), o.get_tentative("B.y")},
                                           restore)},
                              restore)};
    expect_correct(c);
}

TEST(Verify, CountsTheRuns) {
    EXPECT_EQ(simple().verify().runs, 2U) << "one for each of the two steps";
    // The first step: D accepts 1, 2 or 3 of 3; C, asked for as much, 1 … that: 6 ways, to states
    // that go on alike. The second step, with h = 3, 2 and 1: 6, 3 and 1 ways.
    EXPECT_EQ(negotiation().verify().runs, 6U + (6U + 3U + 1U));
}

} // namespace
} // namespace rubato::algorithm::test
