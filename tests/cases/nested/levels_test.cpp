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
                                  "iteration-limit: 200}";
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

TEST(NestedLevels, WithoutStepsOfTheirOwnOrdersAreTheSame) {
    EXPECT_NEAR(order_of({.middle = 0, .inner = 0}), 1, 0.15);
    EXPECT_NEAR(order_of({.approximation = "linear", .outer = 0.0125, .middle = 0, .inner = 0}), 2,
                0.15);
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

// -- polynomials ----------------------------------------------------------------------------------

/// x = t, y = t²/2; two levels below, z' = y, held in inner steps: `mix` lets no input move.
std::string polynomial(const std::string& approximation, const std::string& within) {
    const std::string moves = ": {approximation: " + approximation + "}";
    return R"(rubato: 1
units:
  x: {model: integrator, start: {u: 1.0}}
  y: {model: integrator, inputs: {u: {approximation: linear}}}
  a:
    inputs: {u)" +
           moves + R"(}
    scenario:
      units:
        b:
          inputs: {u)" +
           moves + R"(}
          scenario:
            units:
              z: {model: integrator)" +
           within + R"(}
            interface: {inputs: {u: z.u}, outputs: {z: z.y}}
            experiment: {step: 0.03}
      interface: {inputs: {u: b.u}, outputs: {z: b.z}}
      experiment: {step: 0.07}
connections: [x.y -> y.u, y.y -> a.u]
experiment: {stop: 2, step: 0.1}
record: [y.y, a.z]
)";
}

/// Error of the growth of z while all polynomials have enough samples.
double error_of_growth(const std::string& text) {
    const Trajectories run = run_text(text).trajectories;
    const auto at = [&](const std::string& name, std::size_t i) { return run.at(name)[i]; };
    constexpr std::size_t from = 5, to = 20;
    // y is t²/2 plus what it lost in its first step.
    const double offset = at("y.y", from) - 0.5 * 0.5 * 0.5;
    const double growth = (8 - 0.125) / 6 + 1.5 * offset;
    return std::abs(at("a.z", to) - at("a.z", from) - growth);
}

TEST(NestedLevels, PolynomialsOfOuterInputsReachTheInnermostUnits) {
    EXPECT_LT(error_of_growth(polynomial("quadratic", "")), 1e-12);
    EXPECT_GT(error_of_growth(polynomial("linear", "")), 1e-4);
    EXPECT_LT(error_of_growth(polynomial("linear", "")),
              0.1 * error_of_growth(polynomial("constant", "")));
}

// -- events at each level -------------------------------------------------------------------------

/// The innermost relay closes at 0.35 s, the stair above it climbs every 0.3 s, the relay of the
/// whole closes at 0.77 s. What they switch is integrated at other levels.
std::string events(const std::string& locate, const std::string& settings_of_a = "",
                   const std::string& mode = "interpolate") {
    const std::string moves = "{approximation: linear, mode: " + mode + "}";
    return R"(rubato: 1
units:
  t: {model: integrator, start: {u: 1.0}}
  w1: {model: integrator}
  w2: {model: integrator}
  w3: {model: integrator}
  near: {model: relay, parameters: {upper: 0.77, lower: -1.0}, inputs: {u: )" +
           moves + R"(}}
  a:
    inputs: {t: )" +
           moves + "}" + settings_of_a + R"(
    scenario:
      units:
        stair: {model: stair, parameters: {interval: 0.3}}
        v: {model: integrator}
        b:
          inputs: {t: {approximation: linear}}
          scenario:
            units: {relay: {model: relay, parameters: {upper: 0.35, lower: -1.0}}}
            interface: {inputs: {t: relay.u}, outputs: {y: relay.y}}
            experiment: {step: 0.03}
            events: {locate: always, tolerance: 1e-10}
      connections: [b.y -> v.u]
      interface: {inputs: {t: b.t}, outputs: {y: b.y, count: stair.count}}
      experiment: {step: 0.07}
      events: {locate: always, tolerance: 1e-10}
connections: [t.y -> near.u, t.y -> a.t, a.y -> w1.u, a.count -> w2.u, near.y -> w3.u]
experiment: {stop: 1, step: 0.25}
events: {locate: )" +
           locate + R"(, tolerance: 1e-10}
record: [w1.y, w2.y, w3.y, a/v.y]
)";
}

class NestedEvents : public testing::TestWithParam<Form> {
protected:
    static CompletedRun run(const std::string& text) {
        return run_text(text, {}, [](auto& scenario) { use_at_all_levels(GetParam(), scenario); });
    }
};

TEST_P(NestedEvents, EndTheStepsOfAllLevels) {
    const Trajectories run = NestedEvents::run(events("always")).trajectories;
    EXPECT_NEAR(run.at("w1.y").back(), 1 - 0.35, 1e-9);
    EXPECT_NEAR(run.at("a/v.y").back(), 1 - 0.35, 1e-9);
    EXPECT_NEAR(run.at("w2.y").back(), 0.3 * 1 + 0.3 * 2 + 0.1 * 3, 1e-9);
    EXPECT_NEAR(run.at("w3.y").back(), 1 - 0.77, 1e-9);
    for (const double event : {0.3, 0.35, 0.6, 0.77, 0.9})
        EXPECT_THAT(run.at("time"), testing::Contains(testing::DoubleNear(event, 1e-9))) << event;
}

/// After an event at 0.3 s, what is extrapolated is held up to 0.5 s.
TEST_P(NestedEvents, CutStepsOfAllLevelsThatMeetAgain) {
    const Trajectories run = NestedEvents::run(events("always", "", "extrapolate")).trajectories;
    EXPECT_NEAR(run.at("w1.y").back(), 0.5, 1e-9);
    EXPECT_NEAR(run.at("a/v.y").back(), 0.5, 1e-9);
    EXPECT_NEAR(run.at("w2.y").back(), 0.3 * 1 + 0.3 * 2 + 0.1 * 3, 1e-9);
}

TEST_P(NestedEvents, EndTheStepOfAWholeThatLocatesNothingItself) {
    const Trajectories run = NestedEvents::run(events("never")).trajectories;
    EXPECT_NEAR(run.at("w1.y").back(), 1 - 0.35, 1e-9);
    EXPECT_NEAR(run.at("w2.y").back(), 0.3 * 1 + 0.3 * 2 + 0.1 * 3, 1e-9);
    EXPECT_LT(run.at("w3.y").back(), 1 - 0.77 - 0.01); // its own relay is noticed late
}

TEST_P(NestedEvents, AreSeenAtTheEndOfTheStepIfItMayNotEndEarly) {
    const Trajectories run =
        NestedEvents::run(events("never", "\n    can-reject-step: false")).trajectories;
    EXPECT_NEAR(run.at("a/v.y").back(), 1 - 0.35, 1e-9); // within, it is handled in time
    EXPECT_GT(run.at("w1.y").back(), 0.25);
    EXPECT_LT(run.at("w1.y").back(), 1 - 0.35 - 0.01);
    EXPECT_THAT(run.at("time"), testing::Not(testing::Contains(testing::DoubleNear(0.35, 1e-9))));
}

INSTANTIATE_TEST_SUITE_P(Of, NestedEvents,
                         testing::Values(Form::native, Form::fmi2, Form::fmi3, Form::isolated,
                                         Form::solved),
                         [](const auto& test) { return name_of(test.param); });

} // namespace
} // namespace rubato::test
