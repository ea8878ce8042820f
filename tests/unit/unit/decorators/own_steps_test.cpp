// SPDX-License-Identifier: Apache-2.0
#include "counting_unit.hpp"
#include "decorators/own_steps.hpp"
#include "support/allocation_counter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rubato::unit {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using namespace testing_own_steps;

/// Steps of 0.1 s of the others, unless a test makes others.
class OwnSteps : public testing::Test {
protected:
    std::unique_ptr<Unit> make(double step, Traits traits = {},
                               const std::vector<MovingVariable>& inputs = {},
                               const std::vector<MovingVariable>& outputs = {}) {
        auto unit =
            make_own_steps(std::make_unique<Inner>(calls, traits), Duration{step}, inputs, outputs);
        unit->enter_initialization({.start = Time{0}, .stop = Time{10}, .tolerance = {}});
        unit->exit_initialization();
        return unit;
    }
    static void set(Unit& unit, double value) {
        unit.set({ValueType::float64, {&u, 1}, &value, 1});
    }
    static void set_mode(Unit& unit, std::int64_t value) {
        unit.set({ValueType::int32, {&mode, 1}, &value, 1});
    }
    static std::int64_t get_mode(Unit& unit) {
        std::int64_t value = 0;
        unit.get({ValueType::int32, {&mode, 1}, &value, 1});
        return value;
    }
    static double get(Unit& unit, const ValueRef& reference = y) {
        double value = 0;
        unit.get({ValueType::float64, {&reference, 1}, &value, 1});
        return value;
    }
    static void move(Unit& unit, double value, double first, double second = 0) {
        set(unit, value);
        unit.input_derivatives()->set({&u, 1}, 1, {&first, 1});
        unit.input_derivatives()->set({&u, 1}, 2, {&second, 1});
    }
    /// Number n of 0.1 s.
    static StepResult step(Unit& unit, int n) {
        return unit.step(Time{n * 0.1}, Duration{(n + 1) * 0.1 - n * 0.1});
    }

    Calls calls;
};

TEST_F(OwnSteps, ASlowUnitIsCalledAtItsOwnPointsOnly) {
    const auto unit = make(0.4);
    (void)get(*unit);
    calls = {};
    for (int n = 0; n < 3; ++n) {
        EXPECT_EQ(step(*unit, n).end, StepEnd::completed);
        set(*unit, n);
        (void)get(*unit);
    }
    EXPECT_THAT(calls.steps, IsEmpty());
    EXPECT_EQ(calls.gets, 0);
    EXPECT_EQ(calls.sets, 0);
    (void)step(*unit, 3);
    (void)get(*unit);
    (void)get(*unit);
    EXPECT_THAT(calls.steps, ElementsAre(Pair(0, DoubleEq(0.4))));
    EXPECT_EQ(calls.gets, 1);
}

TEST_F(OwnSteps, HeldInputsAreThoseOfTheLastPoint) {
    const auto unit = make(0.4);
    set(*unit, 1);
    for (int n = 0; n < 4; ++n) {
        (void)step(*unit, n);
        EXPECT_DOUBLE_EQ(get(*unit), n < 3 ? 0 : 0.4) << n;
        if (n < 3) set(*unit, 10 + n);
    }
    // What nobody sets again at the point is what was set last.
    for (int n = 4; n < 8; ++n) (void)step(*unit, n);
    EXPECT_DOUBLE_EQ(get(*unit), 0.4 * 1 + 0.4 * 12);
}

TEST_F(OwnSteps, InputsOfAllTypesWaitForThePoint) {
    const auto unit = make(0.2);
    (void)step(*unit, 0);
    set_mode(*unit, 7);
    double half = 3;
    constexpr Part second{1, 1, 2};
    unit->set({ValueType::float64, {&list, 1}, &half, 1, {&second, 1}});
    half = 2;
    constexpr Part first{0, 1, 2};
    unit->set({ValueType::float64, {&list, 1}, &half, 1, {&first, 1}});
    EXPECT_EQ(calls.sets, 0);
    EXPECT_EQ(get_mode(*unit), 7) << "an input is what it was set to";
    (void)step(*unit, 1);
    (void)step(*unit, 2);
    EXPECT_EQ(calls.sets, 2);
    EXPECT_EQ(get_mode(*unit), 7);
    std::array<double, 2> both{};
    constexpr Part whole{0, 2, 2};
    unit->get({ValueType::float64, {&list, 1}, both.data(), 2, {&whole, 1}});
    EXPECT_THAT(both, ElementsAre(2, 3)) << "elements that were set one by one";
}

/// u = t: what is known at the end of the long step is exact.
TEST_F(OwnSteps, MovingInputsAreKnownOverTheWholeOfALongStep) {
    for (const unsigned order : {1U, 2U}) {
        const auto unit = make(0.4, {}, {{u, order}});
        for (int n = 0; n < 4; ++n) {
            move(*unit, n * 0.1, 1);
            (void)step(*unit, n);
        }
        EXPECT_NEAR(get(*unit), 0.4 * 0.4 / 2, 1e-15);
    }
}

/// u = t²: a quadratic is exact in steps that are shorter, longer, and not a multiple.
TEST_F(OwnSteps, QuadraticInputsAreExactForEveryRatioOfSteps) {
    for (const double own : {0.025, 0.1, 0.15, 0.25, 0.3}) {
        calls = {};
        const auto unit = make(own, {}, {{u, 2}});
        for (int n = 0; n < 30; ++n) {
            const double t = n * 0.1;
            move(*unit, t * t, 2 * t, 2);
            (void)step(*unit, n);
        }
        EXPECT_NEAR(get(*unit), 27.0 / 3, 1e-13) << own;
        EXPECT_EQ(calls.steps.size(), static_cast<std::size_t>(std::llround(3 / own)));
    }
}

/// Its points are start + n·step: they neither depend on the steps of the others, nor drift.
TEST_F(OwnSteps, StaysOnItsPointsWhateverStepsTheOthersMake) {
    const auto unit = make(0.07);
    double t = 0;
    for (int n = 0; n < 500; ++n) {
        const double h = 0.001 * (1 + n % 13);
        (void)unit->step(Time{t}, Duration{h});
        t += h;
    }
    ASSERT_EQ(calls.steps.size(), static_cast<std::size_t>(std::floor(t / 0.07)));
    for (std::size_t i = 0; i < calls.steps.size(); ++i) {
        EXPECT_NEAR(calls.steps[i].first, static_cast<double>(i) * 0.07, 1e-12);
        EXPECT_NEAR(calls.steps[i].second, 0.07, 1e-12);
    }
}

TEST_F(OwnSteps, TheLastStepEndsAtTheStopIfTheUnitAcceptsThat) {
    for (const bool accepts : {true, false}) {
        calls = {};
        const auto unit = make(4, {.accepts_any_step = accepts});
        set(*unit, 1);
        for (int n = 0; n < 10; ++n) (void)unit->step(Time{double(n)}, Duration{1});
        EXPECT_EQ(calls.steps.size(), accepts ? 3U : 2U);
        EXPECT_EQ(get(*unit), accepts ? 10 : 8);
    }
}

/// u = 1: y = t, of which two points are enough.
TEST_F(OwnSteps, OutputsAreHeldOrExtrapolatedFromTheLastPoints) {
    for (const unsigned order : {0U, 1U, 2U}) {
        std::vector<MovingVariable> outputs;
        if (order > 0) outputs = {{y, order}};
        const auto unit = make(0.4, {}, {{u, 2}}, outputs);
        for (int n = 0; n < 16; ++n) {
            const double t = n * 0.1;
            move(*unit, order == 2 ? 2 * t : 1, order == 2 ? 2 : 0); // y = t², or t
            (void)step(*unit, n);
            const double now = (n + 1) * 0.1;
            const double last = 0.4 * std::floor(now / 0.4 + 1e-9);
            const double known = last < order * 0.4 - 1e-9 ? last : now;
            const double expected = order == 0 ? last : order == 1 ? known : now * now;
            if (order < 2 || last > 0.7) {
                EXPECT_NEAR(get(*unit), expected, 1e-14) << order << " at " << now;
            }
        }
    }
}

TEST_F(OwnSteps, ARestoredStateGoesOnWithTheSameBits) {
    const auto unit = make(0.35, {}, {{u, 1}}, {{y, 1}});
    const auto steps = [&](int from, int to) {
        std::vector<double> trace;
        for (int n = from; n < to; ++n) {
            move(*unit, std::sin(n), std::cos(n));
            set_mode(*unit, n);
            (void)step(*unit, n);
            trace.push_back(get(*unit));
            trace.push_back(static_cast<double>(get_mode(*unit)));
        }
        return trace;
    };
    (void)steps(0, 10);
    unit->snapshots()->save(0);
    const std::vector<double> expected = steps(10, 30);
    unit->snapshots()->restore(0);
    EXPECT_EQ(steps(10, 30), expected);

    std::vector<std::byte> bytes;
    unit->serialized_states()->serialize(0, bytes);
    unit->serialized_states()->deserialize(3, bytes);
    unit->snapshots()->restore(3);
    EXPECT_EQ(steps(10, 30), expected);
    bytes.resize(bytes.size() / 2);
    EXPECT_THROW(unit->serialized_states()->deserialize(4, bytes), Error);
}

TEST_F(OwnSteps, AStateThatHasNotChangedIsSavedAndRestoredOnce) {
    const auto unit = make(0.4);
    for (int n = 0; n < 3; ++n) {
        unit->snapshots()->save(0);
        (void)step(*unit, n);
        unit->snapshots()->restore(0);
        (void)step(*unit, n);
    }
    EXPECT_EQ(calls.saves, 1);
    EXPECT_EQ(calls.restores, 0);
    unit->snapshots()->save(0);
    (void)step(*unit, 3);
    unit->snapshots()->restore(0);
    EXPECT_EQ(calls.restores, 1);
    (void)step(*unit, 3);
    unit->snapshots()->save(0);
    EXPECT_EQ(calls.saves, 2);
    unit->snapshots()->release(0);
    unit->snapshots()->save(0);
    EXPECT_EQ(calls.saves, 3) << "what was released is lost";
}

TEST_F(OwnSteps, AStepThatEndsEarlyInThePastIsMadeInParts) {
    const auto unit = make(0.4, {.stops_at = 0.15});
    set(*unit, 1);
    for (int n = 0; n < 4; ++n) EXPECT_EQ(step(*unit, n).end, StepEnd::completed);
    EXPECT_THAT(calls.steps,
                ElementsAre(Pair(0, DoubleEq(0.4)), Pair(DoubleEq(0.15), DoubleEq(0.25))));
    EXPECT_DOUBLE_EQ(get(*unit), 0.4);
}

TEST_F(OwnSteps, AStepThatEndsEarlyInTheStepOfTheOthersEndsItToo) {
    const auto unit = make(0.4, {.stops_at = 0.35});
    set(*unit, 1);
    for (int n = 0; n < 3; ++n) (void)step(*unit, n);
    const StepResult result = step(*unit, 3);
    EXPECT_EQ(result.end, StepEnd::rejected);
    EXPECT_DOUBLE_EQ(result.reached.seconds, 0.35);
    EXPECT_EQ(unit->step(result.reached, Duration{0.4 - 0.35}).end, StepEnd::completed);
    EXPECT_DOUBLE_EQ(get(*unit), 0.4);
}

TEST_F(OwnSteps, AUnitThatMakesNoStepRejectsThatOfTheOthers) {
    const auto unit = make(0.2, {.refuses = true});
    EXPECT_EQ(step(*unit, 0).end, StepEnd::completed);
    const StepResult result = step(*unit, 1);
    EXPECT_EQ(result.end, StepEnd::rejected);
    EXPECT_DOUBLE_EQ(result.reached.seconds, 0.1);
}

TEST_F(OwnSteps, AFailureIsItsOwnAndARestoredStateRepairsIt) {
    const auto unit = make(0.2, {.breaks_at = 0.3});
    for (int n = 0; n < 3; ++n) (void)step(*unit, n);
    unit->snapshots()->save(0);
    EXPECT_THROW((void)step(*unit, 3), Error);
    EXPECT_EQ(unit->phase(), Phase::failed);
    unit->snapshots()->restore(0);
    EXPECT_EQ(unit->phase(), Phase::stepping);
    EXPECT_EQ(calls.restores, 1);
}

TEST_F(OwnSteps, StepsDoNotAllocate) {
    const auto unit = make(0.4, {}, {{u, 1}}, {{y, 1}});
    std::size_t before = 0;
    calls.steps.reserve(100);
    for (int n = 0; n < 40; ++n) {
        if (n == 20) before = test::allocations();
        unit->snapshots()->save(0);
        move(*unit, n, 1);
        set_mode(*unit, n);
        (void)step(*unit, n);
        (void)get(*unit);
    }
    EXPECT_EQ(test::allocations(), before);
}

} // namespace
} // namespace rubato::unit
