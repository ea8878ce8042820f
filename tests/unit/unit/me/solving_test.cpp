// SPDX-License-Identifier: Apache-2.0
// How model exchange units solve: accuracy, inputs, failures.
#include "fake_model.hpp"
#include "support/allocation_counter.hpp"
#include "support/collecting_log.hpp"
#include "support/error_text.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace rubato::unit {
namespace {

using scenario::SolverMethod;
using scenario::SolverSettings;
using testing::AllOf;
using testing::HasSubstr;

SolverSettings with(SolverMethod method, std::optional<double> tolerance = {},
                    std::optional<double> step = {}) {
    SolverSettings settings;
    settings.method = method;
    settings.tolerance = tolerance;
    settings.step = step;
    return settings;
}

Fake decay() {
    Fake fake;
    fake.x = {1};
    fake.derivatives = [](double, const auto& x, double, auto& dx) { dx[0] = -x[0]; };
    return fake;
}

Fake oscillator() {
    Fake fake;
    fake.x = {1, 0};
    fake.derivatives = [](double, const auto& x, double, auto& dx) {
        dx[0] = x[1];
        dx[1] = -x[0];
    };
    return fake;
}

double decay_error(const SolverSettings& settings) {
    FakeUnit unit(decay(), settings);
    unit.initialize();
    unit.run(1, 0.5);
    return std::abs(unit.x() - std::exp(-1.0));
}

class EverySolver : public testing::TestWithParam<SolverMethod> {};

TEST_P(EverySolver, SolvesALinearEquation) {
    EXPECT_LT(decay_error(with(GetParam(), 1e-8, 1e-4)), 1e-4);
}

TEST_P(EverySolver, ReachesTheEndOfAStepExactly) {
    FakeUnit unit(decay(), with(GetParam(), {}, 0.013));
    unit.initialize();
    const StepResult result = unit->step({0}, {0.1});
    EXPECT_EQ(result.reached, Time{0.1});
    EXPECT_EQ(result.end, StepEnd::completed);
}

TEST_P(EverySolver, SampledStepsDoNotAllocate) {
    FakeUnit unit(oscillator(), with(GetParam(), {}, 0.01));
    unit.initialize();
    const ValueRef x = 0;
    unit->intermediate_outputs()->sample({&x, 1}, 10);
    (void)unit->step({0}, {0.1});
    const std::size_t before = test::allocations();
    (void)unit->step({0.1}, {0.1});
    EXPECT_EQ(test::allocations(), before);
    EXPECT_EQ(unit->intermediate_outputs()->samples().count(), 10u);
}

TEST_P(EverySolver, StepsDoNotAllocate) {
    FakeUnit unit(oscillator(), with(GetParam(), {}, 0.01));
    unit.initialize();
    (void)unit->step({0}, {0.1});
    const std::size_t before = test::allocations();
    for (int i = 1; i < 50; ++i) (void)unit->step({i * 0.1}, {0.1});
    EXPECT_EQ(test::allocations(), before);
}

TEST_P(EverySolver, GoesOnTheSameToTheLastBitAfterGoingBack) {
    FakeUnit unit(oscillator(), with(GetParam(), {}, 0.01));
    unit.initialize();
    unit.run(2, 0.1); // so that there is a history
    unit->snapshots()->save(0);
    const auto ten_steps = [&] {
        std::vector<double> trajectory;
        for (int i = 20; i < 30; ++i) {
            (void)unit->step({i * 0.1}, {0.1});
            trajectory.push_back(unit.x(0));
            trajectory.push_back(unit.x(1));
        }
        return trajectory;
    };
    const auto first = ten_steps();
    unit->snapshots()->restore(0);
    EXPECT_EQ(ten_steps(), first);
}

TEST_P(EverySolver, SavingChangesNothing) {
    const auto end_of_run = [&](bool saves) {
        FakeUnit unit(oscillator(), with(GetParam(), {}, 0.01));
        unit.initialize();
        for (int i = 0; i < 30; ++i) {
            if (saves) unit->snapshots()->save(0);
            (void)unit->step({i * 0.1}, {0.1});
        }
        return unit.x();
    };
    EXPECT_EQ(end_of_run(true), end_of_run(false));
}

INSTANTIATE_TEST_SUITE_P(Of, EverySolver,
                         testing::Values(SolverMethod::cvode, SolverMethod::adams,
                                         SolverMethod::euler),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(Solving, ErrorsFallWithTheTolerance) {
    for (const SolverMethod method : {SolverMethod::cvode, SolverMethod::adams}) {
        for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11})
            EXPECT_LT(decay_error(with(method, tolerance)), 20 * tolerance);
    }
}

TEST(Solving, HalvingEulersStepHalvesItsError) {
    const double ratio = decay_error(with(SolverMethod::euler, {}, 0.01)) /
                         decay_error(with(SolverMethod::euler, {}, 0.005));
    EXPECT_NEAR(ratio, 2, 0.02);
}

TEST(Solving, ARestartedHistoryWouldShow) {
    // Guards the tests above: that a step depends on those before it, not only on the states.
    FakeUnit with_history(oscillator()), without(oscillator());
    with_history.initialize();
    with_history.run(2, 0.1);
    const auto evaluations = with_history.statistics().evaluations;
    (void)with_history->step({2.0}, {0.1});
    const auto going_on = with_history.statistics().evaluations - evaluations;
    without.initialize();
    const auto at_start = without.statistics().evaluations;
    (void)without->step({0}, {0.1});
    EXPECT_LT(2 * going_on, without.statistics().evaluations - at_start);
}

TEST(Solving, FollowsInputsThatMove) {
    Fake fake;
    fake.derivatives = [](double, const auto&, double u, auto& dx) { dx[0] = u; };
    FakeUnit unit(fake, with(SolverMethod::cvode, 1e-10));
    unit.initialize();
    unit.set_u(1);
    unit.derive_u(1, 2);
    unit.derive_u(2, 6);
    (void)unit->step({0}, {2.0}); // u = 1 + 2 t + 3 t²
    EXPECT_NEAR(unit.x(), 2 + 4 + 8, 1e-7);
    EXPECT_EQ(unit.x(input_u), 1 + 4 + 12);
}

TEST(Solving, RestartsWhenAnInputJumpsButNotWhenItGoesOn) {
    Fake fake = oscillator();
    fake.derivatives = [](double, const auto& x, double u, auto& dx) {
        dx[0] = x[1];
        dx[1] = u - x[0];
    };
    const auto cost_of_last_step = [&](double value) {
        FakeUnit unit(fake);
        unit.initialize();
        unit.derive_u(1, 1);
        for (int i = 0; i < 20; ++i) {
            unit.set_u(i * 0.1);
            (void)unit->step({i * 0.1}, {0.1});
        }
        const auto before = unit.statistics().evaluations;
        unit.set_u(value);
        (void)unit->step({20 * 0.1}, {0.1});
        return unit.statistics().evaluations - before;
    };
    EXPECT_LT(2 * cost_of_last_step(2.0), cost_of_last_step(2.5));
}

TEST(Solving, ADerivativeThatIsNoNumberIsNamed) {
    Fake fake = oscillator();
    fake.derivatives = [](double t, const auto&, double, auto& dx) {
        dx[0] = 1;
        dx[1] = t > 0.55 ? std::nan("") : 1;
    };
    FakeUnit unit(fake);
    unit.initialize();
    const std::string text = test::error_of<Error>([&] { unit.run(1, 0.1); });
    EXPECT_THAT(text, AllOf(HasSubstr("unit \"it\" failed in the solver (cvode) at t = 0.5"),
                            HasSubstr("the derivative of \"x2\" is"), HasSubstr("nan at t = 0.5")));
    EXPECT_EQ(unit->phase(), Phase::failed);
}

TEST(Solving, APointThatTheModelRefusesIsAvoided) {
    Fake fake;
    fake.x = {1};
    fake.derivatives = [](double, const auto& x, double, auto& dx) { dx[0] = -std::sqrt(x[0]); };
    fake.refuses = [](double, const auto& x) { return x[0] < 0; };
    FakeUnit unit(fake);
    unit.initialize();
    (void)unit->step({0}, {1.9}); // x = (1 - t/2)², and beyond t = 2 there is nothing
    EXPECT_NEAR(unit.x(), 0.0025, 1e-5);
}

TEST(Solving, ASingularityIsReported) {
    Fake fake;
    fake.x = {1};
    fake.derivatives = [](double, const auto& x, double, auto& dx) { dx[0] = x[0] * x[0]; };
    FakeUnit unit(fake);
    unit.initialize();
    const std::string text = test::error_of<Error>([&] { (void)unit->step({0}, {2}); });
    EXPECT_THAT(text, HasSubstr("unit \"it\" failed in the solver"));
}

TEST(Solving, WhatTheModelThrowsComesThroughTheSolver) {
    Fake fake;
    fake.derivatives = [](double t, const auto&, double, auto& dx) {
        if (t > 0.5) throw Error("the model's own words");
        dx[0] = 1;
    };
    FakeUnit unit(fake);
    unit.initialize();
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0}, {1}); }),
                HasSubstr("the model's own words"));
}

TEST(Solving, NominalValuesScaleTheTolerances) {
    const auto steps_with = [](double nominal) {
        Fake fake = oscillator();
        fake.x = {1e-6, 0};
        fake.nominals = {nominal, nominal};
        FakeUnit unit(fake);
        unit.initialize();
        unit.run(5, 5);
        return unit.statistics().steps;
    };
    EXPECT_GT(steps_with(1e-6), 2 * steps_with(1));
}

TEST(Solving, NominalValuesThatMakeNoSenseAreTakenAsOne) {
    Fake fake = oscillator();
    fake.nominals = {0, std::numeric_limits<double>::quiet_NaN()};
    test::CollectingLog log;
    FakeUnit unit(fake, {}, log);
    unit.initialize();
    EXPECT_THAT(log.messages(),
                testing::Contains(test::CollectingLog::Message{
                    LogLevel::info, "it",
                    "breaks the rule nominal-not-positive: reading nominal values: that of state 1 "
                    "is 0; the nominal value is taken as absent: 1"}));
    unit.run(1, 0.1);
    EXPECT_NEAR(unit.x(), std::cos(1.0), 1e-4);
}

TEST(Solving, AStepFromElsewhereIsTheCallersBug) {
    FakeUnit unit(decay());
    unit.initialize();
    EXPECT_THROW((void)unit->step({1}, {0.1}), std::logic_error);
}

TEST(Solving, SundialsIsHidden) {
    FakeUnit unit(decay());
    unit.initialize();
    EXPECT_EQ(dlsym(RTLD_DEFAULT, "CVode"), nullptr);
    EXPECT_EQ(dlsym(RTLD_DEFAULT, "CVodeCreate"), nullptr);
    EXPECT_EQ(dlsym(RTLD_DEFAULT, "N_VNew_Serial"), nullptr);
}

} // namespace
} // namespace rubato::unit
