// SPDX-License-Identifier: Apache-2.0
// What a run makes of FMUs that misbehave in a scenario within others, in the step that crosses
// t = 0.5 s.
#include "support/run_scenario.hpp"

#include <gmock/gmock.h>

#include <memory>

namespace rubato::test {
namespace {

using testing::DoubleEq;
using testing::HasSubstr;

scenario::Unit fmu_unit(const std::string& name, const std::string& fmu) {
    scenario::Unit unit;
    unit.name = name;
    unit.origin = scenario::FmuFile{FMUS "/misuse/" + fmu + ".fmu"};
    return unit;
}

/// The FMU as the only unit of a scenario that is the only unit of another: a/b/bad.
scenario::Unit two_levels_down(const std::string& fmu) {
    scenario::Unit unit = fmu_unit("bad", fmu);
    std::string port = "bad.";
    for (const char* name : {"b", "a"}) {
        scenario::Scenario inner;
        inner.experiment.open = {true, true, true, true};
        inner.interface.emplace();
        inner.interface->inputs = {{"u", {port + "u"}, {}}};
        inner.interface->outputs = {{"y", {port + "y"}, {}}};
        inner.units.push_back(std::move(unit));
        unit = {};
        unit.name = name;
        unit.origin = scenario::NestedScenario{
            .file = {}, .scenario = std::make_shared<const scenario::Scenario>(std::move(inner))};
        port = unit.name + ".";
    }
    return unit;
}

/// That and an FMU that behaves, feeding each other, from 0 to 1.2 s in steps of 0.3 s.
scenario::Scenario beside_a_scenario(const std::string& fmu, scenario::Recipe recipe) {
    scenario::Scenario scenario;
    scenario.units = {two_levels_down(fmu), fmu_unit("good", "behaves")};
    scenario.connections = {{"a", "y", "good", "u"}, {"good", "y", "a", "u"}};
    scenario.experiment = {.start = 0, .stop = 1.2, .step = 0.3};
    scenario.algorithm.recipe = recipe;
    return scenario;
}

struct NestedOutcome {
    std::string message;
    Trajectories trajectories;
    engine::Summary summary;
};

NestedOutcome run_nested(const std::string& fmu, scenario::Recipe recipe) {
    unit::Library library(silent_log());
    Diagnostics diagnostics;
    const pipeline::Assembly assembly =
        pipeline::assemble(beside_a_scenario(fmu, recipe), library, diagnostics);
    diagnostics.throw_if_errors();
    TrajectoryRecorder recorder;
    NestedOutcome outcome;
    try {
        engine::Simulation simulation = pipeline::build(assembly, library, silent_log());
        outcome.summary = simulation.run({.recorder = &recorder});
    } catch (const Error& error) {
        outcome.message = error.what();
    }
    outcome.trajectories = std::move(recorder.trajectories);
    return outcome;
}

TEST(NestedFailure, NamesThePathAndKeepsTheResults) {
    for (const std::string fmu : {"fails-in-step", "fails-in-step-fmi3"}) {
        const NestedOutcome outcome = run_nested(fmu, scenario::Recipe::jacobi);
        EXPECT_THAT(outcome.message, HasSubstr("unit \"a/b/bad\" failed in fmi"));
        EXPECT_THAT(outcome.message, HasSubstr("DoStep at t = 0.3 s"));
        EXPECT_THAT(outcome.trajectories.at("time"), testing::ElementsAre(0, 0.3));
    }
    EXPECT_THAT(run_nested("returns-nan", scenario::Recipe::jacobi).message,
                HasSubstr("output \"y\" is nan at t = 0.6 s"));
    EXPECT_THAT(run_nested("fails-in-initialization", scenario::Recipe::jacobi).message,
                HasSubstr("unit \"a/b/bad\" failed in fmi2ExitInitializationMode at t = 0 s"));
}

TEST(NestedFailure, AStepThatIsRejectedByAnUndeclaredUnitNamesItsPath) {
    EXPECT_THAT(run_nested("discards", scenario::Recipe::jacobi).message,
                HasSubstr("unit \"a/b/bad\" accepted the step from t = 0.3 s only up to t = 0.5 s, "
                          "not to 0.6 s"));
}

/// FMUs for FMI 3.0 declare it: the innermost level negotiates, so that the whole need not know.
TEST(NestedFailure, AStepThatIsRejectedByADeclaredUnitIsNegotiatedWithin) {
    for (const std::string fmu : {"discards-fmi3", "returns-early-fmi3"}) {
        const NestedOutcome outcome = run_nested(fmu, scenario::Recipe::jacobi);
        EXPECT_EQ(outcome.message, "") << fmu;
        EXPECT_EQ(outcome.summary.end, engine::RunEnd::completed) << fmu;
        EXPECT_EQ(outcome.trajectories.at("time").size(), 5u) << fmu;
    }
}

/// Of an FMU for FMI 2.0 nobody knows before that it rejects steps.
TEST(NestedFailure, LeadsToTheAssemblyThatNegotiatesAtItsOwnLevel) {
    unit::Library library(silent_log());
    Diagnostics diagnostics;
    scenario::Scenario scenario = beside_a_scenario("discards", scenario::Recipe::synthesized);
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    std::optional<pipeline::Assembly> next;
    try {
        (void)pipeline::build(assembly, library, silent_log()).run({});
        ADD_FAILURE() << "the step was not rejected";
    } catch (const engine::StepRejected& rejection) {
        EXPECT_EQ(rejection.unit(), "a/b/bad");
        next = pipeline::with_negotiation(assembly, rejection);
        ASSERT_TRUE(next);
        EXPECT_FALSE(pipeline::with_negotiation(*next, rejection)) << "it is negotiated already";
    }
    TrajectoryRecorder recorder;
    const engine::Summary summary =
        pipeline::build(*next, library, silent_log()).run({.recorder = &recorder});
    EXPECT_EQ(summary.end, engine::RunEnd::completed);
    EXPECT_EQ(summary.rejections, 0u) << "it is negotiated within";
    EXPECT_THAT(recorder.trajectories.at("time"),
                testing::ElementsAre(0, DoubleEq(0.3), DoubleEq(0.6), DoubleEq(0.9), 1.2));
}

TEST(NestedFailure, AUnitThatAsksForTheEndEndsTheWhole) {
    for (const std::string fmu : {"terminates", "terminates-fmi3"}) {
        const NestedOutcome outcome = run_nested(fmu, scenario::Recipe::jacobi);
        EXPECT_EQ(outcome.message, "") << fmu;
        EXPECT_EQ(outcome.summary.end, engine::RunEnd::terminated) << fmu;
        EXPECT_EQ(outcome.summary.ended_by, "a") << fmu;
        EXPECT_THAT(outcome.trajectories.at("time"), testing::ElementsAre(0, DoubleEq(0.3))) << fmu;
    }
}

/// The FMU counts its time from 0 whenever it hears that a state from before the step may come
/// back.
TEST(NestedFailure, IterationsPromiseInnerUnitsNotToGoBackBeforeTheStep) {
    for (const std::string fmu : {"restarts", "restarts-fmi3"})
        EXPECT_THAT(
            run_nested(fmu, scenario::Recipe::iterated_gauss_seidel).trajectories.at("a.y"),
            testing::ElementsAre(0, DoubleEq(0.3), DoubleEq(0.6), DoubleEq(0.9), DoubleEq(1.2)))
            << fmu;
}

} // namespace
} // namespace rubato::test
