// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

namespace rubato::scenario::testing {
namespace {

std::string problems_of(const std::string& units, const std::string& rest) {
    return resolve_text("rubato: 1\nunits:\n" + units + rest, {two_port(), two_port()}).problems();
}

const std::string two = "  a: {model: m, energy: [x]}\n  b: {model: m, energy: [x, y]}\n";

TEST(OrderSettings, AreThoseOfThePaperUnlessGiven) {
    AlgorithmSettings settings;
    EXPECT_EQ(settings.order_settings().waiting, 2);
    EXPECT_EQ(settings.order_settings().cool_down, 1);
    EXPECT_EQ(settings.order_settings().window, 31);
    EXPECT_EQ(settings.order_settings().estimator, OrderEstimator::input);
    settings.order_window = 7;
    settings.order_inverted = true;
    EXPECT_EQ(settings.order_settings().window, 7);
    EXPECT_TRUE(settings.order_settings().inverted);
}

TEST(OrderSettings, AreInTheirRange) {
    EXPECT_EQ(problems_of(two, "algorithm: {recipe: adaptive-gauss-seidel, order-waiting: -1, "
                               "order-cool-down: -2, order-window: 0}\n"),
              "s.yaml:5: algorithm.order-waiting is -1: it must be at least 0\n"
              "s.yaml:5: algorithm.order-cool-down is -2: it must be at least 0\n"
              "s.yaml:5: algorithm.order-window is 0: it must be at least 1\n");
}

TEST(OrderSettings, HaveNoEffectOnAnOrderThatStays) {
    EXPECT_EQ(
        problems_of(two, "algorithm: {recipe: gauss-seidel, order-estimator: input, "
                         "order-window: 3}\n"),
        "s.yaml:5: warning: algorithm.order-estimator has no effect: the order does not adapt\n"
        "  use recipe: adaptive-gauss-seidel, or leave it out\n"
        "s.yaml:5: warning: algorithm.order-window has no effect: the order does not adapt\n"
        "  use recipe: adaptive-gauss-seidel, or leave it out\n");
}

TEST(OrderSettings, AnOrderNamesEveryUnitOnce) {
    EXPECT_EQ(problems_of(two, "algorithm: {recipe: adaptive-gauss-seidel, order: [a, b, a]}\n"),
              "s.yaml:5: algorithm.order names unit \"a\" twice\n");
}

TEST(OrderSettings, PowerNeedsEnergiesOrBonds) {
    const std::string power =
        "algorithm: {recipe: adaptive-gauss-seidel, order-estimator: power}\n";
    EXPECT_EQ(problems_of(two, power), "");
    EXPECT_EQ(problems_of("  a: {model: m}\n  b: {model: m, energy: [x]}\n", power),
              "s.yaml:5: algorithm.order-estimator is power, but unit \"a\" declares no energy\n"
              "  declare energy: [variables] and losses for each unit, or power bonds between all "
              "that feed each other, or use order-estimator: input\n");
}

/// What feeds one way only does no work that a bond could tell.
TEST(OrderSettings, BondsCoverAllThatFeedEachOther) {
    const auto problems = [](const std::string& connections, const std::string& bonds) {
        return resolve_text("rubato: 1\nunits: {a: {model: m}, b: {model: m}, c: {model: m}}\n"
                            "algorithm: {recipe: adaptive-gauss-seidel, order-estimator: power}\n"
                            "connections: [a.y -> b.u, b.y -> a.u, " +
                                connections + "]\nbonds: " + bonds + "\n",
                            {two_port(), two_port(), two_port()})
            .problems();
    };
    const std::string one = "{s: {effort: a.y -> b.u, flow: b.y -> a.u}}";
    EXPECT_EQ(problems("b.z -> c.u", one), "");
    EXPECT_EQ(problems("b.z -> c.u, c.y -> b.w", one),
              "s.yaml:3: algorithm.order-estimator is power, but units \"a\", \"b\", \"c\" declare "
              "no energy, and no power bond joins \"b\" and \"c\"\n"
              "  declare energy: [variables] and losses for each unit, or power bonds between all "
              "that feed each other, or use order-estimator: input\n");
    EXPECT_EQ(problems("b.z -> c.u, c.y -> b.w", "{s: {effort: a.y -> b.u, flow: b.y -> a.u}, "
                                                 "r: {effort: c.y -> b.w, flow: b.z -> c.u}}"),
              "");
}

TEST(OrderSettings, LeaveNoRoomForConfigurations) {
    EXPECT_EQ(problems_of(two, "algorithm: {recipe: adaptive-gauss-seidel}\n"
                               "configurations: {one: {}}\n"),
              "s.yaml:6: adaptive-gauss-seidel makes a configuration of every order: it cannot "
              "have others\n"
              "  use gauss-seidel or synthesized, or remove the configurations\n");
}

TEST(OrderSettings, EnergiesAreRealVariables) {
    EXPECT_EQ(problems_of("  a: {model: m, energy: [heat]}\n"
                          "  b: {model: m, losses: [{effort: x, displacement: w2}]}\n",
                          ""),
              "s.yaml:3: unit \"a\" has no variable \"heat\"\n"
              "  its variables are: u, w, y, z, m, x\n"
              "s.yaml:4: unit \"b\" has no variable \"w2\"\n"
              "  did you mean \"w\"? its variables are: u, w, y, z, m, x\n");
}

TEST(SubSteps, AreAtLeastOne) {
    EXPECT_EQ(problems_of("  a: {model: m, sub-steps: 0}\n  b: {model: m}\n", ""),
              "s.yaml:3: units.a.sub-steps is 0: it must be at least 1\n");
}

TEST(SubSteps, LetInputsMoveThatTheUnitCanOnlyHold) {
    const std::string moving = "inputs: {u: {approximation: quadratic}}";
    EXPECT_EQ(problems_of("  a: {model: m, sub-steps: 4, " + moving + "}\n  b: {model: m}\n", ""),
              "");
    EXPECT_NE(problems_of("  a: {model: m, " + moving + "}\n  b: {model: m}\n", "")
                  .find("cut its steps, so that the input can change between the parts: "
                        "sub-steps: 10; or use constant"),
              std::string::npos);
}

TEST(Join, IsForInputsThatMove) {
    EXPECT_EQ(
        problems_of("  a: {model: m, inputs: {u: {join: continuous}}}\n  b: {model: m}\n", ""),
        "s.yaml:3: input \"u\" of unit \"a\" is constant between communication points: its "
        "pieces cannot join continuously\n"
        "  remove join, or give it approximation: linear\n");
}

} // namespace
} // namespace rubato::scenario::testing
