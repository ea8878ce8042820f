// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"
#include "expect.hpp"

namespace rubato::algorithm::test {
namespace {

/// Two units that know each other's past only.
Case independent() {
    SystemBuilder builder;
    builder.unit("A").input("u", Reactivity::delayed).output("y");
    builder.unit("B").input("u", Reactivity::delayed).output("y");
    builder.link("A.y", "B.u").link("B.y", "A.u");
    Case c(builder);
    const Operations& o = c.op;
    c.algorithm.initialization = {o.parallel({{o.get("A.y")}, {o.get("B.y")}}),
                                  o.parallel({{o.set("A.u")}, {o.set("B.u")}})};
    c.step() = {o.parallel({{o.step("A"), o.get("A.y")}, {o.step("B"), o.get("B.y")}}),
                o.parallel({{o.set("A.u")}, {o.set("B.u")}})};
    return c;
}

TEST(VerifyParallel, AcceptsBodiesThatDoNotMeet) { EXPECT_TRUE(independent().verify().correct()); }

TEST(VerifyParallel, AUnitIsInOneBody) {
    Case c = independent();
    const Operations& o = c.op;
    c.step()[0] = o.parallel({{o.step("A"), o.step("B"), o.get("B.y")}, {o.get("A.y")}});
    expect_violation(c,
                     "step A (operation 1.body1.1 of the step procedure \"main\") and get A.y "
                     "(operation 1.body2.1 of the step procedure \"main\") may run at the same "
                     "time, but both use A",
                     "put them into one body, or one of them before or after the section");
}

TEST(VerifyParallel, AValueIsNotSetWhileItIsGot) {
    Case c = independent();
    const Operations& o = c.op;
    c.step() = {o.parallel({{o.step("A"), o.get("A.y")}, {o.step("B"), o.set("B.u")}}),
                o.get("B.y"), o.set("A.u")};
    expect_violation(c,
                     "get A.y (operation 1.body1.2 of the step procedure \"main\") and set B.u "
                     "(operation 1.body2.2 of the step procedure \"main\") may run at the same "
                     "time, but both depend on the value of A.y",
                     "put them into one body");
}

TEST(VerifyParallel, AStepDoesNotFollowOneThatIsUnderWay) {
    Case c = independent();
    const Operations& o = c.op;
    c.step()[0] = o.parallel({{o.step("A"), o.get("A.y")}, {o.step_as("B", "A"), o.get("B.y")}});
    expect_violation(c, "but both depend on the step that A accepts", "put them into one body");
}

TEST(VerifyParallel, NobodyStepsWhileTheStepIsNegotiated) {
    SystemBuilder builder;
    builder.unit("A").can_reject_step().unit("B").largest_step(2);
    Case c(builder);
    const Operations& o = c.op;
    const Op search = o.negotiate({"A"}, {o.step("A")}, {o.restore("A")});
    c.step() = {o.save("A"), o.parallel({{search}, {o.step("B")}})};
    const Verdict verdict = c.verify();
    ASSERT_FALSE(verdict.correct());
    EXPECT_THAT(verdict.violations.back().message,
                ::testing::HasSubstr("but both depend on the common step"));
    c.step() = {o.save("A"), search, o.parallel({{o.step("B")}})};
    EXPECT_TRUE(c.verify().correct());
}

TEST(VerifyParallel, BodiesMayHoldLoopsOfTheirOwn) {
    SystemBuilder builder;
    Body step, initialization;
    std::vector<Body> loops;
    for (const std::string pair : {"1", "2"}) {
        builder.unit("A" + pair).input("u", Reactivity::reactive).output("y");
        builder.unit("B" + pair).input("u", Reactivity::reactive).output("y");
        builder.link("A" + pair + ".y", "B" + pair + ".u");
        builder.link("B" + pair + ".y", "A" + pair + ".u");
    }
    Case c(builder);
    const Operations& o = c.op;
    for (const std::string pair : {"1", "2"}) {
        const std::string a = "A" + pair, b = "B" + pair;
        for (const Op& op : {o.get(a + ".y"), o.get(b + ".y"), o.set(a + ".u"), o.set(b + ".u")})
            initialization.push_back(op);
        loops.push_back({o.save(a), o.save(b),
                         o.fixed_point({a + ".y", b + ".y"},
                                       {o.set(a + ".u"), o.set(b + ".u"),
                                        o.parallel({{o.step(a)}, {o.step(b)}}),
                                        o.get_tentative(a + ".y"), o.get_tentative(b + ".y")},
                                       {o.restore(a), o.restore(b)})});
    }
    c.algorithm.initialization = initialization;
    c.step() = {o.parallel(loops)};
    EXPECT_TRUE(c.verify().correct());
}

} // namespace
} // namespace rubato::algorithm::test
