// SPDX-License-Identifier: Apache-2.0
// Models that decide about their inputs, in every form, one by one.
#include "support/model_unit.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <vector>

namespace rubato::test::events {
namespace {

class DecisionsInEveryForm : public testing::TestWithParam<const char*> {
protected:
    static ModelUnit make(const std::string& model) {
        scenario::SolverSettings solver;
        solver.tolerance = 1e-10;
        return ModelUnit(model, GetParam(), FMUS, solver);
    }
};

/// Makes steps of 0.1 s, each with what was set before it.
class Steps {
public:
    explicit Steps(ModelUnit& unit) : unit_(unit) {}
    void make(int count = 1) {
        for (; count > 0; --count) (void)unit_->step({0.1 * made_++}, {0.1});
    }

private:
    ModelUnit& unit_;
    int made_ = 0;
};

TEST_P(DecisionsInEveryForm, ARelayKeepsItsStateBetweenTheThresholds) {
    ModelUnit relay = make("relay");
    relay.set("upper", 2.0);
    relay.set("lower", 1.0);
    relay.set("on", 7.0);
    relay.set("off", -7.0);
    relay.initialize();
    EXPECT_EQ(relay.real("y"), -7);
    Steps steps(relay);
    for (const auto& [u, y] : {std::pair{1.5, -7.0},
                               {2.0, -7.0},
                               {2.1, 7.0},
                               {1.5, 7.0},
                               {1.0, 7.0},
                               {0.9, -7.0},
                               {1.5, -7.0},
                               {3.0, 7.0}}) {
        relay.set("u", u);
        steps.make();
        EXPECT_EQ(relay.real("y"), y) << u;
        EXPECT_EQ(relay.boolean("closed"), y > 0) << u;
    }
}

TEST_P(DecisionsInEveryForm, AtTheHeightOfAStairContactStaysWhatItWas) {
    ModelUnit stairs = make("staircase");
    stairs.initialize();
    Steps steps(stairs);
    for (const auto& [y, contact] :
         {std::pair{5.0, false}, {4.9, true}, {5.0, true}, {5.1, false}}) {
        stairs.set("y", y);
        steps.make();
        EXPECT_EQ(stairs.boolean("contact"), contact) << y;
        EXPECT_EQ(stairs.integer("stair"), 5);
    }
}

TEST_P(DecisionsInEveryForm, ABallThatComesOverAnEdgeLosesContactAtOnce) {
    ModelUnit stairs = make("staircase");
    stairs.initialize();
    Steps steps(stairs);
    stairs.set("y", 4.9);
    steps.make();
    EXPECT_TRUE(stairs.boolean("contact"));
    stairs.set("x", -1.0); // the edge itself belongs to the upper stair
    steps.make();
    EXPECT_EQ(stairs.integer("stair"), 5);
    stairs.set("x", -0.9);
    steps.make();
    EXPECT_EQ(stairs.integer("stair"), 4);
    EXPECT_FALSE(stairs.boolean("contact"));
    stairs.set("x", 1.5); // over two edges
    steps.make();
    EXPECT_EQ(stairs.integer("stair"), 2);
}

TEST_P(DecisionsInEveryForm, ABodyTakesEachPushOnce) {
    ModelUnit body = make("body");
    body.set("m", 2.0);
    body.initialize();
    Steps steps(body);
    steps.make();
    EXPECT_EQ(body.real("v"), 0);
    body.set("push", 3.0);
    steps.make();
    EXPECT_EQ(body.real("v"), 0); // nobody has pushed yet
    body.set("pushes", std::int64_t{1});
    steps.make(2);
    EXPECT_NEAR(body.real("v"), 1.5, 1e-12);
    EXPECT_NEAR(body.real("x"), 1.5 * 0.2, 1e-9);
    EXPECT_NEAR(body.real("energy"), 2.25, 1e-12);
    EXPECT_EQ(body.integer("taken"), 1);
}

TEST_P(DecisionsInEveryForm, ACollisionPushesOnceUntilTheBodiesPart) {
    ModelUnit collision = make("collision");
    collision.set("m1", 1.0);
    collision.set("m2", 3.0);
    collision.initialize();
    Steps steps(collision);
    collision.set("v1", 2.0);
    steps.make();
    EXPECT_EQ(collision.integer("hits"), 0);
    collision.set("x1", 1.01);
    steps.make(2);
    EXPECT_EQ(collision.integer("hits"), 1);
    EXPECT_DOUBLE_EQ(collision.real("push1"), -3);
    EXPECT_DOUBLE_EQ(collision.real("push2"), 3);
    collision.set("v1", -1.0);
    collision.set("v2", 1.0);
    steps.make();
    EXPECT_FALSE(collision.boolean("pushing"));
    collision.set("v1", 2.0);
    steps.make();
    EXPECT_EQ(collision.integer("hits"), 2);
}

INSTANTIATE_TEST_SUITE_P(Of, DecisionsInEveryForm, testing::ValuesIn(model_forms),
                         [](const auto& test) { return std::string(test.param); });

/// Inputs that move within a step, in forms that follow them.
class DecisionsOnTheWay : public DecisionsInEveryForm {};

TEST_P(DecisionsOnTheWay, CrossingsWithinAStepAreNoticed) {
    ModelUnit relay = make("relay");
    relay.initialize();
    relay.set("u", -1.0);
    const ValueRef u = relay.reference("u");
    const auto rise = [&](double slope) {
        relay->input_derivatives()->set({&u, 1}, 1, {&slope, 1});
    };
    rise(9);
    (void)relay->step({0}, {0.1});
    EXPECT_FALSE(relay.boolean("closed"));
    relay.set("u", -0.1);
    rise(9);
    (void)relay->step({0.1}, {0.1});
    EXPECT_TRUE(relay.boolean("closed"));
}

INSTANTIATE_TEST_SUITE_P(Of, DecisionsOnTheWay, testing::ValuesIn(restorable_forms),
                         [](const auto& test) { return std::string(test.param); });

/// x, y, v_x and v_y of ball_on_stairs at every hundredth of a second, and its decisions.
struct Descent {
    std::vector<std::array<double, 4>> points;
    std::vector<std::pair<std::int64_t, bool>> decisions; ///< in their order
};

Descent descent(ModelUnit& ball) {
    Descent result;
    ball.initialize();
    ball.run(0.01, 800, [&](double) {
        result.points.push_back(
            {ball.real("x"), ball.real("y"), ball.real("v_x"), ball.real("v_y")});
        const std::pair decision = {ball.integer("stair"), ball.boolean("contact")};
        if (result.decisions.empty() || result.decisions.back() != decision)
            result.decisions.push_back(decision);
    });
    return result;
}

/// From two of the stairs it drops while it touches them.
std::vector<std::pair<std::int64_t, bool>> expected_decisions() {
    struct Stair {
        std::int64_t height;
        int bounces;
        bool drops_in_contact;
    };
    std::vector<std::pair<std::int64_t, bool>> result;
    for (const auto& [height, bounces, drops_in_contact] :
         {Stair{5, 2, false}, {4, 3, true}, {3, 3, true}, {2, 4, false}, {1, 1, false}}) {
        result.emplace_back(height, false);
        for (int i = 0; i < bounces; ++i) {
            result.emplace_back(height, true);
            result.emplace_back(height, false);
        }
        if (drops_in_contact) result.pop_back();
    }
    return result;
}

TEST_P(DecisionsInEveryForm, ABallBouncesDownTheStairs) {
    ModelUnit ball = make("ball_on_stairs"), exact("ball_on_stairs", "native", FMUS);
    const Descent found = descent(ball), expected = descent(exact);
    EXPECT_THAT(found.decisions, testing::ElementsAreArray(expected_decisions()));
    constexpr double range[] = {4.3, 4.4, 0.22, 8.3};
    for (std::size_t i = 0; i < expected.points.size(); ++i)
        for (std::size_t k = 0; k < 4; ++k)
            EXPECT_NEAR(found.points[i][k], expected.points[i][k], 2e-5 * range[k]) << i;
}

} // namespace
} // namespace rubato::test::events
