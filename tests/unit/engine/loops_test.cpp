// SPDX-License-Identifier: Apache-2.0
#include "pair.hpp"
#include "support/formula_unit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rubato::engine::testing {
namespace {

using scenario::AtLimit;
using scenario::LoopMethod;
using scenario::Recipe;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

int iterations_to_start(const Pair& pair) {
    Simulation simulation = pair.simulation();
    simulation.initialize();
    return simulation.summary().most_iterations;
}

TEST(Loops, ImplicitIterationSolvesTheCoupledStep) {
    // With the end values held: a = 1 + h b, b = 1 + h a, so both are 1/(1-h).
    for (const Recipe recipe : {Recipe::iterated_jacobi, Recipe::iterated_gauss_seidel}) {
        Pair pair;
        pair.a.initial = pair.b.initial = 1;
        pair.experiment.stop = 0.1;
        pair.algorithm.recipe = recipe;
        pair.algorithm.relative_tolerance = 1e-13;
        pair.algorithm.absolute_tolerance = 0;
        const Rows rows = recorded(pair);
        EXPECT_NEAR(rows.values.back()[0], 1 / 0.9, 1e-12);
        EXPECT_NEAR(rows.values.back()[1], 1 / 0.9, 1e-12);
    }
}

TEST(Loops, SemiImplicitIterationRepeatsExactlySoOften) {
    Pair pair;
    pair.a.initial = pair.b.initial = 1;
    pair.experiment.stop = 0.1;
    pair.algorithm.recipe = Recipe::iterated_jacobi;
    pair.algorithm.iterations = 2;
    Simulation simulation = pair.simulation();
    const Summary summary = simulation.run({});
    EXPECT_EQ(summary.iterations, 2u);
    EXPECT_EQ(summary.unit_steps, 4u);
    // one repetition: 1 + h (1 + h)
    EXPECT_THAT(recorded(pair).values.back()[0], DoubleEq(1 + 0.1 * 1.1));
}

TEST(Loops, InitializationSolvesFeedthroughLoops) {
    // y_a = 1 + u_a/2, y_b = 3 + u_b/4, u_a = y_b, u_b = y_a: y_a = 20/7, y_b = 26/7
    Pair pair;
    pair.a = {.initial = 1, .feedthrough = 0.5};
    pair.b = {.initial = 3, .feedthrough = 0.25};
    pair.algorithm.relative_tolerance = 1e-13;
    pair.algorithm.absolute_tolerance = 0;
    for (const bool tentative : {false, true}) {
        pair.tentative_loops = tentative;
        const Rows rows = recorded(pair);
        EXPECT_NEAR(rows.values.front()[0], 20.0 / 7, 1e-11);
        EXPECT_NEAR(rows.values.front()[1], 26.0 / 7, 1e-11);
    }
}

TEST(Loops, TentativeValuesThatAreNotComparedBecomeFinalToo) {
    Pair pair;
    pair.a.initial = pair.b.initial = 1;
    pair.algorithm.recipe = Recipe::iterated_gauss_seidel;
    pair.algorithm.relative_tolerance = 1e-13;
    pair.algorithm.absolute_tolerance = 0;
    const Rows expected = recorded(pair);
    pair.rewrite = [](algorithm::Algorithm& algorithm) {
        for (algorithm::Op& op : algorithm.steps.front().body)
            if (auto* loop = std::get_if<algorithm::FixedPoint>(&op)) {
                ASSERT_EQ(loop->ports.size(), 2u);
                loop->ports.erase(loop->ports.begin()); // a.y, which nobody guesses
            }
    };
    const Rows rows = recorded(pair);
    ASSERT_EQ(rows.values.size(), expected.values.size());
    for (std::size_t row = 0; row < rows.values.size(); ++row)
        for (const std::size_t column : {0u, 1u, 2u})
            EXPECT_NEAR(rows.values[row][column], expected.values[row][column], 1e-11)
                << row << " " << column;
}

TEST(Loops, StartFromTheStartValueOfAGuessedInput) {
    // y_a = 1 + u_a/2, y_b = 3 + u_b/4, u_a = y_b, u_b = 2 y_a + 1: y_a = 22/6, y_b = 61/12
    Pair pair;
    pair.a = {.initial = 1, .feedthrough = 0.5};
    pair.b = {.initial = 3, .feedthrough = 0.25};
    pair.factor = 2;
    pair.offset = 1;
    pair.options.loops.method = LoopMethod::plain;
    const int by_itself = iterations_to_start(pair);
    const double y_a = (1 + 1.625) / (1 - 0.25);
    pair.options.first_guesses = {{PortId{0}, {3 + (2 * y_a + 1) / 4}}, {PortId{2}, {2 * y_a + 1}}};
    EXPECT_LE(iterations_to_start(pair), 2);
    EXPECT_GT(by_itself, 8);
}

/// u = u + exp(u) - 2 has the solution ln 2. From 3 on, plain iteration makes 21, 1.3e9 and
/// infinity.
Simulation overflowing(scenario::LoopMethod method) {
    test::SystemBuilder builder;
    for (const char* name : {"a", "b"})
        builder.unit(name).input("u").output("y", {"u"}).reference_last(1);
    Diagnostics diagnostics;
    auto derived = synthesis::orchestrate(builder.link("a.y", "b.u").link("b.y", "a.u").build(),
                                          {.recipe = Recipe::synthesized}, diagnostics);
    diagnostics.throw_if_errors();
    std::vector<std::unique_ptr<unit::Unit>> units;
    const auto add = [&](const char* name, double (*formula)(double)) {
        units.push_back(std::make_unique<test::FormulaUnit>(
            name, std::vector<test::FormulaInput>{{"u"}},
            std::vector<test::FormulaOutput>{{"y",
                                              [formula](const test::FormulaState& state) {
                                                  return Value(
                                                      formula(std::get<double>(state.inputs[0])));
                                              },
                                              {0}}}));
    };
    add("a", [](double u) { return u + std::exp(u) - 2; });
    add("b", [](double u) { return u; });
    SimulationOptions options;
    options.loops.method = method;
    options.first_guesses = {{PortId{0}, {3.0}}, {PortId{2}, {3.0}}};
    return Simulation(derived.system, derived.algorithm, std::move(units),
                      {.start = 0, .stop = 1, .step = 0.1, .tolerance = {}, .where = {}},
                      silent_log(), options);
}

TEST(Loops, StartAnewFromTheFirstGuessWherePlainIterationOverflows) {
    Simulation simulation = overflowing(LoopMethod::automatic);
    simulation.initialize();
    const ValueRef output = 1;
    double y = 0;
    simulation.unit(UnitId{0}).get({ValueType::float64, {&output, 1}, &y, 1});
    EXPECT_NEAR(y, std::log(2), 1e-6);
}

TEST(Loops, NameTheUnitWhereNothingButPlainIterationIsAllowedToOverflow) {
    Simulation simulation = overflowing(LoopMethod::plain);
    try {
        simulation.initialize();
        ADD_FAILURE() << "it diverges";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("unit \"a\": output \"y\" is inf at t = 0 s"));
    }
}

TEST(Loops, StopsWithAnErrorWhenAnIterationDoesNotConverge) {
    Pair pair;
    pair.a = {.initial = 1, .feedthrough = 2};
    pair.b = {.initial = 1, .feedthrough = 2};
    pair.options.loops.method = LoopMethod::plain;
    Rows rows;
    EXPECT_THAT(failure(pair, rows),
                HasSubstr("the iteration at t = 0 s has not converged after 50 "
                          "iterations: \"b.y\" still changes by"));
    EXPECT_TRUE(rows.times.empty());
}

/// One value is a billion times the other, and an iteration quarters the change of both:
/// a.y = 1e9 + b.y/2e-9 → 2e9, b.y = 1 + a.y/2e9 → 2.
Pair huge_and_tiny() {
    Pair pair;
    pair.a = {.initial = 1e9, .feedthrough = 0.5e9};
    pair.b = {.initial = 1, .feedthrough = 0.5e-9};
    pair.algorithm.absolute_tolerance = 1;
    pair.algorithm.relative_tolerance = 0;
    pair.options.loops.method = LoopMethod::plain;
    return pair;
}

TEST(Loops, ComparesEachValueWithItsOwnTolerance) {
    Pair pair = huge_and_tiny();
    const int common = iterations_to_start(pair);
    pair.adjust = [](scenario::System& system) { system.ports[1].absolute_tolerance = 1024; };
    EXPECT_EQ(iterations_to_start(pair), common - 5);
    pair.adjust = [](scenario::System& system) {
        system.ports[1].relative_tolerance = 1; // of the huge one anything is good enough
        system.ports[3].absolute_tolerance = 0.5e-9 / 1024; // b changes by 0.5e-9 of what a does
    };
    EXPECT_EQ(iterations_to_start(pair), common + 5);
    EXPECT_NEAR(recorded(pair).values.front()[1], 2, 1e-12);
}

TEST(Loops, ScalesTheCommonToleranceWithTheNominalValue) {
    Pair pair = huge_and_tiny();
    const int common = iterations_to_start(pair);
    pair.adjust = [](scenario::System& system) { system.ports[1].nominal = 1024; };
    EXPECT_EQ(iterations_to_start(pair), common - 5);
    pair.adjust = [](scenario::System& system) {
        system.ports[1].nominal = 1024;
        system.ports[1].absolute_tolerance = 1; // means what it says
    };
    EXPECT_EQ(iterations_to_start(pair), common);
}

TEST(Loops, NamesTheValueThatIsFurthestFromConvergence) {
    Pair pair = huge_and_tiny();
    pair.algorithm.iteration_limit = 3;
    Rows rows;
    EXPECT_THAT(failure(pair, rows), HasSubstr("3 iterations: \"a.y\" still changes by"));
    pair.adjust = [](scenario::System& system) { system.ports[3].absolute_tolerance = 1e-12; };
    EXPECT_THAT(failure(pair, rows), HasSubstr("3 iterations: \"b.y\" still changes by"));
}

TEST(Loops, AcceptsAnIterationAtItsLimitWhenAsked) {
    Pair pair;
    pair.a.initial = 1;
    pair.algorithm.recipe = Recipe::iterated_jacobi;
    pair.algorithm.iteration_limit = 2;
    pair.algorithm.at_limit = AtLimit::accept;
    Simulation simulation = pair.simulation();
    const Summary summary = simulation.run({});
    EXPECT_EQ(summary.end, RunEnd::completed);
    EXPECT_EQ(summary.not_converged, 10u);
}

TEST(Loops, NegotiatesTheStepThatAllAccept) {
    Pair pair;
    pair.a.initial = pair.b.initial = 1;
    pair.b.largest_step = 0.04;
    pair.experiment.stop = 0.2;
    for (const Recipe recipe : {Recipe::jacobi, Recipe::gauss_seidel, Recipe::iterated_jacobi}) {
        pair.algorithm.recipe = recipe;
        EXPECT_THAT(recorded(pair).times, ElementsAre(0, DoubleEq(0.04), DoubleEq(0.08), 0.1,
                                                      DoubleEq(0.14), DoubleEq(0.18), 0.2));
    }
}

TEST(Loops, ContinuesFromAPartlyAcceptedStepIfItIsTo) {
    Pair pair;
    pair.a.initial = pair.b.initial = 1;
    pair.b.largest_step = 0.04;
    pair.experiment.stop = 0.2;
    pair.experiment.after_partial_step = scenario::AfterPartialStep::proceed;
    EXPECT_THAT(recorded(pair).times, ElementsAre(0, DoubleEq(0.04), DoubleEq(0.08), DoubleEq(0.12),
                                                  DoubleEq(0.16), 0.2));
    EXPECT_EQ(pair.simulation().run({}).rejections, 4u); // the last step is short enough
}

TEST(Loops, ContinuesWithWholeStepsAndEndsAtTheStopTime) {
    Pair pair;
    pair.b.stops_at = 0.34;
    pair.experiment.after_partial_step = scenario::AfterPartialStep::proceed;
    EXPECT_THAT(recorded(pair).times,
                ElementsAre(0, 0.1, 0.2, DoubleEq(0.3), DoubleEq(0.34), DoubleEq(0.44),
                            DoubleEq(0.54), DoubleEq(0.64), DoubleEq(0.74), DoubleEq(0.84),
                            DoubleEq(0.94), 1));
}

TEST(Loops, TellsWhatWasNegotiated) {
    Pair pair;
    pair.b.largest_step = 0.04;
    pair.experiment.stop = 0.2;
    const Summary summary = pair.simulation().run({});
    EXPECT_EQ(summary.steps, 6u);
    EXPECT_EQ(summary.rejections, 4u); // of 0.1 s and of 0.06 s, twice
    EXPECT_DOUBLE_EQ(summary.shortest_step.seconds, 0.04);
    EXPECT_EQ(Pair{}.simulation().run({}).rejections, 0u);
}

TEST(Loops, MakesNoStepOfWhatRoundingLeavesToTheNextPoint) {
    Pair pair;
    pair.b.largest_step = 0.1 / 3; // 0.1 - 3·0.1/3 is not always 0
    pair.experiment.stop = 10;
    const Rows rows = recorded(pair);
    ASSERT_EQ(rows.times.size(), 301u);
    for (std::size_t n = 0; n <= 100; ++n) {
        EXPECT_DOUBLE_EQ(rows.times[3 * n], 0.1 * static_cast<double>(n));
    }
}

TEST(Loops, HalvesAStepThatAUnitRejectsWithoutSayingHowFarItWouldGet) {
    Pair pair;
    pair.b.largest_step = 0.03;
    pair.b.tells_how_far = false;
    pair.experiment.stop = 0.1;
    EXPECT_THAT(recorded(pair).times, ElementsAre(0, DoubleEq(0.025), DoubleEq(0.04375),
                                                  DoubleEq(0.071875), DoubleEq(0.1)));
}

TEST(Loops, StopsWhenAUnitAcceptsLessThanTheMinimumStep) {
    Pair pair;
    pair.b.largest_step = 0.04;
    pair.experiment.minimum_step = 0.05;
    Rows rows;
    EXPECT_EQ(failure(pair, rows),
              "unit \"b\" cannot go on at t = 0 s: it was asked for a step of 0.1 s and granted "
              "0.04 s; the shortest allowed is 0.05 s\n"
              "  if so short a step makes sense, allow it by experiment.minimum-step; else look "
              "into what the unit is fed at that time, and into its parameters");
    EXPECT_TRUE(rows.ended);
    pair.experiment.minimum_step = 0.04;
    EXPECT_EQ(failure(pair, rows), "");
}

TEST(Loops, StopsWhenAUnitAcceptsNothing) {
    Pair pair;
    pair.b.largest_step = 0;
    Rows rows;
    EXPECT_THAT(failure(pair, rows), HasSubstr("unit \"b\" cannot go on at t = 0 s"));
}

TEST(Loops, NamesAUnitThatStopsShortWithoutNegotiation) {
    Pair pair;
    pair.a.largest_step = 0.04;
    Rows rows;
    EXPECT_THAT(failure(pair, rows),
                HasSubstr("unit \"a\" accepted the step from t = 0 s only up to "
                          "t = 0.04 s, not to 0.1 s"));
}

} // namespace
} // namespace rubato::engine::testing
