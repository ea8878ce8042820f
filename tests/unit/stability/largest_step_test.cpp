// SPDX-License-Identifier: Apache-2.0
#include "two_masses.hpp"

#include <gmock/gmock.h>

namespace rubato {
namespace {

using pipeline::largest_stable_radius;
using test::TwoMassOscillator;
using test::Workbench;

using Map = Eigen::MatrixXd (TwoMassOscillator::*)(double step, int order) const;

/// By bisection over the amplification matrix.
double exact_largest_step(const TwoMassOscillator& system, Map map, int order) {
    const auto is_stable = [&](double step) {
        return test::spectral_radius_of((system.*map)(step, order)) <= largest_stable_radius;
    };
    double low = 1e-3;
    while (is_stable(low * 1.1)) low *= 1.1;
    double high = low * 1.1;
    while (high - low > 1e-9 * high) {
        const double middle = (low + high) / 2;
        (is_stable(middle) ? low : high) = middle;
    }
    return low;
}

TEST(LargestStep, IsThatOfTheAmplificationMatrix) {
    const TwoMassOscillator system{.d1 = 0.4, .d2 = 0.3};
    const struct {
        const char* recipe;
        Map map;
        int order;
    } cases[] = {{"jacobi", &TwoMassOscillator::jacobi, 0},
                 {"jacobi", &TwoMassOscillator::jacobi, 1},
                 {"gauss-seidel", &TwoMassOscillator::gauss_seidel, 0},
                 {"gauss-seidel", &TwoMassOscillator::gauss_seidel, 1}};
    Workbench workbench;
    for (const auto& [recipe, map, order] : cases) {
        const double exact = exact_largest_step(system, map, order);
        for (const double from : {0.3 * exact, 1.7 * exact}) { // from below and from above
            const auto found = pipeline::find_largest_step(
                workbench.assembled(system.scenario(recipe, order, from)), workbench.library,
                silent_log(), {});
            ASSERT_TRUE(found.stable && found.unstable) << recipe << ": " << found.reason;
            EXPECT_LE(*found.stable, exact * (1 + 1e-6)) << recipe;
            EXPECT_GE(*found.unstable, exact * (1 - 1e-6)) << recipe;
            EXPECT_LE(*found.unstable / *found.stable, 1.0011) << recipe;
        }
    }
}

/// The amplification matrix of converged iteration has a radius below 1 for every step: the implicit
/// coupling of a damped system. Its loops do not contract, so quasi-Newton methods solve them.
TEST(LargestStep, OfConvergedIterationIsTheWholeExperiment) {
    const TwoMassOscillator system{.d1 = 0.4, .d2 = 0.3};
    for (const double step : {0.5, 2.0, 2.15, 9.0, 9.5, 80.0})
        EXPECT_LT(test::spectral_radius_of(system.iterated(step, 0)), 1) << step;
    Workbench workbench;
    for (const char* recipe : {"iterated-jacobi", "iterated-gauss-seidel"}) {
        const auto found =
            pipeline::find_largest_step(workbench.assembled(system.scenario(recipe, 0, 0.1)),
                                        workbench.library, silent_log(), {});
        EXPECT_EQ(found.stable, 10) << recipe << ": " << found.reason;
        EXPECT_EQ(found.reason, "stable up to the whole experiment") << recipe;
    }
}

/// Responses that decay within a few steps are followed by the noise of loops, which is no mode.
TEST(LargestStep, NoiseOfLoopsIsNoMode) {
    const TwoMassOscillator system{.d1 = 0.4, .d2 = 0.3};
    Workbench workbench;
    for (const double step : {2.15, 4.0, 9.5}) {
        const auto found = workbench.linearized(system.scenario("iterated-jacobi", 0, step));
        EXPECT_NEAR(found.spectral_radius, test::spectral_radius_of(system.iterated(step, 0)), 1e-6)
            << step;
        EXPECT_LE(found.residual, 1e-6) << step;
    }
}

TEST(LargestStep, OfASystemThatIsUnstableItselfDoesNotExist) {
    const TwoMassOscillator system{.d1 = -0.5, .d2 = 0};
    Workbench workbench;
    const auto found =
        pipeline::find_largest_step(workbench.assembled(system.scenario("jacobi", 1, 0.1)),
                                    workbench.library, silent_log(), {});
    EXPECT_FALSE(found.stable);
    EXPECT_THAT(found.reason, testing::HasSubstr("the system itself may be unstable"));
}

TEST(LargestStep, IsFoundForEveryRecipe) {
    const TwoMassOscillator system{.d1 = 0.4, .d2 = 0.3};
    Workbench workbench;
    const auto table =
        pipeline::compare_recipes(workbench.assembled(system.scenario("jacobi", 0, 0.1)).scenario,
                                  workbench.library, silent_log(), {});
    EXPECT_EQ(table.size(), 8u);
    for (const auto& row : table) {
        if (row.recipe == scenario::Recipe::adaptive_gauss_seidel) continue; // no constant map
        EXPECT_TRUE(row.step.stable) << to_string(row.recipe) << ": " << row.step.reason;
        EXPECT_TRUE(row.step.radius);
    }
}

} // namespace
} // namespace rubato
