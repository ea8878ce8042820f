// SPDX-License-Identifier: Apache-2.0
// Rigid links between oscillators, against the oscillator that they are together.
#include "support/error_text.hpp"
#include "transformed/transformed.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace rubato::test {
namespace {

using scenario::ConstraintMethod;
using testing::AllOf;
using testing::HasSubstr;

constexpr double ma = 1, mb = 2, ca = 3, cb = 1;

std::string pair(const std::string& constraint, const std::string& more = "") {
    return R"(
rubato: 1
units:
  a: {model: oscillator, parameters: {m: 1, c: 3}, start: {x: 1}}
  b: {model: oscillator, parameters: {m: 2, c: 1}, start: {x: 1}}
constraints:
  link: )" +
           constraint + R"(
experiment: {stop: 2, step: 0.05}
algorithm: {absolute-tolerance: 1.0e-12, relative-tolerance: 1.0e-11}
)" + more;
}

const std::string position_and_speed =
    "{equal: {x: [a.x, b.x], v: [a.v, b.v]}, by: {a.F: 1, b.F: -1}}";
const std::string position = "{equal: [a.x, b.x], by: {a.F: 1, b.F: -1}}";
const std::string speed = "{equal: [a.v, b.v], by: {a.F: 1, b.F: -1}}";

double frequency() { return std::sqrt((ca + cb) / (ma + mb)); }
double exact_position(double t) { return std::cos(frequency() * t); }
/// On a: m_a x'' + c_a x
double exact_force(double t) { return (ca - ma * frequency() * frequency()) * exact_position(t); }

struct Errors {
    double position = 0, force = 0, drift = 0, oscillation = 0;
};

/// The force is the mean of a step: of the last one if it is solved for, else of the next one.
enum class Acts { before, after };

Errors errors_of(const Trajectories& run, const std::string& force, Acts acts) {
    constexpr double settled = 0.5; // [s]: the start is not smooth
    Errors errors;
    const auto& t = run.at("time");
    const auto& f = run.at(force);
    for (std::size_t i = 0; i < t.size(); ++i) {
        errors.position =
            std::max(errors.position, std::abs(run.at("a.x")[i] - exact_position(t[i])));
        errors.drift = std::max(errors.drift, std::abs(run.at("a.x")[i] - run.at("b.x")[i]));
        if (i == 0 || t[i - 1] < settled) continue;
        const double half = (t[1] - t[0]) / 2;
        const double middle = acts == Acts::before ? t[i] - half : t[i] + half;
        errors.force = std::max(errors.force, std::abs(f[i] - exact_force(middle)));
        if (i >= 2 && t[i - 2] >= settled)
            errors.oscillation =
                std::max(errors.oscillation, std::abs(f[i] - 2 * f[i - 1] + f[i - 2]));
    }
    return errors;
}

Errors link_errors(const std::string& constraint, const std::string& step,
                   Acts acts = Acts::before) {
    Transformer transformer;
    const scenario::Scenario direct =
        transformer.parse(pair(constraint), {{"experiment.step", step}});
    return errors_of(transformer.run(direct), "link-a-b.link", acts);
}

class RigidLink : public testing::TestWithParam<std::pair<const char*, std::string>> {};

TEST_P(RigidLink, ConvergesInPositionAndForce) {
    const std::string& constraint = GetParam().second;
    const Errors coarse = link_errors(constraint, "0.05"), fine = link_errors(constraint, "0.025");
    EXPECT_GT(std::log2(coarse.position / fine.position), 1.7)
        << coarse.position << " " << fine.position;
    EXPECT_GT(std::log2(coarse.force / fine.force), 1.7) << coarse.force << " " << fine.force;
    EXPECT_LT(coarse.force, 0.02);
}

TEST_P(RigidLink, HasAForceThatDoesNotOscillate) {
    // A force that changes its sign from step to step would have differences as large as itself.
    const Errors coarse = link_errors(GetParam().second, "0.05");
    const Errors fine = link_errors(GetParam().second, "0.025");
    EXPECT_LT(coarse.oscillation, 0.02);
    EXPECT_LT(fine.oscillation, coarse.oscillation / 3); // a smooth force: H²
}

TEST_P(RigidLink, StaysTogetherFor100000Steps) {
    Transformer transformer;
    const scenario::Scenario direct = transformer.parse(
        pair(GetParam().second), {{"experiment.stop", "5000"}, {"record.every", "1000"}});
    const Trajectories run = transformer.run(direct);
    for (std::size_t i = 0; i < run.at("time").size(); ++i)
        ASSERT_NEAR(run.at("a.x")[i], run.at("b.x")[i], 2e-3) << run.at("time")[i];
}

INSTANTIATE_TEST_SUITE_P(Of, RigidLink,
                         testing::Values(std::pair{"PositionAndSpeed", position_and_speed},
                                         std::pair{"Position", position}),
                         [](const auto& test) { return std::string(test.param.first); });

TEST(Link, OfSpeedsAloneConvergesToo) {
    const Errors coarse = link_errors(speed, "0.05"), fine = link_errors(speed, "0.025");
    EXPECT_GT(std::log2(coarse.position / fine.position), 1.7);
    EXPECT_GT(std::log2(coarse.force / fine.force), 1.7);
}

TEST(Link, KeepsEnergy) {
    Transformer transformer;
    const scenario::Scenario direct = transformer.parse(
        pair(position_and_speed),
        {{"experiment.stop", "50"}, {"record.variables", "[a.energy, b.energy, a.x]"}});
    const Trajectories run = transformer.run(direct);
    const double first = run.at("a.energy").front() + run.at("b.energy").front();
    const double last = run.at("a.energy").back() + run.at("b.energy").back();
    EXPECT_NEAR(last, first, 0.02 * first);
}

TEST(Link, ThatIsTransformedGivesTheResultOfTheRun) {
    Transformer transformer;
    const scenario::Scenario direct = transformer.parse(pair(position_and_speed));
    const pipeline::Transformed transformed = transformer.transform(direct);
    EXPECT_EQ(transformed.scenario.algorithm.recipe, scenario::Recipe::jacobi);
    EXPECT_EQ(transformer.run(transformer.rewritten(transformed)), transformer.run(direct));
}

TEST(Link, IsRefusedWithAnAlgorithmThatDoesNotRepeatItsStep) {
    Transformer transformer;
    scenario::Scenario written =
        transformer
            .transform(transformer.parse(pair(position_and_speed)), {transform::Concern::causality})
            .scenario;
    EXPECT_EQ(error_of<std::exception>([&] { (void)transformer.run(written); }), "");
    for (const auto recipe : {scenario::Recipe::gauss_seidel, scenario::Recipe::jacobi}) {
        written.algorithm.recipe = recipe;
        EXPECT_THAT(error_of<std::exception>([&] { (void)transformer.run(written); }),
                    testing::AnyOf(HasSubstr("unit \"link-a-b\" finds multipliers by repeating"),
                                   HasSubstr("is declared reactive")));
    }
}

/// Of the force on a, as a part of its range.
double estimated_error(const std::string& constraint, const std::string& step) {
    Transformer transformer;
    Diagnostics diagnostics;
    const auto assembly =
        pipeline::assemble(transformer.parse(pair(constraint), {{"experiment.step", step}}),
                           transformer.library(), diagnostics);
    diagnostics.throw_if_errors();
    auto simulation =
        pipeline::build(assembly, transformer.library(), silent_log(), {.estimate_errors = true});
    (void)simulation.run({});
    for (const engine::CouplingError& error : simulation.trust().couplings) {
        EXPECT_NE(error.to, "link-a-b.a.x"); // looked at between steps only
        if (error.to == "a.F") return error.relative();
    }
    ADD_FAILURE() << "the force is not among the connections";
    return 0;
}

/// The force settles in the first steps, with an error of first order.
TEST(Link, HasAForceWhoseEstimatedErrorFallsWithTheStep) {
    const double coarse = estimated_error(position_and_speed, "0.02");
    const double fine = estimated_error(position_and_speed, "0.01");
    EXPECT_GT(coarse, 0);
    EXPECT_LT(coarse, 0.01);
    EXPECT_GT(std::log2(coarse / fine), 0.9);
}

std::string stabilized(const std::string& constraint) {
    return constraint.substr(0, constraint.size() - 1) + ", method: stabilize}";
}

TEST(Link, IsStabilizedWithoutRollback) {
    Transformer transformer;
    const scenario::Scenario direct =
        transformer.parse(pair(stabilized(position_and_speed)), {{"algorithm", "jacobi"}});
    const pipeline::Transformed transformed = transformer.transform(direct);
    EXPECT_FALSE(transformed.stages[1].is_present); // no loop
    const auto& links = std::get<scenario::Links>(transformed.scenario.units.back().origin);
    EXPECT_EQ(links.links[0].method, ConstraintMethod::stabilize);
    EXPECT_EQ(transformer.run(transformer.rewritten(transformed)), transformer.run(direct));
}

class StabilizedLink : public testing::TestWithParam<std::pair<const char*, std::string>> {};

TEST_P(StabilizedLink, ConvergesInPositionAndForce) {
    const std::string constraint = stabilized(GetParam().second);
    const Errors coarse = link_errors(constraint, "0.02", Acts::after);
    const Errors fine = link_errors(constraint, "0.01", Acts::after);
    EXPECT_GT(std::log2(coarse.position / fine.position), 1.7)
        << coarse.position << " " << fine.position;
    EXPECT_GT(std::log2(coarse.force / fine.force), 1.7) << coarse.force << " " << fine.force;
    EXPECT_GT(std::log2(coarse.drift / fine.drift), 1.7) << coarse.drift << " " << fine.drift;
    EXPECT_LT(fine.oscillation, coarse.oscillation / 3); // a smooth force: H²
}

TEST_P(StabilizedLink, StaysTogetherFor100000Steps) {
    Transformer transformer;
    const scenario::Scenario direct = transformer.parse(
        pair(stabilized(GetParam().second)),
        {{"experiment.stop", "2000"}, {"experiment.step", "0.02"}, {"record.every", "1000"}});
    const Trajectories run = transformer.run(direct);
    for (std::size_t i = 0; i < run.at("time").size(); ++i)
        ASSERT_NEAR(run.at("a.x")[i], run.at("b.x")[i], 0.02) << run.at("time")[i];
}

INSTANTIATE_TEST_SUITE_P(Of, StabilizedLink,
                         testing::Values(std::pair{"PositionAndSpeed", position_and_speed},
                                         std::pair{"Position", position}),
                         [](const auto& test) { return std::string(test.param.first); });

TEST(StabilizedSpeeds, ConvergeToo) {
    const Errors coarse = link_errors(stabilized(speed), "0.02", Acts::after);
    const Errors fine = link_errors(stabilized(speed), "0.01", Acts::after);
    EXPECT_GT(std::log2(coarse.position / fine.position), 1.7);
    EXPECT_GT(std::log2(coarse.force / fine.force), 1.7);
}

/// A deviation of the start decays with the time constant, not with the communication step.
TEST(Link, RemovesADeviationOfTheStart) {
    Transformer transformer;
    for (const std::string& constraint : {position_and_speed, stabilized(position_and_speed)}) {
        const scenario::Scenario direct = transformer.parse(
            pair(constraint.substr(0, constraint.size() - 1) + ", time-constant: 0.2}"),
            {{"units.a.start.x", "1.1"}, {"experiment.stop", "3"}});
        const Trajectories run = transformer.run(direct);
        const auto deviation = [&](std::size_t i) { return run.at("a.x")[i] - run.at("b.x")[i]; };
        EXPECT_GT(std::abs(deviation(2)), 0.02);
        EXPECT_LT(std::abs(deviation(run.at("time").size() - 1)), 0.015);
    }
}

constexpr const char* three_masses = R"(
rubato: 1
units:
  a: {model: oscillator, parameters: {m: 1, c: 2}, start: {x: 1}}
  b: {model: oscillator, parameters: {m: 2, c: 1}, start: {x: 1}}
  c: {model: oscillator, parameters: {m: 3, c: 3}, start: {x: 1}}
constraints:
  ab: {equal: {x: [a.x, b.x], v: [a.v, b.v]}, by: {a.F: 1, b.F: -1}}
  bc: {equal: {x: [b.x, c.x], v: [b.v, c.v]}, by: {b.F: 1, c.F: -1}}
)";

TEST(Link, InAChainSharesTheInputBetween) {
    Transformer transformer;
    const scenario::Scenario direct =
        transformer.parse(std::string(three_masses) + "experiment: {stop: 2, step: 0.02}\n");
    const pipeline::Transformed transformed = transformer.transform(direct);
    const Trajectories run = transformer.run(transformer.rewritten(transformed));
    EXPECT_EQ(run, transformer.run(direct));
    for (std::size_t i = 0; i < run.at("time").size(); ++i)
        for (const char* unit : {"a.x", "b.x", "c.x"})
            ASSERT_NEAR(run.at(unit)[i], std::cos(run.at("time")[i]), 1e-3) << unit;
}

TEST(Link, ThatClosesARingIsRedundant) {
    Transformer transformer;
    EXPECT_THAT(
        transformer.refusal(std::string(three_masses) +
                            "  ca: {equal: {x: [c.x, a.x], v: [c.v, a.v]}, by: {c.F: 1, a.F: "
                            "-1}}\nexperiment: {stop: 2, step: 0.02}\n"),
        HasSubstr("constraint \"ca\" is redundant: \"ab\", \"bc\" determine it already (the rank "
                  "of the 3 constraints is 2)"));
}

/// Contradiction by repetition, with other words.
TEST(Link, ThatIsNamedTwiceIsRedundant) {
    Transformer transformer;
    EXPECT_THAT(transformer.refusal(R"(
rubato: 1
units:
  a: {model: oscillator}
  b: {model: oscillator}
constraints:
  first: {equal: [a.x, b.x], by: {a.F: 1, b.F: -1}}
  second: {equal: [b.x, a.x], by: {b.F: 2}}
experiment: {stop: 1, step: 0.1}
)"),
                HasSubstr("constraint \"second\" is redundant: \"first\" determines it already "
                          "(the rank of the 2 constraints is 1)"));
}

TEST(Link, ThatNothingKeepsIsRefused) {
    Transformer transformer;
    EXPECT_THAT(transformer.refusal(R"(
rubato: 1
units:
  a: {model: oscillator}
  b: {model: oscillator}
  c: {model: oscillator}
constraints:
  link: {equal: [a.x, b.x], by: {c.F: 1}}
experiment: {stop: 1, step: 0.1}
)"),
                AllOf(HasSubstr("test.yaml:8: constraint \"link\": a.x and b.x do not react to c.F "
                                "within a step"),
                      HasSubstr("name inputs that act on what is to be equal")));
}

/// Two batteries with inner resistance, in parallel: y = u v + w, with v the current.
TEST(Link, OfVoltagesFollowsOhmsLaw) {
    Transformer transformer;
    const scenario::Scenario direct = transformer.parse(R"(
rubato: 1
units:
  one: {model: mix, parameters: {a: -2, b: 1}, start: {v: 12}}
  two: {model: mix, parameters: {a: -3, b: 1}, start: {v: 7}}
constraints:
  node: {equal: [one.y, two.y], by: {one.u: 1, two.u: -1}}
experiment: {stop: 1, step: 0.25}
algorithm: jacobi
)");
    const pipeline::Transformed transformed = transformer.transform(direct);
    const Trajectories run = transformer.run(transformer.rewritten(transformed));
    // 12 - 2 i = 7 + 3 i
    EXPECT_THAT(run.at("one.y"), testing::Each(testing::DoubleNear(10, 1e-9)));
    EXPECT_THAT(run.at("two.y"), testing::Each(testing::DoubleNear(10, 1e-9)));
    EXPECT_THAT(run.at("link-one-two.node"), testing::Each(testing::DoubleNear(1, 1e-9)));
}

/// Three batteries at a node: voltages are equal, currents sum to zero.
TEST(Link, OfThreeVoltagesFollowsKirchhoff) {
    Transformer transformer;
    const scenario::Scenario direct = transformer.parse(R"(
rubato: 1
units:
  one: {model: mix, parameters: {a: -2, b: 1}, start: {v: 12}}
  two: {model: mix, parameters: {a: -3, b: 1}, start: {v: 7}}
  three: {model: mix, parameters: {a: -6, b: 1}, start: {v: 1}}
constraints:
  left: {equal: [one.y, two.y], by: {one.u: 1, two.u: -1}}
  right: {equal: [two.y, three.y], by: {two.u: 1, three.u: -1}}
experiment: {stop: 1, step: 0.25}
algorithm: {recipe: jacobi, absolute-tolerance: 1.0e-12, relative-tolerance: 1.0e-12}
)");
    const Trajectories run = transformer.run(direct);
    // (12/2 + 7/3 + 1/6) / (1/2 + 1/3 + 1/6)
    for (const char* voltage : {"one.y", "two.y", "three.y"})
        EXPECT_THAT(run.at(voltage), testing::Each(testing::DoubleNear(8.5, 1e-9))) << voltage;
}

/// The tenth of a kilogram and the tonne: what is added to find the sensitivity is found, too.
TEST(Link, ConnectsMassesOfAnySize) {
    Transformer transformer;
    for (const std::string factor : {"1.0e-6", "1", "1.0e9"}) {
        const scenario::Scenario direct =
            transformer.parse(pair(position_and_speed), {{"units.a.parameters.m", factor},
                                                         {"units.a.parameters.c", factor},
                                                         {"units.b.parameters.m", factor},
                                                         {"units.b.parameters.c", factor}});
        const Trajectories run = transformer.run(direct);
        for (std::size_t i = 0; i < run.at("time").size(); ++i)
            ASSERT_NEAR(run.at("a.x")[i], std::cos(run.at("time")[i]), 1e-3) << factor;
    }
}

TEST(Link, WarnsOfStartValuesThatContradictIt) {
    Transformer transformer;
    Diagnostics diagnostics;
    const scenario::Scenario apart =
        transformer.parse(pair(position_and_speed), {{"units.a.start.x", "1.5"}});
    (void)pipeline::transform_scenario(apart, transformer.library(),
                                       std::vector{transform::Concern::causality}, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors());
    EXPECT_THAT(diagnostics.all().front().message,
                HasSubstr("constraint \"link\": a.x and b.x differ by 0.5 at the start"));
}

TEST(Link, IsRefusedWhereStepsAdapt) {
    Transformer transformer;
    EXPECT_THAT(transformer.refusal(R"(
rubato: 1
units:
  a: {model: oscillator}
  b: {model: oscillator}
  c: {model: oscillator, parameters: {cc: 1}}
connections: [b.x -> c.xo]
constraints:
  link: {equal: [a.x, b.x], by: {a.F: 1, b.F: -1}}
experiment: {stop: 1, step: 0.1}
step-control: predictor
)"),
                HasSubstr("test.yaml:11: with constraints, all steps must have the same length"));
}

TEST(Link, IsNotStabilizedWhereItHoldsAtEveryInstant) {
    Transformer transformer;
    EXPECT_THAT(transformer.refusal(R"(
rubato: 1
units:
  one: {model: mix, start: {v: 12}}
  two: {model: mix, start: {v: 7}}
constraints:
  node: {equal: [one.y, two.y], by: {one.u: 1, two.u: -1}, method: stabilize}
experiment: {stop: 1, step: 0.25}
)"),
                AllOf(HasSubstr("constraint \"node\" holds at every instant"),
                      HasSubstr("use method: solve, which needs no rollback here")));
}

TEST(Link, NamesWhatItDoesNotFind) {
    Transformer transformer;
    EXPECT_THAT(transformer.refusal(pair("{equal: [a.x, b.y], by: {a.F: 1, d.F: -1}}")),
                AllOf(HasSubstr("constraint \"link\": unit \"b\" has no real output \"y\""),
                      HasSubstr("constraint \"link\": \"d.F\" names no unit")));
    EXPECT_THAT(transformer.refusal(pair("{equal: [a.x, b.x, a.v], by: {a.F: 1}}")),
                HasSubstr("constraints.link.equal names 3 outputs"));
    EXPECT_THAT(transformer.refusal(pair("{equal: [a.x, b.x]}")),
                HasSubstr("constraints.link has no inputs to keep the outputs equal by"));
    EXPECT_THAT(transformer.refusal(pair("{equal: [a.x, b.x], by: {a.F: 0}}")),
                HasSubstr("the factor must be finite and not 0"));
    EXPECT_THAT(
        transformer.refusal(pair(position, "connections:\n  - a.x -> b.F: {convert: false}\n")),
        HasSubstr("input \"b.F\" is connected to \"a.x\" already"));
}

} // namespace
} // namespace rubato::test
