// SPDX-License-Identifier: Apache-2.0
// What studies/loops/README.md says of its tables.
#include "loops/oscillators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rubato::studies::loops {
namespace {

const std::string folder = STUDIES "/loops";

double strength(const Coupling& coupling) { return std::abs(contraction(coupling)); }

std::string name_of(const Coupling& coupling) {
    return "m2/m1 = " + std::to_string(coupling.mass_ratio) +
           ", cc = " + std::to_string(coupling.stiffness);
}

std::vector<Coupling> strong_half() {
    std::vector<Coupling> couplings = grid();
    std::ranges::sort(couplings, std::ranges::greater{}, strength);
    couplings.resize(couplings.size() / 2);
    return couplings;
}

TEST(LoopStudy, AnIterationChangesTheForceByTheFactorOfTheTheory) {
    for (const Coupling& coupling : grid()) {
        const Outcome few = run(folder, coupling,
                                {{"loops.method", "plain"},
                                 {"experiment.stop", "0.01"},
                                 {"algorithm.iteration-limit", "4"},
                                 {"algorithm.relative-tolerance", "0"},
                                 {"algorithm.at-limit", "accept"}});
        EXPECT_NEAR(few.contraction / strength(coupling), 1, 1e-3) << name_of(coupling);
    }
}

TEST(LoopStudy, PlainIterationDivergesExactlyWhereTheTheorySaysSo) {
    std::size_t diverging = 0;
    for (const Coupling& coupling : grid()) {
        const bool converges = strength(coupling) < 1;
        diverging += converges ? 0 : 1;
        EXPECT_EQ(solve(folder, coupling, "plain").completed, converges) << name_of(coupling);
        // 1 - ω (1 - λ), with ω = 1/2
        const bool relaxed_converges = std::abs(1 + contraction(coupling)) / 2 < 1;
        EXPECT_EQ(solve(folder, coupling, "relaxed").completed, relaxed_converges)
            << name_of(coupling);
    }
    EXPECT_EQ(diverging, grid().size() / 2);
}

TEST(LoopStudy, OtherMethodsConvergeEverywhere) {
    for (const Coupling& coupling : grid()) {
        for (const char* method : {"aitken", "iqn-ils", "newton", "automatic"}) {
            const Outcome outcome = solve(folder, coupling, method);
            EXPECT_TRUE(outcome.completed) << method << ": " << name_of(coupling);
            EXPECT_LE(outcome.largest, 1.01) << method << ": " << name_of(coupling);
        }
        EXPECT_LE(solve(folder, coupling, "aitken").iterations, 4);
        EXPECT_LE(solve(folder, coupling, "iqn-ils").iterations, 2.5);
        EXPECT_LE(solve(folder, coupling, "automatic").iterations, 4);
        EXPECT_LE(solve(folder, coupling, "newton").iterations, 2.5);
    }
}

TEST(LoopStudy, QuasiNewtonTakesAtMostHalfOfWhatRelaxationDoesWhereTheCouplingIsStrong) {
    int compared = 0;
    for (const Coupling& coupling : strong_half()) {
        const Outcome relaxed = solve(folder, coupling, "relaxed");
        const Outcome quasi_newton = solve(folder, coupling, "iqn-ils");
        ASSERT_TRUE(quasi_newton.completed);
        if (!relaxed.completed) continue; // it takes for ever
        ++compared;
        EXPECT_LE(quasi_newton.iterations, relaxed.iterations / 2) << name_of(coupling);
    }
    EXPECT_GE(compared, 2);
}

TEST(LoopStudy, APairThatExplicitMethodsBlowUpOnIsStable) {
    const Coupling coupling{.mass_ratio = 1e3, .stiffness = 10};
    for (const char* recipe : {"jacobi", "gauss-seidel"}) {
        const Outcome outcome = run(folder, coupling, {{"algorithm.recipe", recipe}});
        EXPECT_TRUE(!outcome.completed || outcome.largest > 1e6) << recipe;
    }
    const Outcome outcome = solve(folder, coupling, "automatic");
    const std::vector<TwoMasses::State> exact =
        coupling.masses().at({outcome.x1.times().begin(), outcome.x1.times().end()});
    for (std::size_t row = 0; row < exact.size(); ++row)
        EXPECT_NEAR(outcome.x1.value(row, 0), exact[row].x1, 0.02) << row;
}

} // namespace
} // namespace rubato::studies::loops
