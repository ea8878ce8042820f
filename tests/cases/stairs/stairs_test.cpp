// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"
#include "stairs/descent.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace rubato::test::stairs {
namespace {

using examples::Descent;

constexpr auto five = CASES "/stairs/five.yaml";
constexpr auto two = CASES "/stairs/two.yaml";
constexpr auto one = CASES "/stairs/one.yaml";
constexpr int all_events = 28;

/// One model with all equations behind CVODE, at the times of a run.
Descent monolithic(const Descent& run) {
    return examples::descend(
        one, {.points = examples::as_points(run), .change = [](scenario::Scenario& scenario) {
                  use(Form::solved, scenario);
                  scenario.experiment.tolerance = 1e-10;
              }});
}

Descent descend(const std::string& file, const std::string& tolerance, Form form = Form::native,
                const std::string& recipe = "waveform-jacobi") {
    return examples::descend(
        file, {.overrides = {{"step-control.tolerance", tolerance}, {"algorithm.recipe", recipe}},
               .change = [form](scenario::Scenario& scenario) {
                   use(form, scenario);
                   if (form == Form::solved) scenario.experiment.tolerance = 1e-9;
               }});
}

class Stairs : public testing::TestWithParam<std::tuple<Form, const char*>> {};

TEST_P(Stairs, FiveUnitsFollowTheMonolithicSolution) {
    const auto [form, recipe] = GetParam();
    // The first iteration of Gauss-Seidel is nearer to the last than that of Jacobi: what is called
    // divergence is smaller for the same step.
    const bool is_jacobi = recipe == std::string("waveform-jacobi");
    const Descent run = descend(five, is_jacobi ? "1e-3" : "2.5e-4", form, recipe);
    const Descent reference = monolithic(run);
    EXPECT_EQ(run.decisions.size() - 1, all_events);
    EXPECT_TRUE(same_decisions(run, reference));
    EXPECT_LT(largest_error(run, reference), 0.01);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Stairs,
    testing::Combine(testing::Values(Form::native, Form::fmi2, Form::fmi3, Form::solved),
                     testing::Values("waveform-gauss-seidel", "waveform-jacobi")),
    [](const auto& test) {
        const std::string recipe = std::get<1>(test.param);
        return name_of(std::get<0>(test.param)) +
               (recipe == "waveform-jacobi" ? "Jacobi" : "GaussSeidel");
    });

TEST(StairsTolerance, HalvingItShrinksTheError) {
    double last = 0.01;
    for (const char* tolerance : {"1e-3", "5e-4", "2.5e-4", "1.25e-4"}) {
        const Descent run = descend(five, tolerance);
        const Descent reference = monolithic(run);
        const double error = largest_error(run, reference);
        EXPECT_TRUE(same_decisions(run, reference)) << tolerance;
        EXPECT_LT(error, last) << tolerance;
        last = error;
    }
}

TEST(StairsInParts, OneTwoAndFiveUnitsGiveTheSame) {
    const auto difference = [](const Descent& run) {
        const Descent reference = monolithic(run);
        EXPECT_TRUE(same_decisions(run, reference));
        return largest_error(run, reference);
    };
    EXPECT_LT(difference(examples::descend(one)), 1e-4);
    EXPECT_LT(difference(examples::descend(two)), 1e-4); // nothing continuous is cut
    EXPECT_LT(difference(descend(five, "1e-4")), 1e-3);
}

} // namespace
} // namespace rubato::test::stairs
