// SPDX-License-Identifier: Apache-2.0
#include "two_masses.hpp"

#include <gmock/gmock.h>

namespace rubato {
namespace {

using pipeline::largest_stable_radius;
using test::TwoMassOscillator;
using test::Workbench;

/// By bisection over the amplification matrix.
double exact_largest_step(const TwoMassOscillator& system, int order) {
    double low = 1e-4, high = 10;
    while (test::spectral_radius_of(system.jacobi(low * 1.1, order)) <= largest_stable_radius)
        low *= 1.1;
    high = low * 1.1;
    while (high - low > 1e-9 * high) {
        const double middle = (low + high) / 2;
        const bool stable =
            test::spectral_radius_of(system.jacobi(middle, order)) <= largest_stable_radius;
        (stable ? low : high) = middle;
    }
    return low;
}

TEST(LargestStep, OfJacobiIsThatOfTheAmplificationMatrix) {
    const TwoMassOscillator system{.d1 = 0.4, .d2 = 0.3};
    Workbench workbench;
    for (const int order : {0, 1}) {
        const double exact = exact_largest_step(system, order);
        for (const double from : {0.3 * exact, 4 * exact}) { // from below and from above
            const auto found = pipeline::find_largest_step(
                workbench.assembled(system.scenario("jacobi", order, from)), workbench.library,
                silent_log(), {});
            ASSERT_TRUE(found.stable && found.unstable) << found.reason;
            EXPECT_LE(*found.stable, exact * (1 + 1e-6));
            EXPECT_GE(*found.unstable, exact * (1 - 1e-6));
            EXPECT_LE(*found.unstable / *found.stable, 1.0011);
        }
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
    double jacobi = 0;
    for (const auto& row : table)
        if (row.recipe == scenario::Recipe::jacobi) jacobi = row.step.stable.value_or(0);
    EXPECT_GT(jacobi, 0.01);
    EXPECT_LT(jacobi, 1);
    for (const auto& row : table) {
        EXPECT_TRUE(row.step.stable) << to_string(row.recipe) << ": " << row.step.reason;
        // Held inputs that are iterated are implicit: stable for any step.
        if (row.recipe == scenario::Recipe::iterated_jacobi) {
            EXPECT_FALSE(row.step.unstable);
        }
    }
}

} // namespace
} // namespace rubato
