// SPDX-License-Identifier: Apache-2.0
#include "pair.hpp"
#include "support/allocation_counter.hpp"
#include "support/formula_unit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rubato::engine::testing {
namespace {

using scenario::Approximation;
using scenario::Recipe;

/// a' = b, b' = factor·a.
Pair coupled(double factor, double step, double stop) {
    Pair pair;
    pair.a.initial = 1;
    pair.factor = factor;
    pair.experiment.step = step;
    pair.experiment.stop = stop;
    pair.options.estimate_errors = true;
    return pair;
}

Trust trust_of(const Pair& pair) {
    Simulation simulation = pair.simulation();
    (void)simulation.run({});
    return simulation.trust();
}

/// cos t, but each step of Jacobi multiplies the amplitude by √(1 + h²).
TEST(Growth, OfLateInputsIsThatOfTheCoupling) {
    for (const double stop : {100.0, 300.0, 3000.0}) {
        const double h = 0.02;
        const Trust trust = trust_of(coupled(-1, h, stop));
        ASSERT_TRUE(trust.growth) << stop;
        const double rate = 0.5 * std::log1p(h * h) / h;
        const double since = trust.growth->since.seconds;
        EXPECT_NEAR(std::log(trust.growth->factor), rate * (stop - since), 0.15 * rate * stop);
        EXPECT_GT(trust.growth->share(), 0.8) << stop;
        EXPECT_NEAR(std::log(trust.growth->of_coupling), rate * (stop - since), 0.2 * rate * stop);
        EXPECT_TRUE(trust.growth->is_resolved);
    }
}

/// A solution that grows is no fault of the coupling: e^t, cosh t, and an oscillator with e^(t/20).
TEST(Growth, OfTheSystemIsNotThatOfTheCoupling) {
    for (const double h : {0.1, 0.01}) {
        for (const double b : {1.0, 0.0}) {
            Pair pair = coupled(1, h, 20);
            pair.b.initial = b;
            const Trust trust = trust_of(pair);
            ASSERT_TRUE(trust.growth) << h;
            EXPECT_GT(trust.growth->factor, 1e5);
            EXPECT_LT(trust.growth->share(), 3 * h);
        }
    }
    Pair pair = coupled(-1, 0.001, 150);
    pair.a.decay = pair.b.decay = -0.05;
    const Trust trust = trust_of(pair);
    ASSERT_TRUE(trust.growth);
    EXPECT_GT(trust.growth->factor, 100);
    EXPECT_LT(trust.growth->share(), 0.05);
}

/// One input is as much too early as the other is late: the oscillation keeps its amplitude. Where
/// both are early it decays.
TEST(Growth, DependsOnTheAlgorithm) {
    Pair pair = coupled(-1, 0.02, 300);
    pair.algorithm.recipe = Recipe::gauss_seidel;
    const Trust steady = trust_of(pair);
    EXPECT_FALSE(steady.growth);
    EXPECT_FALSE(steady.decay);
    pair.algorithm.recipe = Recipe::iterated_gauss_seidel;
    const Trust damped = trust_of(pair);
    EXPECT_FALSE(damped.growth);
    ASSERT_TRUE(damped.decay);
    EXPECT_GT(damped.decay->share(), 0.5);
}

/// Chords lie inside the curve: iω becomes iω (1 - h²ω²/12).
TEST(Undamped, ChordsShiftThePhase) {
    Pair pair = coupled(-1, 0.1, 300);
    pair.algorithm.recipe = Recipe::iterated_gauss_seidel;
    pair.approximation = Approximation::linear;
    const Trust trust = trust_of(pair);
    EXPECT_NEAR(trust.undamped.drift, 0.01 / 12 * 300, 0.02);
    EXPECT_NEAR(trust.undamped.growth, 1, 0.01);
}

/// Growth that is too little to be seen is foretold.
TEST(Undamped, LateInputsMakeItGrow) {
    const Trust trust = trust_of(coupled(-1, 0.01, 20));
    EXPECT_NEAR(std::log(trust.undamped.growth), 0.1, 0.05);
}

TEST(Growth, IsSeenWhereTheStepDoesNotResolveIt) {
    const Trust trust = trust_of(coupled(-100, 0.5, 40)); // ωh = 5
    ASSERT_TRUE(trust.growth);
    EXPECT_FALSE(trust.growth->is_resolved && trust.growth->share() < 0.5);
}

/// One unit, whose output is a formula of time, feeds a, an integrator.
struct Driven {
    std::function<double(double)> formula;
    double step = 0.1, stop = 10;
    Approximation approximation = Approximation::constant;

    Simulation simulation() const {
        test::SystemBuilder builder;
        builder.unit("source").output("y").reference_last(0);
        builder.unit("a").input("u").output("y").reference_last(1);
        scenario::System system = builder.link("source.y", "a.u").build();
        for (scenario::Port& port : system.ports) port.approximation = approximation;
        system.observed = {{UnitId{1}, 1}};
        Diagnostics diagnostics;
        auto result = synthesis::orchestrate(system, {.recipe = Recipe::jacobi}, diagnostics);
        std::vector<std::unique_ptr<unit::Unit>> units;
        const auto of_time = [f = formula](const test::FormulaState& state) -> Value {
            return f(state.x);
        };
        units.push_back(std::make_unique<test::FormulaUnit>(
            "source", std::vector<test::FormulaInput>{},
            std::vector<test::FormulaOutput>{{.name = "y", .formula = of_time, .declared = {}}}));
        units.push_back(std::make_unique<test::IntegratorUnit>("a", test::IntegratorTraits{}));
        return Simulation(result.system, result.algorithm, std::move(units),
                          {.start = 0, .stop = stop, .step = step, .tolerance = {}, .where = {}},
                          silent_log(), {.estimate_errors = true});
    }
    CouplingError error() const {
        Simulation made = simulation();
        (void)made.run({});
        return made.trust().couplings.at(0);
    }
};

TEST(Trust, RoundingIsNoMotion) {
    const auto noise = [](double t) { return std::sin(1e4 * t); };
    for (const double value : {0.0, 1.0, 1e6})
        EXPECT_EQ(Driven{[&](double t) { return value + 1e-13 * noise(t); }}.error().range, 0);
    EXPECT_EQ(Driven{[](double) { return 3.0; }}.error().relative(), 0);
    // small, but resolved; and large, but not
    EXPECT_NEAR(Driven{[](double t) { return 1e-12 * std::sin(t); }}.error().range, 2e-12, 1e-14);
    EXPECT_GT(Driven{[&](double t) { return 1e-3 * noise(t); }}.error().relative(), 0.3);
}

/// A loop that leaves some 1e-8, less than its tolerance of 1e-6.
TEST(Trust, TheToleranceOfALoopIsNoMotion) {
    test::SystemBuilder builder;
    builder.unit("source").input("u").output("y", {"u"}).reference_last(1);
    builder.unit("a").input("u").output("y", {"u"}).reference_last(1);
    scenario::System system = builder.link("source.y", "a.u").link("a.y", "source.u").build();
    Diagnostics diagnostics;
    auto result =
        synthesis::orchestrate(system, {.recipe = Recipe::iterated_gauss_seidel}, diagnostics);
    std::vector<std::unique_ptr<unit::Unit>> units;
    units.push_back(std::make_unique<test::FormulaUnit>(
        "source", std::vector<test::FormulaInput>{{.name = "u"}},
        std::vector<test::FormulaOutput>{{.name = "y",
                                          .formula = [](const test::FormulaState& state) -> Value {
                                              return 1 + 1e-8 * std::sin(1e4 * state.x);
                                          },
                                          .declared = {0}}}));
    units.push_back(
        std::make_unique<test::IntegratorUnit>("a", test::IntegratorTraits{.feedthrough = 0.1}));
    Simulation simulation(result.system, result.algorithm, std::move(units),
                          {.start = 0, .stop = 1, .step = 0.01, .tolerance = {}, .where = {}},
                          silent_log(), {.estimate_errors = true});
    (void)simulation.run({});
    const Trust trust = simulation.trust();
    ASSERT_EQ(trust.couplings[0].from, "source.y");
    EXPECT_EQ(trust.couplings[0].range, 0);
    EXPECT_GT(trust.couplings[1].range, 0.5) << "a.y goes from 0.1 to 1.1";
}

TEST(Trust, JumpsAreCountedApart) {
    const auto relay = [](double t) { return std::fmod(t + 1.05, 4) < 2 ? 1.0 : 0.0; };
    for (const auto approximation :
         {Approximation::constant, Approximation::linear, Approximation::quadratic}) {
        Driven driven{[&](double t) { return 0.1 * std::sin(t) + relay(t); }};
        driven.approximation = approximation;
        driven.step = 0.01;
        const CouplingError error = driven.error();
        EXPECT_EQ(error.jumps, 5u) << to_string(approximation); // 0.95, 2.95, 4.95, 6.95, 8.95
        EXPECT_NEAR(error.first_jump.seconds, 0.95, 0.011);
        EXPECT_NEAR(error.last_jump.seconds, 8.95, 0.011);
        EXPECT_NEAR(error.largest_jump, 1, 0.01);
        EXPECT_LT(error.largest, 1.01e-3) << to_string(approximation);
    }
}

TEST(Trust, TheFirstExchangeIsAJump) {
    const CouplingError error =
        Driven{[](double t) { return t == 0 ? 100.0 : std::sin(t); }, 0.01}.error();
    EXPECT_EQ(error.jumps, 1u);
    EXPECT_LT(error.largest, 0.011);
}

/// A spike of one step, a fast decay and an oscillation that steps do not resolve are no jumps.
TEST(Trust, WhatIsNotResolvedIsNoJump) {
    EXPECT_NEAR(Driven{[](double t) { return std::abs(t - 5) < 0.04 ? 1.0 : 0.0; }}.error().largest,
                1, 1e-12);
    EXPECT_EQ(Driven{[](double t) { return std::sin(20 * t); }}.error().jumps, 0u);
    EXPECT_EQ(Driven{[](double t) { return t < 5 ? 1.0 : std::exp(5 * (5 - t)); }}.error().jumps,
              0u);
}

TEST(Trust, MeasuringAllocatesNothing) {
    Pair pair = coupled(-1, 0.1, 1000);
    Simulation simulation = pair.simulation();
    simulation.initialize();
    simulation.step();
    const std::size_t before = test::allocations();
    for (int i = 0; i < 1000; ++i) simulation.step();
    EXPECT_EQ(test::allocations(), before);
}

} // namespace
} // namespace rubato::engine::testing
