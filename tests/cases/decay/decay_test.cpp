// SPDX-License-Identifier: Apache-2.0
#include "support/model_unit.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace rubato::test::decay {
namespace {

using scenario::SolverMethod;

class Decay : public testing::TestWithParam<const char*> {
protected:
    double x_at_1(SolverMethod method, std::optional<double> tolerance,
                  std::optional<double> step = {}) {
        scenario::SolverSettings solver;
        solver.method = method;
        solver.tolerance = tolerance;
        solver.step = step;
        ModelUnit unit("dahlquist", GetParam(), FMUS, solver);
        unit.set("k", 2.0);
        unit.initialize();
        unit.run(0.25, 4);
        return unit.real("x");
    }
};

TEST_P(Decay, ErrorsFallWithTheTolerance) {
    for (const SolverMethod method : {SolverMethod::cvode, SolverMethod::adams}) {
        for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10})
            EXPECT_NEAR(x_at_1(method, tolerance), std::exp(-2.0), 20 * tolerance) << tolerance;
    }
}

TEST_P(Decay, EulerFollowsItsRecursion) {
    const double h = 0.25 / 16; // no rounding in the times
    EXPECT_NEAR(x_at_1(SolverMethod::euler, {}, h), std::pow(1 - 2 * h, 64), 1e-14);
}

TEST_P(Decay, EulerInsideTheFmuIsTheSame) {
    ModelUnit stepping("dahlquist", std::string(GetParam()).substr(0, 4), FMUS);
    stepping.set("k", 2.0);
    stepping.set("solver", std::int64_t{1});
    stepping.set("inner_step", 0.25 / 16);
    stepping.initialize();
    stepping.run(0.25, 4);
    EXPECT_NEAR(stepping.real("x"), x_at_1(SolverMethod::euler, {}, 0.25 / 16), 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Of, Decay, testing::ValuesIn(solved_forms),
                         [](const auto& test) { return std::string(test.param); });

} // namespace
} // namespace rubato::test::decay
