// SPDX-License-Identifier: Apache-2.0
// Loops of all kinds, solved by all methods.
#include "pair.hpp"
#include "support/allocation_counter.hpp"
#include "support/collecting_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rubato::engine::testing {
namespace {

using scenario::LoopMethod;
using scenario::Recipe;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr LoopMethod all_methods[] = {LoopMethod::automatic, LoopMethod::plain,
                                      LoopMethod::relaxed,   LoopMethod::aitken,
                                      LoopMethod::iqn_ils,   LoopMethod::newton};
constexpr LoopMethod strong_methods[] = {LoopMethod::automatic, LoopMethod::aitken,
                                         LoopMethod::iqn_ils, LoopMethod::newton};

/// y = x + k·u in both: a loop over one instant, which an iteration leaves k² of the change of.
Pair algebraic(double k, LoopMethod method, bool tells_derivatives = false) {
    Pair pair;
    pair.a = {.initial = 1, .feedthrough = k, .tells_derivatives = tells_derivatives};
    pair.b = {.initial = 2, .feedthrough = k, .tells_derivatives = tells_derivatives};
    pair.options.loops.method = method;
    return pair;
}

/// Held end values, from 1 on: a = 1 + h b, b = 1 - h a/k, which an iteration leaves h²/k of the
/// change of.
Pair stepped(double k, LoopMethod method, Recipe recipe = Recipe::iterated_gauss_seidel) {
    Pair pair;
    pair.a.initial = pair.b.initial = 1;
    pair.factor = -1 / k;
    pair.experiment.stop = 0.3;
    pair.algorithm.recipe = recipe;
    pair.options.loops.method = method;
    return pair;
}

double after_one_step(double k) { return (1 + 0.1) / (1 + 0.01 / k); }

TEST(LoopMethods, SolveLoopsOfTheInitialization) {
    for (const LoopMethod method : strong_methods) {
        const Rows rows = recorded(algebraic(1.5, method));
        // y_a = 1 + 1.5 y_b, y_b = 2 + 1.5 y_a
        EXPECT_NEAR(rows.values.front()[0], (1 + 1.5 * 2) / (1 - 2.25), 1e-5) << to_string(method);
    }
    Rows rows;
    EXPECT_THAT(failure(algebraic(1.5, LoopMethod::plain), rows),
                HasSubstr("the iteration at t = 0 s has not converged after 50 iterations"));
}

TEST(LoopMethods, SolveLoopsOverOneInstantWithinSteps) {
    for (const LoopMethod method : strong_methods) {
        for (const bool tentative : {false, true}) {
            Pair pair = algebraic(1.5, method);
            pair.algorithm.recipe = Recipe::synthesized;
            pair.tentative_loops = tentative;
            Rows rows;
            EXPECT_EQ(failure(pair, rows), "") << to_string(method) << tentative;
        }
    }
}

TEST(LoopMethods, SolveLoopsWithSteps) {
    for (const Recipe recipe : {Recipe::iterated_gauss_seidel, Recipe::iterated_jacobi}) {
        for (const LoopMethod method :
             {LoopMethod::automatic, LoopMethod::iqn_ils, LoopMethod::newton}) {
            const Rows rows = recorded(stepped(1e-3, method, recipe));
            EXPECT_NEAR(rows.values[1][0], after_one_step(1e-3), 1e-4) << to_string(method);
        }
    }
    const Rows rows = recorded(stepped(1e-3, LoopMethod::aitken));
    EXPECT_NEAR(rows.values[1][0], after_one_step(1e-3), 1e-4);
    Rows none;
    EXPECT_THAT(failure(stepped(1e-3, LoopMethod::plain), none),
                HasSubstr("has not converged after 50 iterations"));
}

TEST(LoopMethods, AgreeWherePlainIterationConverges) {
    for (const LoopMethod method : all_methods) {
        Pair pair = stepped(0.1, method);
        pair.algorithm.relative_tolerance = 1e-10;
        EXPECT_NEAR(recorded(pair).values[1][0], after_one_step(0.1), 1e-8) << to_string(method);
    }
}

TEST(LoopMethods, ExactlySoManyIterationsArePlain) {
    for (const LoopMethod method : all_methods) {
        Pair pair = stepped(1e-3, method);
        pair.algorithm.iterations = 3;
        const Summary summary = pair.simulation().run({});
        EXPECT_EQ(summary.iterations, 9u);
        EXPECT_EQ(recorded(pair).values, recorded([] {
                                             Pair plain = stepped(1e-3, LoopMethod::plain);
                                             plain.algorithm.iterations = 3;
                                             return plain;
                                         }())
                                             .values);
    }
}

TEST(LoopMethods, StopAtTheLimitLikePlainIteration) {
    for (const LoopMethod method : all_methods) {
        Pair pair = stepped(1e-3, method);
        pair.algorithm.iteration_limit = 1;
        Rows rows;
        EXPECT_THAT(failure(pair, rows), HasSubstr("has not converged after 1 iterations"));
    }
}

TEST(LoopMethods, WorkWithinNegotiations) {
    for (const LoopMethod method : strong_methods) {
        Pair pair = stepped(1e-3, method);
        pair.b.largest_step = 0.04;
        const Summary summary = pair.simulation().run({});
        EXPECT_EQ(summary.end, RunEnd::completed);
        EXPECT_GT(summary.rejections, 0u);
    }
}

TEST(LoopMethods, OnlyGuessesArePerturbed) {
    // One of the two values is guessed in Gauss-Seidel, both are in Jacobi.
    const auto first_step = [](Recipe recipe) {
        Pair pair = stepped(1e-3, LoopMethod::newton, recipe);
        pair.experiment.stop = pair.experiment.step;
        return pair.simulation().run({});
    };
    const Summary one = first_step(Recipe::iterated_gauss_seidel);
    ASSERT_EQ(one.loops.size(), 1u);
    EXPECT_EQ(one.loops[0].jacobians, 1u);
    EXPECT_EQ(one.loops[0].over, "b.y");
    EXPECT_EQ(one.iterations, 3u) << "at the start, for the column, and to see";
    EXPECT_EQ(first_step(Recipe::iterated_jacobi).iterations, 4u);
}

TEST(LoopMethods, TakeDerivativesThatUnitsTell) {
    const Summary differences = algebraic(1.5, LoopMethod::newton).simulation().run({});
    const Summary told = algebraic(1.5, LoopMethod::newton, true).simulation().run({});
    ASSERT_EQ(told.loops.size(), 2u) << "in steps and at the start";
    EXPECT_EQ(told.loops[0].jacobians, 1u) << "kept for all steps";
    EXPECT_EQ(told.loops[0].iterations, 2 * told.steps);
    EXPECT_EQ(told.loops[1].iterations, 2u);
    EXPECT_EQ(differences.iterations, told.iterations + 2) << "one guess in either";
}

TEST(LoopMethods, AutomaticSaysWhatItChose) {
    test::CollectingLog log;
    Simulation simulation = stepped(1e-3, LoopMethod::automatic).simulation(log);
    const Summary summary = simulation.run({});
    ASSERT_EQ(summary.loops.size(), 1u);
    EXPECT_EQ(summary.loops[0].method, LoopMethod::iqn_ils);
    EXPECT_EQ(summary.loops[0].since, Time{0});
    EXPECT_GT(summary.loops[0].contraction, 1);
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_THAT(log.messages()[0].text,
                AllOf(HasSubstr("the loop over b.y converges too slowly at t = 0 s"),
                      HasSubstr("iqn-ils from here on")));

    Simulation told = algebraic(1.5, LoopMethod::automatic, true).simulation();
    EXPECT_EQ(told.run({}).loops.at(0).method, LoopMethod::newton);
    Simulation plain = stepped(1, LoopMethod::automatic).simulation();
    const Summary of_plain = plain.run({});
    EXPECT_EQ(of_plain.loops.at(0).method, LoopMethod::plain);
    EXPECT_EQ(of_plain.loops.at(0).since, std::nullopt);
}

TEST(LoopMethods, AllocateNothingInAStep) {
    for (const LoopMethod method : all_methods) {
        for (const bool gives_derivatives : {false, true}) {
            Pair pair = algebraic(0.7, method, gives_derivatives);
            pair.algorithm.recipe = Recipe::synthesized;
            for (const Pair& each : {pair, stepped(0.02, method)}) {
                Simulation simulation = each.simulation();
                simulation.initialize();
                simulation.step();
                const std::size_t before = test::allocations();
                simulation.step();
                EXPECT_EQ(test::allocations(), before) << to_string(method);
            }
        }
    }
}

} // namespace
} // namespace rubato::engine::testing
