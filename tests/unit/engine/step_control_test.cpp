// SPDX-License-Identifier: Apache-2.0
#include "control/step_size.hpp"
#include "pair.hpp"
#include "support/allocation_counter.hpp"
#include "support/formula_unit.hpp"

#include <rubato/engine/reference.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rubato::engine::testing {
namespace {

using scenario::StepController;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Duration span{100};

TEST(StepSize, GrowsWhileErrorsAreSmallAndWithinItsLimits) {
    StepSize size({.growth = 3}, {0.1}, span);
    size.accept({0.1}, 0, 1, false);
    EXPECT_DOUBLE_EQ(size.next().seconds, 0.3);
    StepSize bounded({.maximum = 0.15}, {0.1}, span);
    bounded.accept({0.1}, 0, 1, false);
    EXPECT_EQ(bounded.next().seconds, 0.15);
}

TEST(StepSize, SettlesWhereTheErrorIsJustGoodEnough) {
    // error = (step / 0.02)^2
    StepSize size({}, {0.1}, span);
    for (int i = 0; i < 40; ++i) {
        const double step = size.next().seconds;
        const double error = std::pow(step / 0.02, 2);
        error <= 1 ? size.accept({step}, error, 2, false) : size.reject({step}, error, 2);
    }
    EXPECT_GT(size.next().seconds, 0.8 * 0.02);
    EXPECT_LT(size.next().seconds, 0.02);
}

TEST(StepSize, DoesNotGrowRightAfterARejection) {
    StepSize size({}, {0.1}, span);
    size.reject({0.1}, 4, 1);
    const double shorter = size.next().seconds;
    EXPECT_DOUBLE_EQ(shorter, 0.1 * 0.9 / 4);
    size.accept({shorter}, 1e-6, 1, false);
    EXPECT_LE(size.next().seconds, shorter);
}

TEST(StepSize, ForgetsHowSmallErrorsWereAtRest) {
    StepSize size({}, {0.1}, span);
    size.accept({0.1}, 0, 1, false);
    const double next = size.next().seconds;
    size.accept({next}, 0.5, 1, false); // wakes up, and is still good enough
    EXPECT_GT(size.next().seconds, 0.5 * next);
}

TEST(StepSize, RemembersItsLengthBeyondAStepThatWasCut) {
    StepSize size({}, {0.1}, span);
    size.accept({0.001}, 1e-9, 1, true);
    EXPECT_DOUBLE_EQ(size.next().seconds, 0.1);
}

/// a' = b, b' = -a.
Pair turning(StepController controller, double tolerance) {
    Pair pair;
    pair.a.initial = 1;
    pair.b.initial = 1;
    pair.factor = -1;
    pair.experiment.stop = 3;
    pair.options.step_control = {.controller = controller, .tolerance = tolerance};
    return pair;
}

TEST(StepControl, EndsExactlyAtTheStopAndAtRecordedTimes) {
    for (const auto controller : {StepController::predictor, StepController::richardson}) {
        const Pair pair = turning(controller, 1e-2);
        Rows rows;
        (void)pair.simulation().run({.recorder = &rows, .interval = Duration{0.5}});
        EXPECT_THAT(rows.times, ElementsAre(0, 0.5, 1, 1.5, 2, 2.5, 3)) << to_string(controller);
    }
}

TEST(StepControl, RecordsAtAnIntervalWithFixedSteps) {
    Pair pair;
    Rows rows;
    (void)pair.simulation().run({.recorder = &rows, .interval = Duration{0.25}});
    EXPECT_THAT(rows.times, ElementsAre(0, 0.25, 0.5, 0.75, 1));
}

TEST(StepControl, HalvesTheErrorWithTheTolerance) {
    // a = cos t + sin t, b = cos t - sin t
    const auto error = [](StepController controller, double tolerance) {
        Rows rows;
        (void)turning(controller, tolerance).simulation().run({.recorder = &rows});
        double largest = 0;
        for (std::size_t i = 0; i < rows.times.size(); ++i) {
            const double t = rows.times[i];
            largest = std::max(largest, std::abs(rows.values[i][0] - std::cos(t) - std::sin(t)));
        }
        return largest;
    };
    for (const auto controller : {StepController::predictor, StepController::richardson}) {
        const double ratio = error(controller, 4e-3) / error(controller, 2e-3);
        EXPECT_GT(ratio, 1.6) << to_string(controller);
        EXPECT_LT(ratio, 2.4) << to_string(controller);
    }
}

/// A source that says to be continuous and jumps by 1 at t = 1.2345 (a switch), and an integrator.
struct Jumping {
    scenario::Recipe recipe = scenario::Recipe::jacobi;
    scenario::Approximation approximation = scenario::Approximation::constant;
    double tolerance = 1e-3;

    std::pair<Summary, double> run() const {
        scenario::System system = test::SystemBuilder()
                                      .unit("switch")
                                      .output("y")
                                      .unit("sum")
                                      .input("u")
                                      .output("y")
                                      .reference_last(1)
                                      .link("switch.y", "sum.u")
                                      .build();
        system.ports[1].approximation = approximation;
        Diagnostics diagnostics;
        auto derived = synthesis::orchestrate(system, {.recipe = recipe}, diagnostics);
        diagnostics.throw_if_errors();
        std::vector<std::unique_ptr<unit::Unit>> units;
        units.push_back(std::make_unique<test::FormulaUnit>(
            "switch", std::vector<test::FormulaInput>{},
            std::vector<test::FormulaOutput>{
                {"y",
                 [](const test::FormulaState& s) { return Value(s.x < 1.2345 ? 0. : 1.); },
                 {}}}));
        units.push_back(std::make_unique<test::IntegratorUnit>("sum", test::IntegratorTraits{}));
        Simulation simulation(
            derived.system, derived.algorithm, std::move(units),
            {.start = 0, .stop = 4, .step = 0.1, .tolerance = {}, .where = {}}, silent_log(),
            {.step_control = {
                 .controller = StepController::predictor, .tolerance = tolerance, .maximum = 0.2}});
        const Summary summary = simulation.run({});
        double value = 0;
        const ValueRef y = 1;
        simulation.unit(UnitId{1}).get({ValueType::float64, {&y, 1}, &value, 1});
        return {summary, value};
    }
};

/// No step is short enough for a jump: it is passed where it comes late by no more than the
/// tolerance allows, and steps are as long after it as before.
TEST(StepControl, PassesAJumpThatNoStepIsShortEnoughFor) {
    for (const auto recipe : {scenario::Recipe::jacobi, scenario::Recipe::iterated_jacobi}) {
        for (const auto approximation :
             {scenario::Approximation::constant, scenario::Approximation::linear}) {
            const auto [summary, value] = Jumping{recipe, approximation}.run();
            EXPECT_NEAR(value, 4 - 1.2345, 2e-3);
            EXPECT_LT(summary.steps, 60u);
            EXPECT_LT(summary.repeated, 20u);
            EXPECT_EQ(summary.missed, 0u);
        }
    }
}

TEST(StepControl, TakesBackStepsThatMissTheTolerance) {
    Pair pair = turning(StepController::predictor, 1e-3);
    pair.experiment.step = 0.5;
    Rows rows;
    const Summary summary = pair.simulation().run({.recorder = &rows});
    EXPECT_GT(summary.repeated, 2u);
    EXPECT_EQ(summary.missed, 0u);
    EXPECT_LT(rows.times[1], 0.01);
}

TEST(StepControl, AcceptsAndCountsWhatCannotBeTakenBack) {
    Pair pair = turning(StepController::predictor, 1e-3);
    pair.experiment.step = 0.5;
    pair.a.can_go_back = false;
    Rows rows;
    const Summary summary = pair.simulation().run({.recorder = &rows});
    EXPECT_EQ(summary.repeated, 0u);
    EXPECT_GT(summary.missed, 2u);
    EXPECT_DOUBLE_EQ(rows.times[1], 0.5);
    EXPECT_LT(rows.times.back() - rows.times[rows.times.size() - 2], 0.01);
}

TEST(StepControl, NamesWhatShrinksTheStepToItsMinimum) {
    Pair pair = turning(StepController::predictor, 1e-3);
    pair.options.step_control.minimum = 0.05;
    Rows rows;
    EXPECT_THAT(failure(pair, rows),
                AllOf(HasSubstr("the step at t = 0 s has shrunk to 0.05 s"),
                      HasSubstr("b.y -> a.u still misses the tolerance 0.001 by a factor of")));
    pair.options.step_control.at_minimum = scenario::AtMinimum::accept;
    Rows accepted;
    const Summary summary = pair.simulation().run({.recorder = &accepted});
    EXPECT_GT(summary.missed, 10u);
    EXPECT_THAT(accepted.times.back(), 3);
}

TEST(StepControl, LooksAtTheFirstStepThoughOnlyItsEndTells) {
    // Inputs that interpolate: a straight line from the start to the end.
    Pair pair = turning(StepController::predictor, 1e-3);
    pair.algorithm.recipe = scenario::Recipe::iterated_gauss_seidel;
    pair.approximation = scenario::Approximation::linear;
    pair.experiment.step = 1;
    Rows rows;
    (void)pair.simulation().run({.recorder = &rows});
    EXPECT_LT(rows.times[1], 0.1);
    EXPECT_NEAR(rows.values.back()[0], std::cos(3) + std::sin(3), 1e-2);
}

TEST(StepControl, ShrinksToAMinimumThatRoundingOfTimeHides) {
    Pair pair = turning(StepController::predictor, 1e-3);
    pair.experiment.start = 1e6;
    pair.experiment.stop = 1e6 + 3;
    pair.options.step_control.minimum = 2e-9;
    pair.a.initial = 1e9; // no step is short enough
    pair.adjust = [](scenario::System& system) { system.links[1].factor = 1e9; };
    Rows rows;
    EXPECT_THAT(failure(pair, rows), HasSubstr("the shortest allowed"));
}

TEST(StepControl, StepsThatARecordedTimeCutsAreNoFault) {
    Pair pair = turning(StepController::predictor, 1e-2);
    pair.experiment.step = 0.01;
    pair.options.step_control.minimum = 0.004;
    Rows rows;
    const Summary summary = pair.simulation().run({.recorder = &rows, .interval = Duration{0.003}});
    EXPECT_EQ(rows.times.size(), 1001u);
    EXPECT_EQ(summary.end, RunEnd::completed);
}

TEST(StepControl, AllocatesNothingInAStep) {
    for (const auto controller : {StepController::predictor, StepController::richardson}) {
        Pair pair = turning(controller, 1e-3);
        pair.experiment.stop = 1000;
        pair.options.estimate_errors = true;
        pair.approximation = scenario::Approximation::quadratic;
        Simulation simulation = pair.simulation();
        simulation.initialize();
        simulation.step();
        const std::size_t before = test::allocations();
        for (int i = 0; i < 20; ++i) simulation.step();
        EXPECT_EQ(test::allocations(), before) << to_string(controller);
    }
}

TEST(Trust, KnowsByHowMuchInputsWereMissed) {
    // a stands still at 1, b = 1 + t: only a.u is missed, by the slope of b times the step.
    Pair pair;
    pair.a.initial = 1;
    pair.b.initial = 1;
    pair.adjust = [](scenario::System& system) { system.links[1].factor = 0; };
    pair.options.estimate_errors = true;
    Simulation simulation = pair.simulation();
    (void)simulation.run({});
    const Trust trust = simulation.trust();
    ASSERT_EQ(trust.couplings.size(), 2u);
    EXPECT_EQ(trust.couplings[0].from, "a.y");
    EXPECT_EQ(trust.couplings[0].to, "b.u");
    EXPECT_EQ(trust.couplings[0].largest, 0);
    EXPECT_NEAR(trust.couplings[1].largest, 0.1, 1e-12);
    EXPECT_NEAR(trust.couplings[1].range, 1, 1e-12);
    EXPECT_NEAR(trust.couplings[1].accumulated, 0.1, 1e-12);
}

/// The same in steps that are made in two halves.
TEST(Trust, LooksAtTheHalvesOfSteps) {
    Pair pair;
    pair.a.initial = 1;
    pair.b.initial = 1;
    pair.adjust = [](scenario::System& system) {
        system.links[1].factor = 0;
        system.bonds = {{.name = "b", .parts = {{system.links[1], system.links[0], 1}}}};
    };
    pair.options.estimate_errors = true;
    pair.options.step_control = {.controller = StepController::richardson,
                                 .tolerance = 0.5,
                                 .minimum = 0.1,
                                 .maximum = 0.1,
                                 .at_minimum = scenario::AtMinimum::accept};
    Simulation simulation = pair.simulation();
    EXPECT_EQ(simulation.run({}).steps, 10u);
    const Trust trust = simulation.trust();
    EXPECT_NEAR(trust.couplings[1].largest, 0.05, 1e-12);
    EXPECT_NEAR(trust.couplings[1].accumulated, 0.05, 1e-12);
    // An effort that grows by 1 in a second is held: on average it is short by a quarter of a step.
    EXPECT_NEAR(trust.bonds[0].residual, -0.1 * 0.025, 1e-12);
}

TEST(Trust, IsTheSameWhenTimeStartsBelowZero) {
    const auto accumulated = [](double start) {
        Pair pair = turning(StepController::fixed, 1e-3);
        pair.experiment.start = start;
        pair.experiment.stop = start + 3;
        pair.options.estimate_errors = true;
        Simulation simulation = pair.simulation();
        (void)simulation.run({});
        return simulation.trust().couplings[0].accumulated;
    };
    EXPECT_NEAR(accumulated(-5), accumulated(0), 1e-9);
}

TEST(Trust, FindsInputsExactThatTheirPolynomialCanFollow) {
    Pair pair;
    pair.a.initial = 1;
    pair.b.initial = 1;
    pair.adjust = [](scenario::System& system) { system.links[1].factor = 0; };
    pair.approximation = scenario::Approximation::linear;
    pair.options.estimate_errors = true;
    Simulation simulation = pair.simulation();
    (void)simulation.run({});
    // but for the first step, which knows no slope
    EXPECT_NEAR(simulation.trust().couplings[1].accumulated, 0.1 * 0.1, 1e-12);
}

/// a' = -b, b' = a: a mass and a spring. Both are exact for what they are told, so that the energy
/// (a² + b²)/2 changes by nothing but the coupling.
TEST(Trust, BondsAccountForTheEnergyOfTheWhole) {
    using enum scenario::Approximation;
    using enum scenario::Join;
    for (const auto recipe : {scenario::Recipe::jacobi, scenario::Recipe::gauss_seidel}) {
        for (const auto& [approximation, join] :
             {std::pair(constant, jump), std::pair(linear, jump), std::pair(linear, continuous)}) {
            Pair pair;
            pair.algorithm.recipe = recipe;
            pair.a.initial = 1;
            pair.experiment.stop = 5;
            pair.experiment.step = 0.01;
            pair.approximation = approximation;
            pair.options.estimate_errors = true;
            pair.adjust = [join = join](scenario::System& system) {
                for (scenario::Port& port : system.ports) port.join = join;
                system.links[1].factor = -1;
                system.bonds = {{.name = "joint",
                                 .parts = {{system.links[1], system.links[0], -1}},
                                 .is_measured = false}};
            };
            Rows rows;
            Simulation simulation = pair.simulation();
            (void)simulation.run({.recorder = &rows});
            const double a = rows.values.back()[0];
            const double b = rows.values.back()[1];
            const double gained = (a * a + b * b - 1) / 2;
            const Trust trust = simulation.trust();
            ASSERT_EQ(trust.bonds.size(), 1u);
            EXPECT_GT(std::abs(gained), 1e-6);
            EXPECT_NEAR(trust.bonds[0].created, gained, 0.03 * std::abs(gained))
                << to_string(recipe) << ", " << to_string(approximation) << ", " << to_string(join);
        }
    }
}

TEST(Reference, CutsEveryStep) {
    const std::vector<Time> points = {{0}, {1}, {1.5}};
    std::vector<double> times;
    for (const Time time : refined(points, 2)) times.push_back(time.seconds);
    EXPECT_THAT(times, ElementsAre(0, 0.5, 1, 1.25, 1.5));
}

TEST(Reference, FindsOrderAndErrorOfARun) {
    for (const auto approximation :
         {scenario::Approximation::constant, scenario::Approximation::linear}) {
        Pair pair = turning(StepController::fixed, 1e-3);
        pair.experiment.step = 0.01;
        pair.approximation = approximation;
        std::vector<Time> points;
        Series coarse;
        (void)pair.simulation().run({.recorder = &coarse, .points = &points});
        Series half(coarse), quarter(coarse);
        pair.options.points = refined(points, 2);
        (void)pair.simulation().run({.recorder = &half});
        pair.options.points = refined(points, 4);
        (void)pair.simulation().run({.recorder = &quarter});
        const auto errors = extrapolated_errors(coarse, half, quarter);
        const double order = approximation == scenario::Approximation::constant ? 1 : 2;
        EXPECT_EQ(errors[0].convergence, Convergence::observed);
        EXPECT_NEAR(errors[0].order, order, 0.1);
        const double exact = std::cos(3) + std::sin(3);
        const double error = std::abs(coarse.value(coarse.times().size() - 1, 0) - exact);
        EXPECT_NEAR(errors[0].final, error, 0.15 * error);
    }
}

} // namespace
} // namespace rubato::engine::testing
