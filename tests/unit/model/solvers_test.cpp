// SPDX-License-Identifier: Apache-2.0
#include "models.hpp"

#include <rubato/model/declare.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rubato::model {
namespace {

/// v' = (k (vd - v) - cf v) / m with v(0) = 0: v = k vd / (k + cf) (1 - exp(-(k + cf) t / m)).
double speed_of_car(double t) { return 1000.0 * 40 / 1000.5 * -std::expm1(-1000.5 / 1576 * t); }

/// x'' = -x - x' with x(0) = 1, x'(0) = 0.
double position_of_mass(double t) {
    const double w = std::sqrt(3.0) / 2;
    return std::exp(-t / 2) * (std::cos(w * t) + std::sin(w * t) / (2 * w));
}

TEST(Euler, CarFollowsTheRecursionExactly) {
    Named car(model_named("car"));
    car.initialize();
    double v = 0;
    for (int i = 0; i < 50; ++i) {
        car.step(0.2 * i, 0.2);
        v += 0.2 * ((1000 * (40 - v) - 0.5 * v) / 1576);
        ASSERT_EQ(car.value("v"), v);
    }
}

TEST(Euler, HalvingTheStepHalvesTheErrorOfTheCar) {
    const auto error = [](double h, int count) {
        Named car(model_named("car"));
        car.initialize();
        car.run(h, count);
        return std::abs(car.value("v") - speed_of_car(h * count));
    };
    EXPECT_NEAR(error(0.02, 50) / error(0.01, 100), 2, 0.02);
    EXPECT_LT(error(0.2, 50), 0.15);
}

TEST(Euler, MassFollowsTheRecursionExactly) {
    Named mass(model_named("msd1"));
    mass.initialize();
    double x = 1, v = 0;
    for (int i = 0; i < 100; ++i) {
        mass.step(0.1 * i, 0.1);
        const double acceleration = (0 - x - v) / 1;
        x += 0.1 * v;
        v += 0.1 * acceleration;
        ASSERT_EQ(mass.value("x1"), x);
        ASSERT_EQ(mass.value("v1"), v);
    }
    EXPECT_NEAR(x, position_of_mass(10), 0.05);
}

TEST(Euler, InnerStepsAreEqualAndNoLargerThanAsked) {
    Named coarse(model_named("msd1")), fine(model_named("msd1"));
    coarse.solve_with(Solver::euler, 0.03); // 0.1 s: four steps of 0.025 s
    coarse.initialize();
    fine.initialize();
    coarse.step(0, 0.1);
    fine.run(0.1 / 4, 4);
    EXPECT_EQ(coarse.value("x1"), fine.value("x1"));
}

TEST(Euler, AStepThatIsAMultipleOfTheInnerStepIsDividedSoOften) {
    Named whole(model_named("msd1")), parts(model_named("msd1"));
    whole.solve_with(Solver::euler, 0.01);
    whole.initialize();
    parts.initialize();
    whole.step(0, 0.1); // 0.1 / 0.01 is a little more than 10 in floating point
    parts.run(0.1 / 10, 10);
    EXPECT_EQ(whole.value("x1"), parts.value("x1"));
}

TEST(RungeKutta, HasOrderFour) {
    const auto error = [](int count) {
        Named mass(model_named("msd1"));
        mass.solve_with(Solver::rk4);
        mass.initialize();
        mass.run(2.0 / count, count);
        return std::abs(mass.value("x1") - position_of_mass(2));
    };
    EXPECT_NEAR(std::log2(error(20) / error(40)), 4, 0.1);
}

/// x1'' = Fc - x1 - x1' where Fc = p + q t + r t² has the particular solution α + β t + r t².
struct Polynomial {
    double p, q, r;
    double force(double t) const { return p + t * (q + t * r); }
    double slope(double t) const { return q + 2 * r * t; }
    double exact(double t) const {
        const double beta = q - 2 * r;
        const double alpha = p - beta - 2 * r;
        // The rest solves the homogeneous equation from x(0) = 1 - α, x'(0) = -β.
        const double w = std::sqrt(3.0) / 2;
        const double x = 1 - alpha, v = -beta;
        const double rest =
            std::exp(-t / 2) * (x * std::cos(w * t) + (v + x / 2) / w * std::sin(w * t));
        return alpha + t * (beta + t * r) + rest;
    }
};

class InputOfDegree : public testing::TestWithParam<Polynomial> {};

TEST_P(InputOfDegree, IsIntegratedExactly) {
    const Polynomial input = GetParam();
    Named mass(model_named("msd1"));
    mass.solve_with(Solver::exact);
    mass.initialize();
    for (int i = 0; i < 40; ++i) {
        const double t = 0.25 * i;
        mass.assign("Fc", input.force(t));
        mass.derive("Fc", 1, input.slope(t));
        mass.derive("Fc", 2, 2 * input.r);
        mass.step(t, 0.25);
        ASSERT_NEAR(mass.value("x1"), input.exact(t + 0.25), 1e-12 * (1 + t * t));
        ASSERT_NEAR(mass.value("Fc"), input.force(t + 0.25), 1e-12 * (1 + t * t));
    }
}

TEST_P(InputOfDegree, IsFollowedWithinInnerStepsToo) {
    const Polynomial input = GetParam();
    Named mass(model_named("msd1"));
    mass.solve_with(Solver::exact, 0.01);
    mass.assign("Fc", input.force(0));
    mass.derive("Fc", 1, input.slope(0));
    mass.derive("Fc", 2, 2 * input.r);
    mass.initialize();
    mass.step(0, 1);
    EXPECT_NEAR(mass.value("x1"), input.exact(1), 1e-12);
}

TEST_P(InputOfDegree, LeavesRungeKuttaItsOrder) {
    const Polynomial input = GetParam();
    const auto error = [&](double inner_step) {
        Named mass(model_named("msd1"));
        mass.solve_with(Solver::rk4, inner_step);
        mass.assign("Fc", input.force(0));
        mass.derive("Fc", 1, input.slope(0));
        mass.derive("Fc", 2, 2 * input.r);
        mass.initialize();
        mass.step(0, 1);
        return std::abs(mass.value("x1") - input.exact(1));
    };
    EXPECT_NEAR(std::log2(error(0.1) / error(0.05)), 4, 0.25);
}

INSTANTIATE_TEST_SUITE_P(ZeroToTwo, InputOfDegree,
                         testing::Values(Polynomial{0.5, 0, 0}, Polynomial{0.5, -2, 0},
                                         Polynomial{0.5, -2, 3}));

TEST(Exact, CarMeetsItsClosedForm) {
    Named car(model_named("car"));
    car.solve_with(Solver::exact);
    car.initialize();
    car.run(0.2, 50);
    EXPECT_NEAR(car.value("v"), speed_of_car(10), 1e-12);
}

TEST(Exact, OneLongStepEqualsManyShortOnes) {
    Named mass(model_named("msd1"));
    mass.solve_with(Solver::exact);
    mass.initialize();
    mass.step(0, 10);
    EXPECT_NEAR(mass.value("x1"), position_of_mass(10), 1e-13);
}

TEST(Exact, SeesParametersSetAfterTheFirstPreparation) {
    Named mass(model_named("msd1"));
    mass.solve_with(Solver::exact);
    mass.initialize();
    mass.step(0, 0.5);
    mass.reset();
    mass.solve_with(Solver::exact);
    mass.assign("c1", 0);
    mass.assign("d1", 0);
    mass.assign("v1", 2);
    mass.initialize();
    mass.step(0, 0.5);
    EXPECT_NEAR(mass.value("x1"), 2, 1e-14); // free flight
}

/// Falls: a constant term, no input.
struct Stone {
    double height = 0, speed = 0;
    static void declare(Declaration<Stone>& model) {
        model.solver(Solver::exact);
        model.state(&Stone::height, "height", "m", "");
        model.state(&Stone::speed, "speed", "m/s", "");
    }
    void derivatives(Stone& der) const {
        der.height = speed;
        der.speed = -9.81;
    }
};

TEST(Exact, HandlesConstantTerms) {
    const ModelType type = make_model_type<Stone>("stone");
    Named stone(type);
    stone.initialize();
    stone.step(0, 2);
    EXPECT_NEAR(stone.value("height"), -9.81 * 2, 1e-13);
}

struct Pendulum {
    double angle = 1, speed = 0;
    static void declare(Declaration<Pendulum>& model) {
        model.state(&Pendulum::angle, "angle", "rad", "");
        model.state(&Pendulum::speed, "speed", "rad/s", "");
    }
    void derivatives(Pendulum& der) const {
        der.angle = speed;
        der.speed = -std::sin(angle);
    }
};

struct Clock {
    double x = 0;
    static void declare(Declaration<Clock>& model) { model.state(&Clock::x, "x", "", ""); }
    void derivatives(double time, Clock& der) const { der.x = 2 * time; }
};

template <class Model>
std::string refusal_of_exact() {
    const ModelType type = make_model_type<Model>("sample");
    Named instance(type);
    instance.solve_with(Solver::exact);
    try {
        instance.initialize();
        return "";
    } catch (const std::runtime_error& fault) {
        return fault.what();
    }
}

TEST(Exact, RefusesModelsThatAreNotLinear) {
    EXPECT_THAT(refusal_of_exact<Pendulum>(),
                testing::AllOf(testing::HasSubstr("linear"), testing::HasSubstr("\"sample\""),
                               testing::HasSubstr("rk4")));
}

TEST(Exact, RefusesModelsThatDependOnTime) {
    EXPECT_THAT(refusal_of_exact<Clock>(), testing::HasSubstr("time"));
}

TEST(RungeKutta, EvaluatesAtTheTimesOfItsStages) {
    const ModelType type = make_model_type<Clock>("clock");
    Named clock(type);
    clock.initialize(3);
    clock.step(3, 2);
    EXPECT_DOUBLE_EQ(clock.value("x"), 25 - 9);
}

} // namespace
} // namespace rubato::model
