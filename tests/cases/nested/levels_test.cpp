// SPDX-License-Identifier: Apache-2.0
// Three levels, each with its own step, loops and events, against what they are as one system
// (README.md).
#include "monolithic.hpp"
#include "nested/levels.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace rubato::test {
namespace {

// -- loops at each level --------------------------------------------------------------------------

/// `inputs` of integrators and of scenarios; steps of the levels.
struct Loops {
    std::string approximation = "constant";
    std::string recipe = "synthesized";
    double outer = 0.1, middle = 0.04, inner = 0.015; // ratios that are no integers
    int threads = 1;
};

std::string text_of(const Loops& loops) {
    const std::string moves = ": {approximation: " + loops.approximation + "}";
    const std::string algorithm = "{recipe: " + loops.recipe +
                                  ", threads: " + std::to_string(loops.threads) +
                                  ", relative-tolerance: 1e-12, absolute-tolerance: 1e-13, "
                                  "maximum-iterations: 200}";
    const auto step = [](double length) {
        return length > 0 ? "{step: " + std::to_string(length) + "}" : std::string("{}");
    };
    return R"(rubato: 1
units:
  p: {model: integrator, start: {y: 1.0}, inputs: {u)" +
           moves + R"(}}
  a:
    inputs: {in)" +
           moves + R"(}
    scenario:
      units:
        q: {model: integrator, start: {y: 0.5}, inputs: {u)" +
           moves + R"(}}
        b:
          inputs: {in)" +
           moves + R"(}
          scenario:
            units:
              r: {model: integrator, inputs: {u)" +
           moves + R"(}}
              m1: {model: mix, parameters: {a: 1.0, b: 0.3}}
              m2: {model: mix, parameters: {a: 0.4, b: 0.1}}
            connections: [m1.y -> r.u, m1.y -> m2.u, m2.y -> m1.v, r.y -> m2.v]
            interface: {inputs: {in: m1.u}, outputs: {y: m1.y}}
            experiment: )" +
           step(loops.inner) + R"(
            algorithm: )" +
           algorithm + R"(
        m3: {model: mix, parameters: {a: 0.5, b: 0.2}}
        m4: {model: mix, parameters: {a: 1.0, b: 0.3}}
      connections:
        - b.y -> q.u: {factor: -1}
        - b.y -> m3.v
        - q.y -> m4.u
        - m3.y -> m4.v
        - m4.y -> b.in
      interface: {inputs: {in: m3.u}, outputs: {q: q.y, y: m3.y}}
      experiment: )" +
           step(loops.middle) + R"(
      algorithm: )" +
           algorithm + R"(
  c:
    inputs: {v)" +
           moves + R"(}
    scenario:
      units: {m5: {model: mix, parameters: {a: 0.6, b: 0.5}}}
      interface: {inputs: {u: m5.u, v: m5.v}, outputs: {y: m5.y}}
connections:
  - a.y -> c.u
  - p.y -> c.v
  - c.y -> a.in
  - a.q -> p.u: {factor: -1}
experiment: {stop: 1, step: )" +
           std::to_string(loops.outer) + R"(}
record: [p.y, c.y, a/q.y, a/b/r.y, a/b/m1.y]
algorithm: )" +
           algorithm + "\n";
}

/// m1 … m5 of p, q, r: the algebraic loops of all levels at once.
Eigen::Matrix<double, 5, 1> mixes(const Eigen::Vector3d& x) {
    Eigen::Matrix<double, 5, 5> loops = Eigen::Matrix<double, 5, 5>::Identity();
    loops(0, 3) = -1, loops(0, 1) = -0.3;
    loops(1, 0) = -0.4;
    loops(2, 4) = -0.5, loops(2, 0) = -0.2;
    loops(3, 2) = -0.3;
    loops(4, 2) = -0.6;
    Eigen::Matrix<double, 5, 1> known;
    known << 0, 0.1 * x[2], 0, x[1], 0.5 * x[0];
    return loops.partialPivLu().solve(known);
}

Eigen::Vector3d as_one(double stop) {
    const auto f = [](const Eigen::Vector3d& x) -> Eigen::Vector3d {
        const double m1 = mixes(x)[0];
        return {-x[1], -m1, m1};
    };
    return solve_as_one(f, Eigen::Vector3d(1, 0.5, 0), {0, stop}).back();
}

double error_of(const Loops& loops) {
    const Trajectories run = run_text(text_of(loops)).trajectories;
    const Eigen::Vector3d end(run.at("p.y").back(), run.at("a/q.y").back(),
                              run.at("a/b/r.y").back());
    EXPECT_EQ(run.at("time").back(), 1);
    return (end - as_one(1)).norm();
}

/// log2 of what halving all steps divides the error by.
double order_of(Loops loops) {
    const double coarse = error_of(loops);
    for (double* const step : {&loops.outer, &loops.middle, &loops.inner}) *step /= 2;
    return std::log2(coarse / error_of(loops));
}

TEST(NestedLevels, AnInitialLoopThroughTwoScenariosAndAllLevelsIsSolved) {
    const Trajectories run = run_text(text_of({})).trajectories;
    const auto expected = mixes({1, 0.5, 0});
    EXPECT_NEAR(run.at("c.y").front(), expected[4], 1e-10);
    EXPECT_NEAR(run.at("a/b/m1.y").front(), expected[0], 1e-10);
}

TEST(NestedLevels, LoopsHoldAtEveryPoint) {
    const Trajectories run = run_text(text_of({})).trajectories;
    for (std::size_t i = 0; i < run.at("time").size(); ++i) {
        const auto expected = mixes({run.at("p.y")[i], run.at("a/q.y")[i], run.at("a/b/r.y")[i]});
        EXPECT_NEAR(run.at("c.y")[i], expected[4], 1e-9);
        EXPECT_NEAR(run.at("a/b/m1.y")[i], expected[0], 1e-9);
    }
}

TEST(NestedLevels, HeldInputsGiveOrderOne) { EXPECT_NEAR(order_of({}), 1, 0.15); }

TEST(NestedLevels, LinearInputsGiveOrderTwo) {
    EXPECT_NEAR(order_of({.approximation = "linear"}), 2, 0.3);
}

TEST(NestedLevels, QuadraticInputsGiveAHigherOrder) {
    EXPECT_GT(order_of({.approximation = "quadratic"}), 2.5);
    EXPECT_LT(error_of({.approximation = "quadratic"}), error_of({.approximation = "linear"}));
}

TEST(NestedLevels, WithoutStepsOfTheirOwnOrdersAreTheSame) {
    EXPECT_NEAR(order_of({.middle = 0, .inner = 0}), 1, 0.15);
    EXPECT_NEAR(order_of({.approximation = "linear", .middle = 0, .inner = 0}), 2, 0.3);
}

TEST(NestedLevels, IteratedStepsGiveOrderTwo) {
    for (const char* recipe : {"iterated-jacobi", "iterated-gauss-seidel"})
        EXPECT_NEAR(order_of({.approximation = "linear", .recipe = recipe}), 2, 0.3) << recipe;
}

TEST(NestedLevels, ThreadsChangeNoBit) {
    for (const char* recipe : {"jacobi", "synthesized"})
        EXPECT_EQ(run_text(text_of({.recipe = recipe, .threads = 3})).trajectories,
                  run_text(text_of({.recipe = recipe})).trajectories)
            << recipe;
}

TEST(NestedLevels, AnOrderThatAdaptsTakesScenariosAsUnits) {
    const double adaptive = error_of({.recipe = "adaptive-gauss-seidel"});
    EXPECT_LT(adaptive, 2 * error_of({.recipe = "gauss-seidel"}));
    EXPECT_GT(adaptive, 0);
}

} // namespace
} // namespace rubato::test
