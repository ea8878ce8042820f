// SPDX-License-Identifier: Apache-2.0
#include "step-control/two_masses.hpp"
#include "support/run_scenario.hpp"
#include "tuning.hpp"

#include <rubato/pipeline/tune.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace rubato::pipeline {
namespace {

using ::testing::HasSubstr;

TuneSettings settings_for(double tolerance) {
    return {.tolerance = tolerance, .budget = 60, .minimize = TuneCost::unit_steps, .parallel = 2};
}

/// Of x1 relative to its range, by the solution of the whole system.
double true_error(const test::Trajectories& run) {
    const studies::TwoMasses system{.c1 = 5, .d1 = 1, .c2 = 0.1, .initial = {.x1 = 1}};
    const auto exact = system.at(run.at("time"));
    double largest = 0, low = HUGE_VAL, high = -HUGE_VAL;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        largest = std::max(largest, std::abs(run.at("msd1.x1")[i] - exact[i].x1));
        low = std::min(low, exact[i].x1);
        high = std::max(high, exact[i].x1);
    }
    return largest / (high - low);
}

TEST(Tune, WhatItWritesMeetsTheToleranceAndCostsLess) {
    test::Tuning tuning("studies/step-control/coupled-oscillators.yaml");
    const Tuned tuned = tune(tuning.scenario, tuning.library, settings_for(1e-3));
    ASSERT_TRUE(tuned.best);
    const Tried& best = tuned.tried[*tuned.best];
    EXPECT_TRUE(tuned.reference.is_sure);
    EXPECT_LE(best.error, 1e-3);
    EXPECT_LT(best.costs.unit_steps, tuned.tried.front().costs.unit_steps);
    // The best entry of studies/step-control within 1e-3 needs 498.
    EXPECT_LE(best.costs.unit_steps, 498);
    const auto run =
        test::run_scenario(tuning.scenario.file.string(), {}, [&](scenario::Scenario& scenario) {
            scenario = tuned_scenario(scenario, tuning.library, best.candidate,
                                      scenario.file.parent_path());
        });
    EXPECT_LE(true_error(run), 1.1e-3);
    for (std::size_t i = 1; i < tuned.front.size(); ++i) {
        const Tried& cheaper = tuned.tried[tuned.front[i - 1]];
        const Tried& dearer = tuned.tried[tuned.front[i]];
        EXPECT_LE(cheaper.costs.unit_steps, dearer.costs.unit_steps);
        EXPECT_GT(cheaper.error, dearer.error);
    }
}

TEST(Tune, ATooSmallBudgetIsNamed) {
    test::Tuning tuning("studies/step-control/coupled-oscillators.yaml");
    TuneSettings settings = settings_for(1e-3);
    settings.budget = 1e-3;
    try {
        (void)tune(tuning.scenario, tuning.library, settings);
        FAIL() << "no Error";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("too small for one run"));
        EXPECT_THAT(error.what(), HasSubstr("--budget"));
    }
}

TEST(Tune, SettingsThatMakeNoSenseAreRefused) {
    test::Tuning tuning("studies/step-control/coupled-oscillators.yaml");
    for (const double tolerance : {0.0, -1.0, 1.0, std::nan("")})
        EXPECT_THROW((void)tune(tuning.scenario, tuning.library, settings_for(tolerance)),
                     InputError);
    TuneSettings settings = settings_for(1e-3);
    settings.budget = 0;
    EXPECT_THROW((void)tune(tuning.scenario, tuning.library, settings), InputError);
}

} // namespace
} // namespace rubato::pipeline
