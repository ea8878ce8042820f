// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <gmock/gmock.h>

namespace rubato::scenario::testing {
namespace {

std::string problems_of(const std::string& rest) { return resolve_two(rest).problems(); }

UnitDescription solved() {
    UnitDescription description = two_port();
    description.interface = Interface::model_exchange;
    return description;
}

TEST(SolverSettings, ArePositive) {
    const auto problems = resolve_text("rubato: 1\nunits:\n  a:\n    fmu: a.fmu\n"
                                       "    solver: {tolerance: 0, max-step: -1, step: 0}\n",
                                       {solved()})
                              .problems();
    EXPECT_EQ(problems, "s.yaml:5: units.a.solver.tolerance is 0: it must be positive\n"
                        "s.yaml:5: units.a.solver.max-step is -1: it must be positive\n"
                        "s.yaml:5: units.a.solver.step is 0: it must be positive\n");
}

TEST(IsolationSettings, AreForFmusAndNotNegative) {
    EXPECT_EQ(
        resolve_text("rubato: 1\nunits: {a: {model: a, isolate: {time-limit: -1}}}\n", {two_port()})
            .problems(),
        "s.yaml:2: unit \"a\" is isolated, but is no FMU\n"
        "  remove isolate: only FMUs run in a process of their own\n"
        "s.yaml:2: units.a.isolate.time-limit is -1: it must not be negative\n");
}

TEST(SolverSettings, AreForModelExchange) {
    EXPECT_EQ(
        resolve_text("rubato: 1\nunits: {a: {fmu: a.fmu, solver: adams}}\n", {solved()}).problems(),
        "");
    EXPECT_EQ(resolve_text("rubato: 1\nunits: {a: {fmu: a.fmu, solver: adams}}\n", {two_port()})
                  .problems(),
              "s.yaml:2: unit \"a\" has a solver, but solves its equations itself\n"
              "  remove solver, or choose model exchange by type: me\n");
}

TEST(InterfaceSettings, AreForFmus) {
    EXPECT_EQ(
        resolve_text("rubato: 1\nunits: {a: {model: m, type: me}}\n", {two_port()}).problems(),
        "s.yaml:2: unit \"a\" has a type, but is no FMU\n"
        "  remove type: it chooses between the interfaces of an FMU\n");
}

TEST(ExperimentSettings, StopDoesNotLieBeforeStart) {
    EXPECT_EQ(problems_of("experiment: {start: 2, stop: 1}\n"),
              "s.yaml:5: experiment.stop is 1, experiment.start is 2\n"
              "  stop must not lie before start\n");
    EXPECT_EQ(problems_of("experiment: {start: 1, stop: 1}\n"), "");
}

TEST(ExperimentSettings, StepIsPositiveAndNoLongerThanTheExperiment) {
    EXPECT_EQ(problems_of("experiment: {step: 0}\n"),
              "s.yaml:5: experiment.step is 0: it must be positive\n");
    EXPECT_EQ(problems_of("experiment: {step: -0.5}\n"),
              "s.yaml:5: experiment.step is -0.5: it must be positive\n");
    EXPECT_EQ(problems_of("experiment: {stop: 2, step: 3}\n"),
              "s.yaml:5: experiment.step is 3, longer than the experiment, which lasts 2\n"
              "  choose a shorter step or a later stop\n");
    EXPECT_EQ(problems_of("experiment: {stop: 2, step: 2}\n"), "");
}

TEST(ExperimentSettings, AShorterLastStepIsWarnedOf) {
    EXPECT_EQ(problems_of("experiment: {stop: 1, step: 0.3}\n"),
              "s.yaml:5: warning: the experiment lasts 1, which is not a whole number of steps of "
              "0.3: the last step is shorter\n");
    for (const std::string whole : {"{stop: 20, step: 0.2}", "{stop: 1000, step: 0.001}",
                                    "{start: 0.1, stop: 0.4, step: 0.1}"}) {
        EXPECT_EQ(problems_of("experiment: " + whole + "\n"), "");
    }
}

TEST(ExperimentSettings, MinimumStepIsPositiveAndNoLongerThanTheStep) {
    EXPECT_EQ(problems_of("experiment: {step: 0.1, minimum-step: 0}\n"),
              "s.yaml:5: experiment.minimum-step is 0: it must be positive\n");
    EXPECT_EQ(problems_of("experiment: {step: 0.1, minimum-step: 0.2}\n"),
              "s.yaml:5: experiment.minimum-step is 0.2, longer than experiment.step, which is "
              "0.1\n  give a shorter one, or leave it out\n");
    EXPECT_EQ(problems_of("experiment: {step: 0.1, minimum-step: 0.1}\n"), "");
}

TEST(ExperimentSettings, WhatFollowsAPartialStepIsIgnoredWhereStepsAdapt) {
    const std::string continues = "experiment: {step: 0.1, after-partial-step: continue}\n";
    EXPECT_EQ(problems_of(continues), "");
    EXPECT_THAT(problems_of("step-control: predictor\n" + continues),
                ::testing::HasSubstr("s.yaml:6: warning: experiment.after-partial-step is ignored: "
                                     "predictor chooses each step\n"
                                     "  remove it, or use step-control: fixed\n"));
}

TEST(ExperimentSettings, ToleranceIsPositive) {
    EXPECT_EQ(problems_of("experiment: {tolerance: 0}\n"),
              "s.yaml:5: experiment.tolerance is 0: it must be positive\n");
}

TEST(AlgorithmChecks, OrderNamesEveryUnitOnce) {
    EXPECT_EQ(problems_of("algorithm: {recipe: gauss-seidel, order: [b, a]}\n"), "");
    EXPECT_EQ(problems_of("algorithm: {recipe: gauss-seidel, order: [a, aa, a]}\n"),
              "s.yaml:5: the scenario has no unit \"aa\"\n"
              "  did you mean \"a\"? its units are: a, b\n"
              "s.yaml:5: algorithm.order names unit \"a\" twice\n"
              "s.yaml:5: algorithm.order lacks unit \"b\"\n"
              "  name every unit once, or leave the order out\n");
}

TEST(AlgorithmChecks, SettingsThatHaveNoEffectAreWarnedOf) {
    EXPECT_EQ(problems_of("algorithm: {recipe: iterated-jacobi, order: [a, b]}\n"),
              "s.yaml:5: warning: algorithm.order is ignored: iterated-jacobi knows no "
              "order\n  remove it, or use gauss-seidel\n");
    EXPECT_EQ(problems_of("algorithm: {recipe: jacobi, iterations: 2}\n"),
              "s.yaml:5: warning: algorithm.iterations is ignored: jacobi does not iterate\n"
              "  remove it, or use iterated-jacobi\n");
}

TEST(AlgorithmChecks, NumbersAreInRange) {
    EXPECT_EQ(problems_of("algorithm: {recipe: iterated-jacobi, iterations: 0, iteration-limit: "
                          "0, absolute-tolerance: -1, relative-tolerance: -0.5}\n"),
              "s.yaml:5: algorithm.iterations is 0: it must be at least 1\n"
              "s.yaml:5: algorithm.iteration-limit is 0: it must be at least 1\n"
              "s.yaml:5: algorithm.absolute-tolerance is -1: it must not be negative\n"
              "s.yaml:5: algorithm.relative-tolerance is -0.5: it must not be negative\n");
}

} // namespace
} // namespace rubato::scenario::testing
