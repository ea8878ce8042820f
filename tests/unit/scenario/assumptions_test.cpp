// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <rubato/scenario/assumptions.hpp>

namespace rubato::scenario::testing {
namespace {

UnitDescription suggesting(const DefaultExperiment& experiment) {
    UnitDescription unit = two_port();
    unit.default_experiment = experiment;
    return unit;
}

Experiment all_open() {
    Experiment experiment;
    experiment.open = {true, true, true, true};
    return experiment;
}

TEST(Assumptions, WhatUnitsSuggestFillsWhatIsOpen) {
    Experiment experiment = all_open();
    const std::vector units = {suggesting({1, 9, 0.5, 1e-5})};
    const auto assumed = settle_experiment(experiment, units, 0.01);
    EXPECT_EQ(experiment.start, 1);
    EXPECT_EQ(experiment.stop, 9);
    EXPECT_EQ(experiment.step, 0.5);
    EXPECT_EQ(experiment.tolerance, 1e-5);
    EXPECT_EQ(experiment.open, Experiment::Open{});
    EXPECT_EQ(to_text(assumed), "start 1 s (as units suggest), stop 9 s (as units suggest), step "
                                "0.5 s (as units suggest), tolerance 1e-05 (as units suggest)");
}

TEST(Assumptions, OfSeveralUnitsTheWidestSpanAndTheFinestStepCount) {
    Experiment experiment = all_open();
    const std::vector units = {suggesting({2, 4, 0.1, 1e-4}), two_port(),
                               suggesting({1, 8, 0.2, 1e-6})};
    const auto assumed = settle_experiment(experiment, units, 0.01);
    EXPECT_EQ(experiment.start, 1);
    EXPECT_EQ(experiment.stop, 8);
    EXPECT_EQ(experiment.step, 0.1);
    EXPECT_EQ(experiment.tolerance, 1e-6);
    EXPECT_EQ(to_text(std::span(assumed).subspan(1, 2)),
              "stop 8 s (the latest that units suggest), step 0.1 s (the smallest that units "
              "suggest)");
}

TEST(Assumptions, WhatIsGivenStays) {
    Experiment experiment;
    const std::vector units = {suggesting({1, 9, 0.5, 1e-5})};
    EXPECT_TRUE(settle_experiment(experiment, units, 0.01).empty());
    EXPECT_EQ(experiment, Experiment{});
}

TEST(Assumptions, SuggestionsThatContradictWhatIsGivenDoNotCount) {
    Experiment experiment;
    experiment.stop = 0.5;
    experiment.open = {.start = true, .step = true};
    const std::vector units = {suggesting({1, 9, 0.75, {}})};
    const auto assumed = settle_experiment(experiment, units, 0.01);
    EXPECT_EQ(experiment.start, 0);
    EXPECT_EQ(experiment.step, 0.01);
    EXPECT_EQ(to_text(assumed), "start 0 s, step 0.01 s");
}

TEST(Assumptions, ALongSuggestedSpanIsNotCutInTinySteps) {
    Experiment experiment = all_open();
    const std::vector units = {suggesting({{}, 1e6, {}, {}})};
    (void)settle_experiment(experiment, units, 0.01);
    EXPECT_EQ(experiment.stop, 1e6);
    EXPECT_EQ(experiment.step, 2000);
}

TEST(Assumptions, AStartAtZeroIsNotWorthAWord) {
    Experiment experiment;
    experiment.open = {.start = true, .tolerance = true};
    EXPECT_EQ(to_text(settle_experiment(experiment, std::vector{two_port()}, 0.01)), "");
    EXPECT_FALSE(experiment.tolerance);
}

TEST(Assumptions, FilesLeaveOpenWhatTheyDoNotName) {
    const Experiment experiment =
        parse("rubato: 1\nunits: {a: {model: m}}\nexperiment: {stop: 3}\n").scenario.experiment;
    EXPECT_EQ(experiment.open, (Experiment::Open{true, false, true, true}));
    const Parsed overridden =
        parse("rubato: 1\nunits: {a: {model: m}}\n", {{"experiment.step", "0.5"}});
    EXPECT_EQ(overridden.scenario.experiment.open, (Experiment::Open{true, true, false, true}));
}

TEST(Assumptions, WhatIsOpenIsNotWritten) {
    const Scenario scenario =
        parse("rubato: 1\nunits: {a: {model: m}}\nexperiment: {stop: 3}\n").scenario;
    const Parsed again = parse(write_yaml(scenario));
    EXPECT_EQ(again.scenario.experiment.open, scenario.experiment.open) << write_yaml(scenario);
    EXPECT_EQ(again.scenario.experiment.stop, 3);
}

} // namespace
} // namespace rubato::scenario::testing
