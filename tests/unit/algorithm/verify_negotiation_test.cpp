// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"
#include "expect.hpp"

#include <limits>

/// Negotiations with many units and with long steps.
namespace rubato::algorithm::test {
namespace {

TEST(VerifyNegotiation, WhichUnitAcceptsLeastMatters) {
    // X accepts less than the others: what A gave is of a time that nobody has agreed upon.
    for (const int largest : {2, 3, 20, 1 << 30}) {
        for (const int units : {1, 2, 8, 40}) {
            SCOPED_TRACE(std::to_string(units) + " units, steps of up to " +
                         std::to_string(largest));
            const Verdict verdict = speculation(units, largest, false).verify();
            EXPECT_EQ(verdict.outcome(), Outcome::wrong);
        }
    }
}

TEST(VerifyNegotiation, WhatTheLeastOfAllLeavesMayBeUsed) {
    for (const int largest : {1, 2, 3, 20, 1 << 30}) {
        for (const int units : {1, 2, 8, 40}) {
            SCOPED_TRACE(std::to_string(units) + " units, steps of up to " +
                         std::to_string(largest));
            const Verdict verdict = speculation(units, largest, true).verify();
            EXPECT_EQ(verdict.outcome(), Outcome::correct);
        }
    }
}

TEST(VerifyNegotiation, AnAttemptWithWrongInputsLeavesNothingToUse) {
    // A takes as long a step as x, the only one that may reject, but with the input of a longer
    // one; its value is of the right time all the same.
    SystemBuilder builder;
    builder.unit("x").can_reject_step();
    builder.unit("b").output("o");
    builder.unit("a").input("i", Reactivity::reactive).output("o");
    builder.unit("d").input("r", Reactivity::reactive);
    builder.link("b.o", "a.i").link("a.o", "d.r").largest_step(3);
    Case c(builder);
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("b.o"), o.set("a.i"), o.get("a.o"), o.set("d.r")};
    const auto procedure = [&](const Op& step_of_b) {
        Body body = {o.save("x"), o.save("a"), o.save("b"), o.save("d")};
        for (const Op& op : {o.step("b"), o.get("b.o"), o.set("a.i"), o.step("a"), o.get("a.o"),
                             o.restore("a"), o.restore("b")})
            body.push_back(op);
        body.push_back(
            o.negotiate({"x"},
                        {o.step("x"), step_of_b, o.get("b.o"), o.set("a.i"), o.set("d.r"),
                         o.step_as("a", "x"), o.get("a.o"), o.step_as("d", "x")},
                        {o.restore("x"), o.restore("a"), o.restore("b"), o.restore("d")}));
        return body;
    };
    c.step() = procedure(o.step_as("b", "x"));
    EXPECT_EQ(c.verify().outcome(), Outcome::correct);
    c.step() = procedure(o.step("b"));
    expect_violation(c, "set d.r", "get a.o anew");
    EXPECT_THAT(c.verify().violations.front().message,
                ::testing::HasSubstr("did not keep their contracts"));
}

TEST(VerifyNegotiation, LongStepsDoNotOverflow) {
    for (const int largest : {1 << 30, std::numeric_limits<int>::max()}) {
        Case c = negotiation();
        c.system->largest_step = largest;
        EXPECT_EQ(c.verify().outcome(), Outcome::correct);
        Case other = nested();
        other.system->largest_step = largest;
        EXPECT_EQ(other.verify().outcome(), Outcome::correct);
        Case without = simple();
        without.system->largest_step = largest;
        EXPECT_EQ(without.verify().outcome(), Outcome::correct);
    }
}

TEST(VerifyNegotiation, NumbersThatStepsAreGivenCount) {
    SystemBuilder builder;
    builder.unit("A").unit("B").largest_step(1 << 30);
    Case c(builder);
    c.step() = {c.op.step_by("A", 1 << 20), c.op.step("B")};
    EXPECT_EQ(c.verify().outcome(), Outcome::wrong);
    c.step() = {c.op.step_by("A", 1 << 30), c.op.step("B")};
    EXPECT_EQ(c.verify().outcome(), Outcome::correct);
}

TEST(VerifyNegotiation, WhatOtherConfigurationsConnectIsGotAllTheSame) {
    SystemBuilder builder;
    builder.unit("u0").output("o0").output("o1").unit("u1").input("i", Reactivity::delayed);
    builder.link("u0.o0", "u1.i");
    builder.configuration("c0", "main");
    builder.configuration("c1", "main").relink("u0.o1", "u1.i");
    Case c(builder);
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("u0.o0"), o.get("u0.o1"), o.set("u1.i")};
    c.step() = {o.set("u1.i"), o.step("u0"), o.step("u1"), o.get("u0.o0"), o.get("u0.o1")};
    EXPECT_TRUE(c.verify().correct());
    c.step() = {o.set("u1.i"), o.get("u0.o1"), o.step("u0"), o.step("u1"), o.get("u0.o0")};
    expect_violation(c, "set u1.i", "get u0.o1");
}

TEST(VerifyNegotiation, ButNotUsedThereIfItsInputsWereNotSet) {
    SystemBuilder builder;
    builder.unit("w").output("y");
    builder.unit("u0").input("j", Reactivity::delayed).output("o0").output("o1", {"j"});
    builder.unit("u1").input("i", Reactivity::delayed);
    builder.link("w.y", "u0.j").link("u0.o0", "u1.i");
    builder.configuration("c0", "main");
    builder.configuration("c1", "main").relink("u0.o1", "u1.i");
    Case c(builder);
    const Operations& o = c.op;
    const Body init = {o.get("w.y"), o.set("u0.j"), o.get("u0.o0"), o.get("u0.o1"), o.set("u1.i")};
    c.algorithm.initialization = init;
    c.step() = {o.set("u1.i"), o.step("w"),   o.step("u0"),   o.step("u1"),
                o.get("w.y"),  o.set("u0.j"), o.get("u0.o0"), o.get("u0.o1")};
    EXPECT_TRUE(c.verify().correct());
    std::swap(c.step()[5], c.step()[7]); // o1 is got before j is set
    EXPECT_FALSE(c.verify().correct());
}

} // namespace
} // namespace rubato::algorithm::test
