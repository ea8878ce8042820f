// SPDX-License-Identifier: Apache-2.0
#include "support/model_unit.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace rubato::test::stiffness {
namespace {

using scenario::SolverMethod;

ModelUnit oscillator(const std::string& form, double mu, SolverMethod method, double tolerance) {
    scenario::SolverSettings solver;
    solver.method = method;
    solver.tolerance = tolerance;
    ModelUnit unit("van_der_pol", form, FMUS, solver);
    unit.set("mu", mu);
    unit.initialize();
    return unit;
}

class StiffOscillator : public testing::TestWithParam<const char*> {};

TEST_P(StiffOscillator, MeetsTheReferenceSolution) {
    ModelUnit unit = oscillator(GetParam(), 1000, SolverMethod::cvode, 1e-9);
    unit.run(100, 20);
    EXPECT_NEAR(unit.real("x"), 1.706167732170483, 1e-5);
    EXPECT_NEAR(unit.real("v"), -0.8928097010247975e-3, 1e-8);
    EXPECT_LT(unit->solver_statistics()->evaluations, 20'000u);
}

TEST_P(StiffOscillator, TakesAdamsMethodsFarMoreEvaluations) {
    ModelUnit bdf = oscillator(GetParam(), 1000, SolverMethod::cvode, 1e-6);
    ModelUnit adams = oscillator(GetParam(), 1000, SolverMethod::adams, 1e-6);
    bdf.run(20, 1);
    adams.run(20, 1);
    EXPECT_NEAR(bdf.real("x"), adams.real("x"), 1e-5);
    EXPECT_GT(adams->solver_statistics()->evaluations, 100 * bdf->solver_statistics()->evaluations);
}

/// In forms that give directional derivatives.
class StiffOscillatorWithDerivatives : public StiffOscillator {};

TEST_P(StiffOscillatorWithDerivatives, NeedsNoEvaluationsForItsJacobian) {
    ModelUnit unit = oscillator(GetParam(), 1000, SolverMethod::cvode, 1e-6);
    unit.run(20, 1);
    const unit::SolverStatistics& done = *unit->solver_statistics();
    EXPECT_GT(done.jacobians, 0u);
    EXPECT_LT(done.evaluations, 4 * done.steps); // two or three iterations a step, nothing else
}

TEST_P(StiffOscillator, AgreesWithCoSimulationWhereItIsNotStiff) {
    ModelUnit solved = oscillator(GetParam(), 1, SolverMethod::cvode, 1e-9);
    ModelUnit stepping = oscillator(std::string(GetParam()).substr(0, 4), 1, {}, {});
    double largest = 0;
    for (int i = 0; i < 2000; ++i) {
        (void)stepping->step({i * 0.01}, {0.01});
        (void)solved->step({i * 0.01}, {0.01});
        largest = std::max(largest, std::abs(stepping.real("x") - solved.real("x")));
    }
    EXPECT_LT(largest, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Of, StiffOscillator, testing::ValuesIn(solved_forms),
                         [](const auto& test) { return std::string(test.param); });
INSTANTIATE_TEST_SUITE_P(Of, StiffOscillatorWithDerivatives, testing::Values("fmi2_me", "fmi3_me"),
                         [](const auto& test) { return std::string(test.param); });

} // namespace
} // namespace rubato::test::stiffness
