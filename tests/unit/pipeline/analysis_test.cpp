// SPDX-License-Identifier: Apache-2.0
#include "support/error_text.hpp"
#include "support/private_folder.hpp"

#include <rubato/analysis.hpp>
#include <rubato/core/errors.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace rubato {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

/// What a call throws; empty: nothing.
template <class Call>
std::string thrown_by(Call&& call) {
    return test::error_of<Error>(call);
}

/// y'' = -y, built by a program.
Scenario built_oscillator() {
    Scenario scenario = make_scenario("oscillator.yaml");
    scenario.add_unit("a", "{model: integrator, start: {y: 1}}");
    scenario.add_unit("b", "{model: integrator, parameters: {k: -1}}");
    scenario.connect("a.y", "b.u");
    scenario.connect("b.y", "a.u", "{factor: 1}");
    scenario.set_yaml("experiment", "{stop: 1, step: 0.25}");
    return scenario;
}

TEST(BuiltScenario, IsTheOneThatItsTextDescribes) {
    const Scenario built = built_oscillator();
    const Scenario read = load_text(built.to_yaml(), "oscillator.yaml");
    EXPECT_THAT(built.units(), ElementsAre("a", "b"));
    EXPECT_EQ(read.to_yaml(), built.to_yaml());
    EXPECT_EQ(run(read)["a.y"].back(), run(built)["a.y"].back());
}

TEST(BuiltScenario, RefusesWhatIsWrongAndStaysAsItIs) {
    Scenario scenario = built_oscillator();
    const std::string before = scenario.to_yaml();
    EXPECT_THAT(thrown_by([&] { scenario.add_unit("a", "{model: integrator}"); }),
                HasSubstr("has a unit \"a\" already"));
    EXPECT_THAT(thrown_by([&] { scenario.add_unit("a.b", "{model: integrator}"); }),
                HasSubstr("is no name for a unit"));
    EXPECT_THAT(thrown_by([&] { scenario.connect("a", "b.u"); }), HasSubstr("is not a connection"));
    EXPECT_THAT(thrown_by([&] { scenario.connect("a.y", "b.u", "{facto: 2}"); }),
                HasSubstr("did you mean \"factor\""));
    EXPECT_EQ(scenario.to_yaml(), before);
    EXPECT_THAT(thrown_by([] { run(make_scenario()); }), HasSubstr("has no units"));
}

TEST(Analysis, DescribesUnits) {
    const Scenario scenario = built_oscillator();
    const UnitInfo info = describe(scenario, "a");
    EXPECT_EQ(info.kind, "native model");
    EXPECT_THAT(info.variables, Contains(AllOf(Field(&VariableInfo::name, "u"),
                                               Field(&VariableInfo::causality, "input"))));
    EXPECT_THAT(thrown_by([&] { describe(scenario, "c"); }), HasSubstr("there is no unit \"c\""));
}

TEST(Analysis, ChecksAndVerifies) {
    Scenario scenario = built_oscillator();
    EXPECT_TRUE(check(scenario).is_correct());
    EXPECT_EQ(verify(scenario).outcome, Verification::Outcome::correct);
    scenario.connect("a.y", "a.nothing");
    const Check wrong = check(scenario);
    EXPECT_FALSE(wrong.is_correct());
    EXPECT_THAT(wrong.problems.front().message, HasSubstr("nothing"));
}

TEST(Analysis, FindsTheWayToAViolation) {
    Scenario scenario = built_oscillator();
    scenario.set_yaml("algorithm", "{recipe: gauss-seidel, order: [a, b]}");
    std::string yaml = synthesize(scenario, "yaml");
    const std::size_t at = yaml.find("reactive");
    ASSERT_NE(at, std::string::npos);
    yaml.replace(at, 8, "delayed");
    const Verification wrong = verify(load_text(yaml));
    ASSERT_EQ(wrong.outcome, Verification::Outcome::wrong);
    EXPECT_FALSE(wrong.counterexamples.front().trace.empty());
}

TEST(Analysis, DrawsGraphs) {
    const Scenario scenario = built_oscillator();
    EXPECT_THAT(graph(scenario), HasSubstr("<svg"));
    EXPECT_THAT(graph(scenario, {.of = "initialization", .format = "dot"}), HasSubstr("digraph"));
    EXPECT_THAT(diagram(scenario), HasSubstr("a.y → b.u"));
    EXPECT_THAT(thrown_by([&] { graph(scenario, {.of = "stop"}); }), HasSubstr("\"stop\""));
    EXPECT_THAT(thrown_by([&] { graph(scenario, {.format = "png"}); }), HasSubstr("\"png\""));
}

/// p = (q + 1)/2, q = (p + 1)/2.
Scenario loop_of_gains() {
    Scenario scenario = make_scenario("loop.yaml");
    for (const char* const name : {"p", "q"})
        scenario.add_unit(name, "{model: gain, parameters: {m: 1, n: 1, A: [0.5]}}");
    scenario.connect("p.y[1]", "q.u[1]", "{offset: 1}");
    scenario.connect("q.y[1]", "p.u[1]", "{offset: 1}");
    return scenario;
}

TEST(Analysis, LiftsLoopsIntoUnits) {
    const std::vector<std::string> loops = {"loops"};
    const Transformation lifted = transform_scenario(loop_of_gains(), loops);
    ASSERT_EQ(lifted.stages.size(), 1u);
    EXPECT_TRUE(lifted.stages.front().is_present);
    EXPECT_EQ(lifted.scenario.units().size(), 1u);
    EXPECT_FALSE(transform_scenario(built_oscillator()).stages.front().is_present);
    const std::vector<std::string> wrong = {"loop"};
    EXPECT_THAT(thrown_by([&] { transform_scenario(built_oscillator(), wrong); }),
                HasSubstr("did you mean \"loops\""));
    EXPECT_THAT(thrown_by([] { transform_scenario(make_scenario()); }), HasSubstr("has no units"));
}

TEST(Analysis, FindsTheEigenvaluesOfExplicitEuler) {
    Scenario scenario = built_oscillator();
    scenario.set("algorithm.recipe", std::string("jacobi"));
    const Stability found = analyze_stability(scenario);
    EXPECT_NEAR(found.spectral_radius, std::hypot(1, 0.25), 1e-6);
    EXPECT_FALSE(found.is_stable);
    ASSERT_FALSE(found.modes.empty());
    EXPECT_NEAR(found.modes.front().eigenvalue.real(), 1, 1e-6);
    EXPECT_THAT(found.picture, HasSubstr("<svg"));
}

TEST(Analysis, SavesToAnotherFolderWithPathsThatLeadToTheSameFiles) {
    const test::PrivateFolder folder;
    std::filesystem::create_directories(folder.path() / "deep");
    const std::string text = "{rubato: 1, units: {m: {fmu: \"" FMUS "/fmi2/msd1.fmu\"}}}";
    const Scenario absolute = load_text(text, folder.path() / "here.yaml");
    save(absolute, folder.path() / "deep/there.yaml");
    EXPECT_NO_THROW(run(load(folder.path() / "deep/there.yaml"), {.stop = 0.1, .step = 0.1}));
    const Scenario relative =
        load_text("{rubato: 1, units: {m: {table: t.csv}}}", folder.path() / "here.yaml");
    save(relative, folder.path() / "deep/there.yaml");
    EXPECT_THAT(load(folder.path() / "deep/there.yaml").to_yaml(), HasSubstr("../t.csv"));
    EXPECT_THAT(thrown_by([&] { save(relative, folder.path() / "there.fmu"); }),
                HasSubstr("cannot be saved"));
}

TEST(Analysis, KnowsAllSettings) {
    EXPECT_THAT(settings(), Contains(AllOf(Field(&SettingInfo::path, "algorithm.recipe"),
                                           Field(&SettingInfo::type, "choice"),
                                           Field(&SettingInfo::choices, Contains("jacobi")))));
}

TEST(SavedState, ContinuesWithTheSameBitsAndDropsWhatWasRecordedSince) {
    Simulation simulation = start(built_oscillator(), {.record = true});
    simulation.step();
    const SavedState state = simulation.save();
    simulation.step();
    const double there = simulation.get("a.y");
    simulation.restore(state);
    EXPECT_EQ(simulation.time(), state.time());
    EXPECT_EQ(simulation.result().time().size(), 2u);
    simulation.step();
    EXPECT_EQ(simulation.get("a.y"), there);
    EXPECT_EQ(simulation.result()["a.y"].back(), there);

    Simulation other = start(built_oscillator());
    EXPECT_THAT(thrown_by([&] { other.restore(state); }), HasSubstr("of another simulation"));
    EXPECT_THAT(thrown_by([&] { (void)other.result(); }), HasSubstr("records nothing"));
}

TEST(RecordedSteps, AreThoseOfARun) {
    Simulation simulation = start(built_oscillator(), {.record = true});
    while (simulation.step()) {
    }
    const Result whole = run(built_oscillator());
    const Result steps = simulation.result();
    EXPECT_TRUE(std::ranges::equal(steps["b.y"], whole["b.y"]));
    EXPECT_TRUE(steps.is_complete());
    EXPECT_EQ(steps.trust().grade, whole.trust().grade);
    ASSERT_EQ(whole.trust().connections.size(), 2u);
    EXPECT_EQ(whole.trust().connections.front().from, "a.y");
}

TEST(Progress, EndsARunThatWouldTakeLong) {
    int calls = 0;
    const Result result =
        run(built_oscillator(),
            {.stop = 1e7, .step = 0.01, .progress = [&](double, double) { return ++calls < 2; }});
    EXPECT_EQ(calls, 2);
    EXPECT_FALSE(result.is_complete());
    EXPECT_EQ(result.message(), "interrupted by the program");
}

TEST(Errors, SayWhereAProblemIs) {
    try {
        load_text("rubato: 1\nunits: {a: {model: integrator}}\nconections: []\n", "s.yaml");
        FAIL() << "nothing was thrown";
    } catch (const InputProblems& fault) {
        EXPECT_EQ(fault.problems().front().where.file, "s.yaml");
        EXPECT_EQ(fault.problems().front().where.line, 3);
    }
}

TEST(Plot, ShowsRecordedVariables) {
    const Result result = run(built_oscillator());
    const std::vector<std::string> names = {"a.*"};
    EXPECT_THAT(result.plot(names), HasSubstr("a.y"));
    EXPECT_EQ(result.type("a.y"), "float64");
}

} // namespace
} // namespace rubato
