// SPDX-License-Identifier: Apache-2.0
#include "tune/candidates.hpp"
#include "tune/way.hpp"
#include "tuning.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rubato::pipeline {
namespace {

using scenario::Approximation;
using scenario::Recipe;
using scenario::StepController;

Assembly assembled(test::Tuning& tuning, const scenario::Scenario& scenario) {
    Diagnostics diagnostics;
    Assembly assembly = assemble(scenario, tuning.library, diagnostics);
    diagnostics.throw_if_errors();
    return assembly;
}

TEST(Candidates, AllOfThemCanBeAssembled) {
    test::Tuning tuning("studies/step-control/coupled-oscillators.yaml");
    const TunedSystem system = tuned_system(assembled(tuning, tuning.scenario));
    EXPECT_EQ(system.inputs.size(), 3u);
    EXPECT_EQ(system.highest_order, 2u);
    EXPECT_TRUE(system.can_roll_back);
    std::size_t count = 0;
    for (const TuneCandidate& way : first_ways(system, 1e-3))
        for (const TuneCandidate& varied : variations(way, system)) {
            const auto scenario = with_candidate(tuning.scenario, varied, system.inputs);
            const Assembly assembly = assembled(tuning, scenario);
            EXPECT_EQ(assembly.scenario.algorithm.recipe, varied.recipe);
            for (const auto& link : assembly.orchestration.system.links)
                EXPECT_EQ(assembly.orchestration.system.port(link.to).approximation,
                          varied.approximation);
            ++count;
        }
    EXPECT_GT(count, 100u);
}

TEST(Candidates, OfUnitsThatExchangeNothingDifferInTheStepOnly) {
    test::Tuning tuning("studies/step-control/coupled-oscillators.yaml");
    tuning.scenario.connections.clear();
    tuning.scenario.bonds.clear();
    const TunedSystem system = tuned_system(assembled(tuning, tuning.scenario));
    const std::vector<TuneCandidate> ways = first_ways(system, 1e-3);
    ASSERT_EQ(ways.size(), 1u);
    EXPECT_EQ(ways[0].recipe, tuning.scenario.algorithm.recipe);
    EXPECT_EQ(ways[0].controller, StepController::fixed);
    EXPECT_TRUE(variations(ways[0], system).empty());
}

/// A way whose error is c·H^p and whose cost is 1/H.
TuneCandidate refined(Way& way, double c, double p, const TuneSettings& settings, int& runs) {
    TuneCandidate best;
    for (runs = 0; !way.is_done() && runs < 20; ++runs) {
        const TuneCandidate candidate = way.next();
        Tried tried{.candidate = candidate, .error = c * std::pow(candidate.size, p)};
        tried.costs.unit_steps = 1 / candidate.size;
        tried.is_within = tried.error <= settings.tolerance;
        if (tried.is_within && candidate.size > best.size) best = candidate;
        way.learn(tried);
    }
    return best;
}

TEST(Ways, FindTheLargestStepWithinTheTolerance) {
    const TuneSettings settings{.tolerance = 1e-3, .minimize = TuneCost::unit_steps};
    for (const double c : {1e-4, 1.0, 300.0})
        for (const double p : {1.0, 2.0, 3.0}) {
            Way way({.recipe = Recipe::jacobi, .approximation = Approximation::linear, .size = 0.1},
                    settings, 10);
            int runs = 0;
            const TuneCandidate best = refined(way, c, p, settings, runs);
            const double exact = std::min(10.0, std::pow(settings.tolerance / c, 1 / p));
            EXPECT_GE(best.size, 0.55 * exact) << c << " " << p;
            EXPECT_LE(runs, 7);
        }
}

TEST(Ways, ThatDivergeAreTriedWithShorterStepsAndGivenUp) {
    const TuneSettings settings{.tolerance = 1e-3};
    Way way({.size = 0.8}, settings, 1);
    for (int i = 0; i < 3; ++i) {
        ASSERT_FALSE(way.is_done());
        way.learn({.candidate = way.next(), .error = HUGE_VAL});
    }
    EXPECT_TRUE(way.is_done());
}

} // namespace
} // namespace rubato::pipeline
