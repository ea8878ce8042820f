// SPDX-License-Identifier: Apache-2.0
#include "support/model_unit.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace rubato::test::events {
namespace {

constexpr double g = 9.81, e = 0.7;
constexpr int all_bounces = 11; // the first after which v1 eⁿ < v_min

double bounce_time(int n) {
    double time = std::sqrt(2 / g);
    for (int i = 1; i < n; ++i) time += 2 * std::sqrt(2 * g) / g * std::pow(e, i);
    return time;
}

class EventsInEveryForm : public testing::TestWithParam<const char*> {
protected:
    ModelUnit make(const std::string& model) {
        scenario::SolverSettings solver;
        solver.tolerance = 1e-8;
        ModelUnit unit(model, GetParam(), FMUS, solver);
        unit.initialize();
        return unit;
    }
};

TEST_P(EventsInEveryForm, TheBallBouncesWhenItShould) {
    ModelUnit ball = make("bouncing_ball");
    std::vector<double> times;
    ball.run(0.01, 300, [&](double) {
        const auto bounces = static_cast<std::size_t>(ball.integer("bounces"));
        if (bounces > times.size()) times.push_back(ball.real("last_bounce"));
        EXPECT_EQ(bounces, times.size());
        EXPECT_GE(ball.real("h"), 0);
    });
    ASSERT_EQ(times.size(), all_bounces);
    for (int n = 1; n <= all_bounces; ++n)
        EXPECT_NEAR(times[static_cast<std::size_t>(n - 1)], bounce_time(n), 1e-6) << n;
}

TEST_P(EventsInEveryForm, TheBallComesToRest) {
    ModelUnit ball = make("bouncing_ball");
    ball.run(1.5, 2); // all bounces in two steps
    EXPECT_EQ(ball.integer("bounces"), all_bounces);
    EXPECT_NEAR(ball.real("last_bounce"), bounce_time(all_bounces), 1e-6);
    EXPECT_TRUE(ball.boolean("resting"));
    EXPECT_EQ(ball.real("h"), 0);
    EXPECT_EQ(ball.real("v"), 0);
}

TEST_P(EventsInEveryForm, TheBallFallsOnAParabola) {
    ModelUnit ball = make("bouncing_ball");
    ball.run(0.05, 9, [&](double t) { EXPECT_NEAR(ball.real("h"), 1 - g * t * t / 2, 1e-6); });
}

/// In forms whose state can be saved.
class EventsTakenBack : public EventsInEveryForm {};

TEST_P(EventsTakenBack, ABounceMadeAgainIsTheSame) {
    ModelUnit ball = make("bouncing_ball");
    ball.run(0.1, 4);
    ball->snapshots()->save(0);
    const auto bounce = [&] {
        (void)ball->step({4 * 0.1}, {0.1});
        return std::vector{ball.real("h"), ball.real("v"), ball.real("last_bounce")};
    };
    const auto first = bounce();
    EXPECT_EQ(ball.integer("bounces"), 1);
    ball->snapshots()->restore(0);
    EXPECT_EQ(ball.integer("bounces"), 0);
    EXPECT_EQ(bounce(), first);
}

TEST_P(EventsInEveryForm, TheStairIsClimbedOnTime) {
    ModelUnit stair = make("stair");
    EXPECT_EQ(stair.integer("count"), 0);
    stair.run(0.25, 40, [&](double t) {
        EXPECT_EQ(stair.integer("count"), static_cast<std::int64_t>(t)) << t;
    });
}

TEST_P(EventsInEveryForm, TheStairIsClimbedWithinOneStep) {
    ModelUnit stair = make("stair");
    stair.run(7.5, 1);
    EXPECT_EQ(stair.integer("count"), 7);
}

INSTANTIATE_TEST_SUITE_P(Of, EventsInEveryForm, testing::ValuesIn(model_forms),
                         [](const auto& test) { return std::string(test.param); });

INSTANTIATE_TEST_SUITE_P(Of, EventsTakenBack, testing::ValuesIn(restorable_forms),
                         [](const auto& test) { return std::string(test.param); });

TEST(EventsOfFmi1, CannotBeTakenBack) {
    ModelUnit ball("bouncing_ball", "fmi1_me", FMUS);
    ball.initialize();
    ball.run(0.1, 3);
    ball->snapshots()->save(0);
    (void)ball->step({0.3}, {0.1});
    EXPECT_NO_THROW(ball->snapshots()->restore(0)); // there was none
    (void)ball->step({0.3}, {0.2});
    EXPECT_EQ(ball.integer("bounces"), 1);
    EXPECT_THROW(ball->snapshots()->restore(0), Error);
}

TEST(EventsOfModelExchange, AreCounted) {
    ModelUnit ball("bouncing_ball", "fmi2_me", FMUS), stair("stair", "fmi3_me", FMUS);
    ball.initialize();
    ball.run(0.1, 30);
    EXPECT_EQ(ball->solver_statistics()->state_events, std::uint64_t{all_bounces});
    stair.initialize();
    stair.run(0.3, 20);
    EXPECT_EQ(stair->solver_statistics()->time_events, 6u);
    EXPECT_EQ(stair->solver_statistics()->state_events, 0u);
}

} // namespace
} // namespace rubato::test::events
