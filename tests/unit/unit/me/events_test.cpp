// SPDX-License-Identifier: Apache-2.0
// How model exchange units handle events.
#include "fake_model.hpp"
#include "support/error_text.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace rubato::unit {
namespace {

using scenario::SolverMethod;
using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// x' = 1, with an indicator that changes at x = 0.5, where x goes back to 0.
Fake sawtooth() {
    Fake fake;
    fake.derivatives = [](double, const auto&, double, auto& dx) { dx[0] = 1; };
    fake.indicator_count = 1;
    fake.indicators = [](double, const auto& x, double, auto z) { z[0] = x[0] - 0.5; };
    fake.event = [](double, auto& x) {
        EventRound round;
        if (x[0] >= 0.5) {
            x[0] = 0;
            round.states_changed = true;
        }
        return round;
    };
    return fake;
}

class EventsOf : public testing::TestWithParam<SolverMethod> {
protected:
    scenario::SolverSettings settings() const {
        scenario::SolverSettings settings;
        settings.method = GetParam();
        settings.step = 0.07;
        return settings;
    }
};

TEST_P(EventsOf, StateEventsAreLocated) {
    FakeUnit unit(sawtooth(), settings());
    unit.initialize();
    unit.run(1.2, 0.4);
    EXPECT_THAT(unit.seen.events, ElementsAre(DoubleNear(0.5, 1e-9), DoubleNear(1, 1e-9)));
    EXPECT_NEAR(unit.x(), 0.2, 1e-9);
    EXPECT_EQ(unit.statistics().state_events, 2u);
}

TEST_P(EventsOf, SeveralEventsFitInOneStep) {
    FakeUnit unit(sawtooth(), settings());
    unit.initialize();
    (void)unit->step({0}, {5.25});
    EXPECT_EQ(unit.statistics().state_events, 10u);
    EXPECT_NEAR(unit.x(), 0.25, 1e-8);
}

TEST_P(EventsOf, TimeEventsAreMetExactly) {
    Fake fake;
    fake.event = [](double t, auto& x) {
        EventRound round;
        x[0] += 1;
        round.next_event = t < 0.1 ? 0.1 : t < 0.3 ? 0.3 : 7;
        return round;
    };
    FakeUnit unit(fake, settings());
    unit.initialize();
    (void)unit->step({0}, {0.25});
    (void)unit->step({0.25}, {0.25});
    EXPECT_THAT(unit.seen.events, ElementsAre(0.1, 0.3));
    EXPECT_EQ(unit.statistics().time_events, 2u);
    EXPECT_EQ(unit.x(), 3);
}

TEST_P(EventsOf, ATimeEventAtTheEndOfAStepBelongsToIt) {
    Fake fake;
    fake.event = [](double t, auto&) {
        EventRound round;
        if (t < 0.5) round.next_event = 0.5;
        return round;
    };
    FakeUnit unit(fake, settings());
    unit.initialize();
    (void)unit->step({0}, {0.5});
    EXPECT_THAT(unit.seen.events, ElementsAre(0.5));
    (void)unit->step({0.5}, {0.5});
    EXPECT_THAT(unit.seen.events, ElementsAre(0.5));
}

TEST_P(EventsOf, StepEventsAreHeeded) {
    Fake fake;
    fake.completed = [](double t) { return CompletedStep{t >= 0.5, false}; };
    FakeUnit unit(fake, settings());
    unit.initialize();
    unit.run(1, 0.25);
    EXPECT_GE(unit.statistics().step_events, 3u);
    EXPECT_GE(unit.seen.events.front(), 0.5);
}

TEST_P(EventsOf, AModelThatEndsTheSimulationEndsTheStep) {
    Fake fake = sawtooth();
    fake.event = [](double t, auto&) {
        EventRound round;
        round.terminate = t > 0.4;
        return round;
    };
    FakeUnit unit(fake, settings());
    unit.initialize();
    const StepResult result = unit->step({0}, {1});
    EXPECT_EQ(result.end, StepEnd::terminated);
    EXPECT_NEAR(result.reached.seconds, 0.5, 1e-9);
    unit->terminate();
}

TEST_P(EventsOf, AModelWithoutStatesHasEventsToo) {
    Fake fake;
    fake.x = {};
    fake.indicator_count = 1;
    fake.indicators = [](double t, const auto&, double, auto z) { z[0] = std::sin(t); };
    FakeUnit unit(fake, settings());
    unit.initialize();
    unit.run(4, 0.5);
    EXPECT_THAT(unit.seen.events, ElementsAre(DoubleNear(std::acos(-1.0), 1e-9)));
}

TEST_P(EventsOf, AModelThatChattersIsNamed) {
    Fake fake; // x' = -sign(x), as decided at the last event: slides along x = 0
    auto sign = std::make_shared<double>(1);
    fake.x = {1.0 / 3};
    fake.derivatives = [sign](double, const auto&, double, auto& dx) { dx[0] = -*sign; };
    fake.indicator_count = 2;
    fake.indicators = [](double, const auto& x, double, auto z) {
        z[0] = 1;
        z[1] = x[0];
    };
    fake.event = [sign](double, auto& x) {
        *sign = x[0] > 0 ? 1 : -1;
        return EventRound{};
    };
    FakeUnit unit(fake, settings());
    unit.initialize();
    const std::string text = test::error_of<Error>([&] { unit.run(1, 0.1); });
    EXPECT_THAT(text, AllOf(HasSubstr("unit \"it\" failed in the solver"),
                            HasSubstr("the model chatters: 100 events between t = 0.3333"),
                            HasSubstr("the last by event indicator 2")));
}

INSTANTIATE_TEST_SUITE_P(Solvers, EventsOf,
                         testing::Values(SolverMethod::cvode, SolverMethod::adams,
                                         SolverMethod::euler),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(Events, AStepEventThatChangesNothingDoesNotRestartTheSolver) {
    const auto evaluations_if = [](bool changes) {
        Fake fake;
        fake.x = {1, 0};
        fake.derivatives = [](double, const auto& x, double, auto& dx) {
            dx[0] = x[1];
            dx[1] = -x[0];
        };
        fake.completed = [](double) { return CompletedStep{true, false}; };
        fake.event = [changes](double, auto& x) {
            if (changes) x[0] += 1e-12;
            return EventRound{};
        };
        FakeUnit unit(fake);
        unit.initialize();
        unit.run(0.1, 0.1);
        return unit.statistics().evaluations;
    };
    EXPECT_GT(evaluations_if(true), 5 * evaluations_if(false));
}

TEST(Events, RoundsGoOnUntilTheModelNeedsNoMore) {
    Fake fake = sawtooth();
    auto rounds = std::make_shared<int>(0);
    fake.event = [rounds](double, auto&) {
        EventRound round;
        round.again = ++*rounds % 4 != 0;
        return round;
    };
    FakeUnit unit(fake);
    unit.initialize();
    EXPECT_EQ(*rounds, 4);
    unit.run(0.6, 0.6);
    EXPECT_EQ(*rounds, 8);
    EXPECT_THAT(unit.seen.modes, ElementsAre("event", "continuous"));
}

TEST(Events, RoundsThatNeverEndAreReported) {
    Fake fake = sawtooth();
    fake.event = [](double t, auto&) {
        EventRound round;
        round.again = t > 0.1;
        return round;
    };
    FakeUnit unit(fake);
    unit.initialize();
    EXPECT_THAT(test::error_of<Error>([&] { unit.run(1, 1); }),
                HasSubstr("its discrete states have not settled in 1000 rounds"));
}

TEST(Events, ADiscreteInputThatChangesIsAnEvent) {
    FakeUnit unit{Fake{}};
    unit.initialize();
    unit.set_n(0);
    unit.set_u(3);
    (void)unit->step({0}, {0.1});
    EXPECT_THAT(unit.seen.modes, IsEmpty());
    unit.set_n(2);
    unit.set_n(3);
    EXPECT_THAT(unit.seen.modes, ElementsAre("event"));
    (void)unit->step({0.1}, {0.1});
    EXPECT_THAT(unit.seen.modes, ElementsAre("event", "continuous"));
    EXPECT_THAT(unit.seen.events, ElementsAre(0.1));
    EXPECT_EQ(unit.statistics().input_events, 1u);
}

TEST(Events, AContinuousInputThatJumpsAcrossAnIndicatorIsAnEvent) {
    Fake fake;
    fake.indicator_count = 1;
    fake.indicators = [](double, const auto&, double u, auto z) { z[0] = u - 1; };
    FakeUnit unit(fake);
    unit.initialize();
    unit.set_u(0.5);
    (void)unit->step({0}, {0.1});
    EXPECT_THAT(unit.seen.events, IsEmpty());
    unit.set_u(1.5);
    (void)unit->step({0.1}, {0.1});
    EXPECT_THAT(unit.seen.events, ElementsAre(0.1));
    EXPECT_EQ(unit.statistics().input_events, 1u);
}

TEST(Events, AnInputThatMovesAcrossAnIndicatorIsAStateEvent) {
    Fake fake;
    fake.indicator_count = 1;
    fake.indicators = [](double, const auto&, double u, auto z) { z[0] = u - 1; };
    FakeUnit unit(fake);
    unit.initialize();
    unit.derive_u(1, 4);
    (void)unit->step({0}, {1});
    EXPECT_THAT(unit.seen.events, ElementsAre(DoubleNear(0.25, 1e-9)));
}

TEST(Events, AModelThatCannotSaveItsStateGoesBackBetweenEvents) {
    Fake fake = sawtooth();
    fake.has_snapshots = false;
    FakeUnit unit(fake);
    unit.initialize();
    unit.set_u(3);
    (void)unit->step({0}, {0.2});
    unit->snapshots()->save(0);
    const double start = unit.x();
    unit.set_u(4);
    (void)unit->step({0.2}, {0.2});
    const double end = unit.x();
    unit->snapshots()->restore(0);
    EXPECT_EQ(unit.x(), start);
    EXPECT_EQ(unit.x(input_u), 3);
    unit.set_u(4);
    (void)unit->step({0.2}, {0.2});
    EXPECT_EQ(unit.x(), end);
}

TEST(Events, AModelThatCannotSaveItsStateDoesNotGoBackAcrossAnEvent) {
    Fake fake = sawtooth();
    fake.has_snapshots = false;
    FakeUnit unit(fake);
    unit.initialize();
    (void)unit->step({0}, {0.4});
    unit->snapshots()->save(0);
    (void)unit->step({0.4}, {0.4});
    const std::string text = test::error_of<Error>([&] { unit->snapshots()->restore(0); });
    EXPECT_THAT(text, AllOf(HasSubstr("unit \"it\" failed in going back to a saved state"),
                            HasSubstr("there was an event after t = 0.4 s"),
                            HasSubstr("canGetAndSetFMUstate")));
}

TEST(Events, AModelThatCanSaveItsStateGoesBackAcrossEvents) {
    FakeUnit unit(sawtooth());
    unit.initialize();
    (void)unit->step({0}, {0.4});
    unit->snapshots()->save(0);
    (void)unit->step({0.4}, {0.4});
    const double end = unit.x();
    unit->snapshots()->restore(0);
    EXPECT_NEAR(unit.x(), 0.4, 1e-12);
    (void)unit->step({0.4}, {0.4});
    EXPECT_EQ(unit.x(), end);
}

// -- events that others handle, too ---------------------------------------------------------------

/// x' = u, with an indicator that changes at x = 0.5.
Fake shared_crossing() {
    Fake fake = sawtooth();
    fake.derivatives = [](double, const auto&, double u, auto& dx) { dx[0] = u; };
    fake.shares_events = true;
    return fake;
}

void leave_event_mode(FakeUnit& unit) {
    (void)unit->event_mode()->update();
    unit->event_mode()->leave();
}

TEST_P(EventsOf, SharedOnesEndTheStep) {
    FakeUnit unit(shared_crossing(), settings());
    unit.initialize();
    unit.set_u(1);
    leave_event_mode(unit);
    const StepResult result = unit->step({0}, {2});
    EXPECT_EQ(result.end, StepEnd::event);
    EXPECT_NEAR(result.reached.seconds, 0.5, 1e-9);
    EXPECT_NEAR(unit.x(), 0.5, 1e-9);
    EXPECT_EQ(unit->phase(), Phase::stepping);
    unit->event_mode()->enter();
    leave_event_mode(unit);
    EXPECT_EQ(unit.x(), 0);
    EXPECT_NEAR(unit->step(result.reached, {2}).reached.seconds, 1, 1e-9);
}

TEST_P(EventsOf, SharedOnesAreFoundAgainByAStepThatEndsThere) {
    FakeUnit unit(shared_crossing(), settings());
    unit.initialize();
    unit.set_u(1);
    leave_event_mode(unit);
    (void)unit->step({0}, {0.3});
    unit->snapshots()->save(0);
    const Time reached = unit->step({0.3}, {0.9}).reached;
    unit->snapshots()->restore(0);
    const StepResult again = unit->step({0.3}, reached - Time{0.3});
    EXPECT_EQ(again.end, StepEnd::event);
    EXPECT_EQ(again.reached, reached);
}

TEST_P(EventsOf, SharedOnesNeedNotComeAgain) {
    FakeUnit unit(shared_crossing(), settings());
    unit.initialize();
    unit.set_u(1);
    leave_event_mode(unit);
    unit->snapshots()->save(0);
    const Duration length = unit->step({0}, {2}).reached - Time{0};
    unit->snapshots()->restore(0);
    unit.set_u(0.1);
    const StepResult result = unit->step({0}, length);
    EXPECT_EQ(result.end, StepEnd::completed);
    EXPECT_NEAR(unit.x(), 0.1 * length.seconds, 1e-9);
    EXPECT_NEAR(unit->step(result.reached, {1}).reached.seconds, 1 + length.seconds, 1e-12);
    EXPECT_NEAR(unit.x(), 0.1 * (1 + length.seconds), 1e-9);
}

} // namespace
} // namespace rubato::unit
