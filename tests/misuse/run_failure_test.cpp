// SPDX-License-Identifier: Apache-2.0
// What a run makes of FMUs that misbehave in the step that crosses t = 0.5 s.
#include "support/collecting_log.hpp"
#include "support/run_scenario.hpp"
#include "support/sanitizer_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <optional>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace rubato::test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;

/// The FMU and one that behaves, feeding each other, from 0 to 1.2 s in steps of 0.3 s.
scenario::Scenario beside_a_good_one(const std::string& fmu, scenario::Recipe recipe,
                                     const std::optional<scenario::IsolationSettings>& isolate) {
    scenario::Scenario scenario;
    scenario.name = fmu;
    scenario.units.resize(2);
    scenario.units[0].name = "bad";
    scenario.units[0].origin = scenario::FmuFile{FMUS "/misuse/" + fmu + ".fmu"};
    scenario.units[0].isolate = isolate;
    scenario.units[1].name = "good";
    scenario.units[1].origin = scenario::FmuFile{FMUS "/misuse/behaves.fmu"};
    scenario.connections = {{"bad", "y", "good", "u"}, {"good", "y", "bad", "u"}};
    scenario.experiment = {.start = 0, .stop = 1.2, .step = 0.3};
    scenario.algorithm.recipe = recipe;
    return scenario;
}

struct Outcome {
    std::string message; ///< empty: the run went to its end
    std::vector<double> times;
    engine::Summary summary;
};

enum class Expectation { nothing, may_reject_steps };

Outcome run(const std::string& fmu, scenario::Recipe recipe,
            const std::optional<scenario::IsolationSettings>& isolate = {},
            Expectation expectation = Expectation::nothing) {
    unit::Library library(silent_log());
    Diagnostics diagnostics;
    scenario::Scenario scenario = beside_a_good_one(fmu, recipe, isolate);
    if (expectation == Expectation::may_reject_steps) scenario.units[0].can_reject_step = true;
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    TrajectoryRecorder recorder;
    Outcome outcome;
    try {
        engine::Simulation simulation = pipeline::build(assembly, library, silent_log());
        outcome.summary = simulation.run({.recorder = &recorder});
    } catch (const Error& error) {
        outcome.message = error.what();
    }
    outcome.times = recorder.trajectories["time"];
    return outcome;
}

struct Fault {
    std::string fmu, message;
    std::vector<double> kept; ///< times of the results that are kept
};

class RunFailure : public testing::TestWithParam<Fault> {};

TEST(FaultInTerminate, IsReportedAtTheEndOfTheRun) {
    const Outcome outcome = run("fails-in-terminate", scenario::Recipe::jacobi);
    EXPECT_THAT(outcome.message, HasSubstr("unit \"bad\" failed in fmi2Terminate at t = 1.2 s"));
    EXPECT_EQ(outcome.times.size(), 5u);
}

TEST_P(RunFailure, NamesTheUnitAndTheTimeAndKeepsTheResults) {
    for (const auto recipe : {scenario::Recipe::jacobi, scenario::Recipe::iterated_gauss_seidel}) {
        for (const bool isolated : {false, true}) {
            const auto isolate =
                isolated ? std::optional(scenario::IsolationSettings{}) : std::nullopt;
            const Outcome outcome = run(GetParam().fmu, recipe, isolate);
            EXPECT_THAT(outcome.message, HasSubstr(GetParam().message));
            EXPECT_EQ(outcome.times, GetParam().kept);
        }
    }
}

TEST(IsolatedRun, EndsWithUnitTimeAndReasonAndKeepsTheResults) {
    start_processes_as_without_sanitizers();
    const std::pair<std::string, std::string> faults[] = {
        {"crashes", "its process was ended by SIGSEGV"},
        {"aborts", "its process was ended by SIGABRT"},
        {"exits", "its process exited with code 3"},
        {"corrupts-its-heap", "its process "},
        {"hangs", "it did not return within the time limit of 2 s"}};
    for (const auto& [fmu, reason] : faults) {
        for (const std::string version : {"", "-fmi3"}) {
            for (const auto recipe :
                 {scenario::Recipe::jacobi, scenario::Recipe::iterated_gauss_seidel}) {
                const Outcome outcome =
                    run(fmu + version, recipe,
                        scenario::IsolationSettings{.time_limit = fmu == "hangs" ? 2.0 : 60.0});
                EXPECT_THAT(outcome.message,
                            HasSubstr("unit \"bad\" failed in step at t = 0.3 s: " + reason));
                EXPECT_THAT(outcome.times, ElementsAre(0, 0.3));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Faults, RunFailure,
    testing::Values(
        Fault{"null-instance", "unit \"bad\" failed in fmi2Instantiate before initialization", {}},
        Fault{"fails-in-initialization",
              "unit \"bad\" failed in fmi2ExitInitializationMode at t = 0 s",
              {}},
        Fault{"fails-in-step",
              "unit \"bad\" failed in fmi2DoStep at t = 0.3 s: it returned fmi2Error: the spring "
              "broke",
              {0, 0.3}},
        Fault{"fails-in-step-fmi3", "unit \"bad\" failed in fmi3DoStep at t = 0.3 s", {0, 0.3}},
        Fault{"fatal", "it returned fmi2Fatal: out of ideas", {0, 0.3}},
        Fault{"fails-silently", "it returned fmi2Error and logged no reason", {0, 0.3}},
        Fault{"returns-nan", "unit \"bad\": output \"y\" is nan at t = 0.6 s", {0, 0.3}},
        Fault{"returns-nan-fmi3", "unit \"bad\": output \"y\" is nan at t = 0.6 s", {0, 0.3}},
        Fault{"returns-infinity", "unit \"bad\": output \"y\" is inf at t = 0.6 s", {0, 0.3}}),
    [](const auto& fault) {
        std::string name = fault.param.fmu;
        std::ranges::replace(name, '-', '_');
        return name;
    });

TEST(RejectedStep, IsAnErrorWhereNothingIsNegotiated) {
    for (const std::string fmu : {"discards", "discards-fmi3", "returns-early-fmi3"}) {
        EXPECT_THAT(run(fmu, scenario::Recipe::jacobi).message,
                    HasSubstr("unit \"bad\" accepted the step from t = 0.3 s only up to t = 0.5 s, "
                              "not to 0.6 s"));
    }
}

TEST(RejectedStep, IsNegotiatedByTheSynthesizedAlgorithmWhereTheUnitMayRejectSteps) {
    for (const std::string fmu : {"discards", "discards-fmi3", "returns-early-fmi3"}) {
        const Outcome outcome =
            run(fmu, scenario::Recipe::synthesized, {}, Expectation::may_reject_steps);
        EXPECT_EQ(outcome.message, "") << fmu;
        EXPECT_THAT(outcome.times,
                    ElementsAre(0, DoubleEq(0.3), DoubleEq(0.5), DoubleEq(0.6), DoubleEq(0.9), 1.2))
            << fmu;
    }
}

/// Of an FMU for FMI 2.0 nobody knows before: its state is not saved.
TEST(RejectedStep, LeadsToTheAssemblyThatNegotiates) {
    unit::Library library(silent_log());
    Diagnostics diagnostics;
    const pipeline::Assembly assembly = pipeline::assemble(
        beside_a_good_one("discards", scenario::Recipe::synthesized, {}), library, diagnostics);
    diagnostics.throw_if_errors();
    std::optional<pipeline::Assembly> next;
    try {
        (void)pipeline::build(assembly, library, silent_log()).run({});
        ADD_FAILURE() << "the step was not rejected";
    } catch (const engine::StepRejected& rejection) {
        EXPECT_EQ(rejection.unit(), "bad");
        next = pipeline::with_negotiation(assembly, rejection);
        ASSERT_TRUE(next);
        EXPECT_FALSE(pipeline::with_negotiation(*next, rejection)) << "it is negotiated already";
    }
    const engine::Summary summary = pipeline::build(*next, library, silent_log()).run({});
    EXPECT_EQ(summary.end, engine::RunEnd::completed);
    EXPECT_EQ(summary.rejections, 1u);
}

TEST(RequestedEnd, EndsTheRunWithItsResults) {
    for (const std::string fmu : {"terminates", "terminates-fmi3"}) {
        const Outcome outcome = run(fmu, scenario::Recipe::jacobi);
        EXPECT_EQ(outcome.summary.end, engine::RunEnd::terminated) << fmu;
        EXPECT_EQ(outcome.summary.ended_by, "bad") << fmu;
        EXPECT_THAT(outcome.times, ElementsAre(0, DoubleEq(0.3))) << fmu;
    }
}

/// It declares event mode, at which its discrete input would be set, and refuses it.
TEST(RunOfAnFmuWithoutItsEventMode, SetsDiscreteInputsBetweenSteps) {
    unit::Library library(silent_log());
    for (const model::ModelType* type : models::all()) library.add(*type);
    scenario::Scenario scenario;
    scenario.units.resize(2);
    scenario.units[0].name = "stair";
    scenario.units[0].origin = scenario::NativeModel{"stair"};
    scenario.units[0].parameters = {{"interval", 0.25, {}, {}}};
    scenario.units[1].name = "odd";
    scenario.units[1].origin = scenario::FmuFile{FMUS "/misuse/odd-discrete-fmi3.fmu"};
    scenario.units[1].type = scenario::Interface::co_simulation;
    scenario.connections = {{"stair", "count", "odd", "n"}};
    scenario.experiment = {.start = 0, .stop = 1.2, .step = 0.1};
    scenario.recording.variables = {"odd.n"};
    Diagnostics diagnostics;
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    TrajectoryRecorder recorder;
    (void)pipeline::build(assembly, library, silent_log()).run({.recorder = &recorder});
    EXPECT_EQ(recorder.trajectories["odd.n"].back(), 4);
}

/// The FMU counts its time from 0 whenever it hears that a state from before the step may come
/// back. Iterations go back to the start of the step, and not before it.
TEST(RunOfAnFmuThatRestarts, IterationsPromiseNotToGoBackBeforeTheStep) {
    for (const std::string fmu : {"restarts", "restarts-fmi3"}) {
        unit::Library library(silent_log());
        Diagnostics diagnostics;
        const pipeline::Assembly assembly =
            pipeline::assemble(beside_a_good_one(fmu, scenario::Recipe::iterated_gauss_seidel, {}),
                               library, diagnostics);
        diagnostics.throw_if_errors();
        TrajectoryRecorder recorder;
        (void)pipeline::build(assembly, library, silent_log()).run({.recorder = &recorder});
        EXPECT_THAT(recorder.trajectories["bad.y"],
                    ElementsAre(0, DoubleEq(0.3), DoubleEq(0.6), DoubleEq(0.9), DoubleEq(1.2)));
    }
}

/// In the first configuration the units iterate, in the second nobody goes back.
TEST(RunOfAnFmuThatRestarts, AConfigurationThatDoesNotGoBackReleasesWhatTheOneBeforeHasSaved) {
    unit::Library library(silent_log());
    Diagnostics diagnostics;
    scenario::Scenario scenario = beside_a_good_one("restarts", scenario::Recipe::synthesized, {});
    const auto contracts = [](scenario::Reactivity reactivity) {
        return std::vector<scenario::ConfigurationSettings::Contract>{
            {"bad", "u", reactivity, {}}, {"good", "u", reactivity, {}}};
    };
    scenario.configurations.resize(2);
    scenario.configurations[0].name = "iterated";
    scenario.configurations[0].contracts = contracts(scenario::Reactivity::reactive);
    scenario.configurations[1].name = "once";
    scenario.configurations[1].contracts = contracts(scenario::Reactivity::delayed);
    scenario.configurations[1].from = 0.6;
    for (scenario::ConfigurationSettings& each : scenario.configurations) {
        each.procedure = each.name;
        each.connections = scenario.connections;
    }
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    TrajectoryRecorder recorder;
    const auto summary =
        pipeline::build(assembly, library, silent_log()).run({.recorder = &recorder});
    EXPECT_GT(summary.iterations, 2u);
    EXPECT_EQ(summary.switches, 1u);
    EXPECT_THAT(recorder.trajectories["bad.y"],
                ElementsAre(0, DoubleEq(0.3), DoubleEq(0.6), DoubleEq(0.9), DoubleEq(1.2)));
}

TEST(RunOfAnFmuThatChangesTheRounding, ComputesAsBeforeAfterEachOfItsSteps) {
    CollectingLog log;
    unit::Library library(log);
    Diagnostics diagnostics;
    const pipeline::Assembly assembly = pipeline::assemble(
        beside_a_good_one("rounds-upward", scenario::Recipe::jacobi, {}), library, diagnostics);
    diagnostics.throw_if_errors();
    engine::Simulation simulation = pipeline::build(assembly, library, log);
    simulation.initialize();
    for (int step = 0; step < 2; ++step) {
        simulation.step();
        EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    }
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(std::ranges::count_if(log.messages(),
                                    [](const CollectingLog::Message& message) {
                                        return message.source == "bad" &&
                                               message.text.starts_with("changes how");
                                    }),
              1);
}

#if defined(__SSE__)
/// What the quick check after each step does not see is found at the end of the macro step, and the
/// unit is named in the next.
TEST(RunOfAnFmuThatFlushesTinyNumbersToZero, ComputesAsBefore) {
    CollectingLog log;
    unit::Library library(log);
    Diagnostics diagnostics;
    const pipeline::Assembly assembly = pipeline::assemble(
        beside_a_good_one("flushes-to-zero", scenario::Recipe::jacobi, {}), library, diagnostics);
    diagnostics.throw_if_errors();
    engine::Simulation simulation = pipeline::build(assembly, library, log);
    simulation.initialize();
    for (int step = 0; step < 3; ++step) {
        simulation.step();
        EXPECT_EQ(_MM_GET_FLUSH_ZERO_MODE(), _MM_FLUSH_ZERO_OFF);
    }
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_OFF);
    const auto warnings_of = [&](std::string_view source) {
        return std::ranges::count_if(log.messages(), [&](const CollectingLog::Message& message) {
            return message.source == source && message.level == LogLevel::warning;
        });
    };
    EXPECT_EQ(warnings_of(""), 1);
    EXPECT_EQ(warnings_of("bad"), 1);
}
#endif

/// A parameter that nobody has set differs, and an input that is connected does not count.
TEST(RunOfAnFmuWithAnotherDefault, WarnsOfTheParameter) {
    CollectingLog log;
    unit::Library library(log);
    Diagnostics diagnostics;
    scenario::Scenario scenario = beside_a_good_one("other-default", scenario::Recipe::jacobi, {});
    scenario.units[0].start = {{"u", 0.25, {}, {}}};
    scenario.units[1].start = {{"u", 0.5, {}, {}}};
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    (void)pipeline::build(assembly, library, log).run({});
    const auto is_warning = [](const CollectingLog::Message& message) {
        return message.level == LogLevel::warning;
    };
    ASSERT_EQ(std::ranges::count_if(log.messages(), is_warning), 1);
    EXPECT_THAT(std::ranges::find_if(log.messages(), is_warning)->text,
                HasSubstr("parameter \"p\" is 7 after initialization"));
}

} // namespace
} // namespace rubato::test
