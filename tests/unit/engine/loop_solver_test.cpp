// SPDX-License-Identifier: Apache-2.0
#include "loops/loop_solver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

namespace rubato::engine {
namespace {

using scenario::LoopMethod;
using Vector = std::vector<double>;

/// Any G, until it gives what it was given but for 1e-10.
class Loop final : public LoopProblem {
public:
    using Function = std::function<Vector(std::span<const double>)>;

    Loop(Function g, std::size_t size) : g_(std::move(g)), weights_(size, 1e10) {}

    bool iterate(std::span<const double> x, std::span<double> g) override {
        ++iterations;
        std::ranges::copy(g_(x), g.begin());
        change_ = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            change_ = std::max(change_, 1e10 * std::abs(g[i] - x[i]));
        if (iterations <= unsettled) change_ = HUGE_VAL;
        has_ended_ = !(change_ > 1) || iterations == limit;
        return !has_ended_;
    }
    bool sample(std::span<const double> x, std::span<double> g) override {
        ++samples;
        std::ranges::copy(g_(x), g.begin());
        return true;
    }
    bool differentiate(std::size_t j, std::span<double> column) override {
        if (!jacobian) return false;
        for (std::size_t i = 0; i < column.size(); ++i) column[i] = (*jacobian)[i][j];
        return true;
    }
    void reset_discrete() override {}
    double change() const override { return change_; }
    std::span<const double> weights() const override { return weights_; }
    double nominal(std::size_t) const override { return 1; }
    void note_contraction(double) override {}
    void note_choice(LoopMethod method, double) override { choices.push_back(method); }
    void note_jacobian() override { ++jacobians; }

    bool has_converged() const { return change_ <= 1; }

    static constexpr int limit = 200;
    int iterations = 0, samples = 0, jacobians = 0;
    int unsettled = 0; ///< iterations in which discrete values change
    std::vector<LoopMethod> choices;
    std::optional<std::vector<Vector>> jacobian;

private:
    Function g_;
    Vector weights_;
    double change_ = 0;
};

/// x = A x + b
struct Linear {
    std::vector<Vector> a;
    Vector b;

    Vector operator()(std::span<const double> x) const {
        Vector g = b;
        for (std::size_t i = 0; i < b.size(); ++i)
            g[i] = std::inner_product(x.begin(), x.end(), a[i].begin(), b[i]);
        return g;
    }
};

const Linear diverging{{{0.2, -1.7}, {2.1, 0.4}}, {1, 2}}; // |λ| = 1.9

/// Solved from 0 on; the values are in x.
Loop solved(LoopSolver& solver, const Loop::Function& g, Vector& x) {
    Loop loop(g, x.size());
    do solver.solve(loop, x);
    while (!loop.has_ended());
    return loop;
}

std::unique_ptr<LoopSolver> solver_of(LoopMethod method, std::size_t size, int reuse = 4) {
    return make_loop_solver({.method = method, .reuse = reuse}, {size, size}, false);
}

TEST(LoopSolver, RelaxationGoesPartOfTheWay) {
    const auto solver =
        make_loop_solver({.method = LoopMethod::relaxed, .relaxation = 0.25}, {2, 2}, false);
    Vector seen;
    Vector x = {0, 4};
    (void)solved(
        *solver,
        [&](std::span<const double> at) {
            seen.insert(seen.end(), at.begin(), at.end());
            return Vector{4, 0};
        },
        x);
    seen.resize(6);
    EXPECT_EQ(seen, (Vector{0, 4, 1, 3, 1.75, 2.25}));
}

TEST(LoopSolver, AitkenIsExactForOneLinearEquation) {
    Vector x = {0};
    const Loop loop = solved(*solver_of(LoopMethod::aitken, 1), Linear{{{-3}}, {4}}, x);
    EXPECT_EQ(loop.iterations, 3) << "two to know the slope, one to see";
    EXPECT_DOUBLE_EQ(x[0], 1);
}

TEST(LoopSolver, QuasiNewtonIsExactAfterAsManyDifferencesAsThereAreEquations) {
    Vector x = {0, 0};
    const Loop loop = solved(*solver_of(LoopMethod::iqn_ils, 2), diverging, x);
    EXPECT_TRUE(loop.has_converged());
    EXPECT_LE(loop.iterations, 4);
}

TEST(LoopSolver, QuasiNewtonRemembersEarlierLoops) {
    Linear next = diverging;
    next.b = {1.3, 1.9};
    for (const int reuse : {2, 0}) {
        const auto solver = solver_of(LoopMethod::iqn_ils, 2, reuse);
        Vector x = {0, 0};
        (void)solved(*solver, diverging, x);
        const int iterations = solved(*solver, next, x).iterations;
        if (reuse > 0)
            EXPECT_EQ(iterations, 2) << "one to know the residual, one to see";
        else
            EXPECT_GT(iterations, 2);
    }
}

TEST(LoopSolver, QuasiNewtonBearsDifferencesThatDepend) {
    Vector x = {0, 0, 0};
    const Linear degenerate{{{-2, 0, 0}, {-2, 0, 0}, {0, 0, 0}}, {3, 3, 1}};
    EXPECT_TRUE(solved(*solver_of(LoopMethod::iqn_ils, 3), degenerate, x).has_converged());
    EXPECT_NEAR(x[0], 1, 1e-9);
}

/// What G was while a discrete value was another says nothing of what it is.
TEST(LoopSolver, QuasiNewtonForgetsWhatWasBeforeADiscreteValueChanged) {
    const auto solver = solver_of(LoopMethod::iqn_ils, 2);
    Vector x = {0, 0};
    (void)solved(*solver, diverging, x);
    Loop loop(Linear{diverging.a, {40, -30}}, 2);
    loop.unsettled = 1;
    Vector far = {100, 100};
    solver->solve(loop, far);
    EXPECT_TRUE(loop.has_converged());
    EXPECT_LE(loop.iterations, 5);
}

/// Residuals that are at right angles: the rule gives a factor of 0, with which nothing moves.
TEST(LoopSolver, AitkenDoesNotStandStill) {
    Vector x = {0, 0};
    const Loop loop =
        solved(*solver_of(LoopMethod::aitken, 2), Linear{{{0, -0.5}, {0.5, 0}}, {1, 0}}, x);
    EXPECT_TRUE(loop.has_converged());
    EXPECT_LT(loop.iterations, Loop::limit);
}

/// The spectral radius is 0.1, though the third residual is as large as the second.
TEST(LoopSolver, AutomaticStaysPlainWhereValuesTakeTurnsToGrow) {
    Vector x = {11 / 0.99 + 1e-7, 1 + 0.011 / 0.99};
    const Loop loop =
        solved(*solver_of(LoopMethod::automatic, 2), Linear{{{0, 10}, {1e-3, 0}}, {1, 1}}, x);
    EXPECT_TRUE(loop.has_converged());
    EXPECT_TRUE(loop.choices.empty());
}

TEST(LoopSolver, NewtonTakesDifferencesForEachGuessAndKeepsThem) {
    const auto solver = solver_of(LoopMethod::newton, 2);
    Vector x = {0, 0};
    const Loop first = solved(*solver, diverging, x);
    EXPECT_EQ(first.jacobians, 1);
    EXPECT_EQ(first.samples, 2);
    EXPECT_LE(first.iterations, 3);
    Linear next = diverging;
    next.b = {1.3, 1.9};
    const Loop second = solved(*solver, next, x);
    EXPECT_EQ(second.jacobians, 0);
    EXPECT_LE(second.iterations, 3);
    EXPECT_TRUE(second.has_converged());
}

TEST(LoopSolver, NewtonMakesItsJacobianAnewWhenItDoesNoMoreGood) {
    const auto solver = solver_of(LoopMethod::newton, 2);
    Vector x = {0, 0};
    (void)solved(*solver, diverging, x);
    Linear other = diverging;
    for (Vector& row : other.a)
        for (double& entry : row) entry = -3 * entry;
    const Loop loop = solved(*solver, other, x);
    EXPECT_EQ(loop.jacobians, 1);
    EXPECT_TRUE(loop.has_converged());
    EXPECT_LE(loop.iterations, 5);
}

TEST(LoopSolver, NewtonUsesDerivativesThatAreTold) {
    const auto solver = solver_of(LoopMethod::newton, 2);
    Vector x = {0, 0};
    Loop loop(diverging, 2);
    loop.jacobian = diverging.a;
    solver->solve(loop, x);
    EXPECT_EQ(loop.samples, 0);
    EXPECT_EQ(loop.iterations, 2);
    EXPECT_TRUE(loop.has_converged());
}

TEST(LoopSolver, NewtonSolvesWhatIsNotLinear) {
    const auto g = [](std::span<const double> x) {
        return Vector{2 - x[0] * x[0] * x[1], x[0] - std::exp(x[1]) + 2};
    };
    Vector x = {1, 0.5};
    EXPECT_TRUE(solved(*solver_of(LoopMethod::newton, 2), g, x).has_converged());
    x = {1, 0.5};
    EXPECT_TRUE(solved(*solver_of(LoopMethod::iqn_ils, 2), g, x).has_converged());
}

/// Of the second value only what follows from the first is seen: it is no guess.
TEST(LoopSolver, WhatFollowsFromGuessesIsPredicted) {
    const Linear chain{{{-3, 0}, {5, 0}}, {4, 1}};
    for (const LoopMethod method : {LoopMethod::newton, LoopMethod::iqn_ils}) {
        const auto solver = make_loop_solver({.method = method}, {2, 1}, false);
        Vector x = {0, 0};
        const Loop loop = solved(*solver, chain, x);
        EXPECT_TRUE(loop.has_converged());
        EXPECT_LE(loop.iterations, 3) << to_string(method);
        EXPECT_LE(loop.samples, 1);
    }
}

TEST(LoopSolver, NewtonPassesOnWhatAnIterationThrows) {
    const auto solver = solver_of(LoopMethod::newton, 1);
    Vector x = {0};
    int calls = 0;
    const auto g = [&](std::span<const double>) -> Vector {
        if (++calls == 3) throw std::runtime_error("enough");
        return {static_cast<double>(calls)};
    };
    EXPECT_THROW((void)solved(*solver, g, x), std::runtime_error);
}

TEST(LoopSolver, NewtonGoesOnWhereTheJacobianTellsNothing) {
    const auto solver = solver_of(LoopMethod::newton, 1);
    const auto g = [](std::span<const double> x) { // F = G - x does not change around 0
        return Vector{x[0] < 0.5 ? x[0] + 1 : 2.0};
    };
    Vector x = {0};
    EXPECT_TRUE(solved(*solver, g, x).has_converged());
    EXPECT_EQ(x[0], 2);
}

TEST(LoopSolver, AutomaticStaysPlainWhileThatConvergesFast) {
    const Linear fast{{{0, 0.002}, {0.003, 0}}, {1, 2}};
    Vector x = {0, 0}, plain = x;
    const Loop loop = solved(*solver_of(LoopMethod::automatic, 2), fast, x);
    EXPECT_THAT(loop.choices, ::testing::IsEmpty());
    EXPECT_EQ(solved(*solver_of(LoopMethod::plain, 2), fast, plain).iterations, loop.iterations);
    EXPECT_THAT(x, ::testing::Pointwise(::testing::DoubleNear(1e-10), plain));
}

TEST(LoopSolver, AutomaticTurnsToQuasiNewtonWithoutDerivativesAndSaysSo) {
    Vector x = {0, 0};
    const auto solver = solver_of(LoopMethod::automatic, 2);
    const Loop loop = solved(*solver, diverging, x);
    EXPECT_THAT(loop.choices, ::testing::ElementsAre(LoopMethod::iqn_ils));
    EXPECT_TRUE(loop.has_converged());
    EXPECT_LE(loop.iterations, 5);
    EXPECT_THAT(solved(*solver, diverging, x).choices, ::testing::IsEmpty()) << "once and for all";
}

/// x = x - 0.6 (x² - s²) has the solutions ±s. From 4 on, plain iteration makes 6.9, -8.9, …: what
/// is started from there finds -s.
TEST(LoopSolver, AutomaticTurnsToOthersFromTheFirstGuessWherePlainIterationDiverges) {
    const double s = 4.557;
    const auto g = [&](std::span<const double> x) {
        return Vector{x[0] - 0.6 * (x[0] * x[0] - s * s)};
    };
    for (const bool newton : {false, true}) {
        const auto solver = make_loop_solver({}, {1, 1}, newton);
        Vector x = {4};
        const Loop loop = solved(*solver, g, x);
        EXPECT_TRUE(loop.has_converged());
        EXPECT_THAT(loop.choices,
                    ::testing::ElementsAre(newton ? LoopMethod::newton : LoopMethod::iqn_ils));
        EXPECT_NEAR(x[0], s, 1e-9) << newton;
        EXPECT_LE(loop.iterations, 20);
    }
}

TEST(LoopSolver, AutomaticTurnsToNewtonWithDerivatives) {
    const auto solver = make_loop_solver({}, {2, 2}, true);
    Vector x = {0, 0};
    Loop loop(diverging, 2);
    loop.jacobian = diverging.a;
    solver->solve(loop, x);
    EXPECT_THAT(loop.choices, ::testing::ElementsAre(LoopMethod::newton));
    EXPECT_TRUE(loop.has_converged());
    EXPECT_EQ(loop.samples, 0);
}

} // namespace
} // namespace rubato::engine
