// SPDX-License-Identifier: Apache-2.0
#include "support/collecting_log.hpp"
#include "support/error_text.hpp"
#include "support/private_folder.hpp"

#include <rubato/model/declare.hpp>
#include <rubato/rubato.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

/// y = 2 u
struct Twice {
    double u = 0, y = 0;

    static void declare(rubato::model::Declaration<Twice>& model) {
        model.input(&Twice::u, "u", "", "");
        model.output(&Twice::y, "y", "", "").fed_by(&Twice::u);
    }
    void outputs() { y = 2 * u; }
};
RUBATO_MODEL(twice, Twice)
const rubato::model::ModelType& rubato_model_twice();

namespace rubato {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// y' = k u
constexpr auto integrator = R"(rubato: 1
name: ramp
units: {i: {model: integrator, start: {u: 2, y: 1}}}
experiment: {stop: 1, step: 0.25}
)";

/// An oscillator of two units: y'' = -y.
constexpr auto oscillator = R"(rubato: 1
units:
  a: {model: integrator, start: {y: 1}}
  b: {model: integrator, parameters: {k: -1}}
connections: [a.y -> b.u, b.y -> a.u]
experiment: {stop: 5, step: 0.25}
algorithm: jacobi
)";

/// What a call throws; empty: nothing.
template <class Call>
std::string error_of(Call&& call) {
    return test::error_of<Error>(call);
}

TEST(Facade, RunsAScenarioAndGivesItsColumns) {
    const Scenario scenario = load_text(integrator);
    EXPECT_EQ(scenario.name(), "ramp");
    const Result result = run(scenario);
    EXPECT_THAT(result.time(), ElementsAre(0, 0.25, 0.5, 0.75, 1));
    EXPECT_THAT(result.names(), ElementsAre("i.y"));
    EXPECT_THAT(result["i.y"], ElementsAre(1, 1.5, 2, 2.5, 3));
    EXPECT_EQ(result.steps(), 4u);
    EXPECT_TRUE(result.is_complete());
    EXPECT_EQ(result.message(), "");
}

TEST(Facade, SettingsChangeTheScenarioAndItsCopiesAreIndependent) {
    Scenario scenario = load_text(integrator);
    const Scenario before = scenario;
    scenario.set("i.k", 2.0);
    scenario.set("i.y", 0);
    scenario.set("experiment.step", 0.5);
    scenario.set_yaml("record", "[i.u, i.y]");
    const Result result = run(scenario, {.stop = 2.0});
    EXPECT_THAT(result.time(), ElementsAre(0, 0.5, 1, 1.5, 2));
    EXPECT_THAT(result["i.y"], ElementsAre(0, 2, 4, 6, 8));
    EXPECT_THAT(result["i.u"], ElementsAre(2, 2, 2, 2, 2));
    EXPECT_THAT(run(before)["i.y"], ElementsAre(1, 1.5, 2, 2.5, 3));
    EXPECT_THAT(run(scenario, {.stop = 1, .record = {"i.y"}}).names(), ElementsAre("i.y"));
    EXPECT_EQ(load_text(scenario.to_yaml()).to_yaml(), scenario.to_yaml());
}

TEST(Facade, TellsHowFarResultsCanBeBelieved) {
    const Scenario scenario = load_text(oscillator);
    const Result rough = run(scenario);
    EXPECT_GE(rough.trust().grade, Trust::Grade::rough);
    EXPECT_THAT(rough.trust().advice.at(0), HasSubstr("--step"));
    const Result good = run(scenario, {.step = 0.0005});
    EXPECT_EQ(good.trust().grade, Trust::Grade::good);
    EXPECT_THAT(good.trust().text(), AllOf(StartsWith("good: "), HasSubstr("a.y -> b.u")));
    EXPECT_EQ(run(load_text(integrator)).trust().grade, Trust::Grade::unknown);
}

TEST(Facade, StepsWithAControllerOfTheProgram) {
    Simulation simulation = start(load_text(integrator), {.stop = 2});
    double expected = 1;
    int steps = 0;
    simulation.set("i.u", -simulation.get("i.y"));
    while (simulation.step()) {
        expected *= 1 - 0.25; // explicit Euler of y' = -y
        EXPECT_DOUBLE_EQ(simulation.get("i.y"), expected);
        EXPECT_DOUBLE_EQ(simulation.time(), 0.25 * ++steps);
        simulation.set("i.u", -simulation.get("i.y"));
    }
    EXPECT_EQ(steps, 8);
    EXPECT_FALSE(simulation.step());
    EXPECT_EQ(simulation.time(), 2);
}

TEST(Facade, ASteppedSimulationGivesTheValuesOfARun) {
    const Scenario scenario = load_text(oscillator);
    const Result result = run(scenario);
    Simulation simulation = start(scenario);
    for (std::size_t row = 0; row < result.time().size(); ++row) {
        EXPECT_EQ(simulation.get("a.y"), result["a.y"][row]);
        EXPECT_EQ(simulation.step(), row + 1 < result.time().size());
    }
    EXPECT_EQ(simulation.trust().text(), result.trust().text());
}

TEST(Facade, ValuesOfAllTypesAreSetAndRead) {
    Simulation simulation =
        start(load_text("rubato: 1\nunits: {f: {model: feedthrough}}\nexperiment: {step: 0.1}\n"));
    simulation.set("f.float64_in", 1.5);
    simulation.set("f.int8_in", -3);
    simulation.set("f.boolean_in", true);
    simulation.set("f.string_in", "text");
    simulation.set("f.mode_in", "coast");
    simulation.set("f.vector_in[2]", 4);
    ASSERT_TRUE(simulation.step());
    EXPECT_EQ(simulation.get("f.float64_out"), 1.5);
    EXPECT_EQ(simulation.get<std::int64_t>("f.int8_out"), -3);
    EXPECT_EQ(simulation.get("f.int8_out"), -3.0);
    EXPECT_TRUE(simulation.get<bool>("f.boolean_out"));
    EXPECT_EQ(simulation.get("f.boolean_out"), 1.0);
    EXPECT_EQ(simulation.get<std::string>("f.string_out"), "text");
    EXPECT_EQ(simulation.get<std::int64_t>("f.mode_out"),
              simulation.get<std::int64_t>("f.mode_in"));
    EXPECT_EQ(simulation.get("f.vector_out[2]"), 4.0);
    EXPECT_THAT(error_of([&] { (void)simulation.get<bool>("f.int8_out"); }),
                HasSubstr("\"f.int8_out\" is of type int8, not a boolean"));
    EXPECT_THAT(error_of([&] { (void)simulation.get("f.vector_out"); }),
                AllOf(HasSubstr("is an array"), HasSubstr("f.vector_out[1]")));
    EXPECT_THAT(error_of([&] { simulation.set("f.int8_in", 1000); }),
                HasSubstr("the integer 1000 does not fit \"f.int8_in\", which is of type int8"));
}

TEST(Facade, WhatTheSimulationDeterminesCannotBeSet) {
    Simulation simulation = start(load_text(oscillator));
    EXPECT_THAT(error_of([&] { simulation.set("b.u", 1.0); }),
                AllOf(HasSubstr("\"b.u\" cannot be set: it is connected to \"a.y\""),
                      HasSubstr("remove the connection")));
    EXPECT_THAT(error_of([&] { simulation.set("b.y", 1.0); }),
                HasSubstr("\"b.y\" cannot be set: it is neither an input nor a tunable parameter"));
    EXPECT_THAT(error_of([&] { simulation.set("b.k", 1.0); }), HasSubstr("before the simulation"));
    EXPECT_EQ(simulation.get("b.k"), -1);
}

TEST(Facade, UnknownNamesComeWithSuggestions) {
    Scenario scenario = load_text(oscillator);
    EXPECT_THAT(
        error_of([&] { scenario.set("a.kk", 1.0); }),
        AllOf(HasSubstr("unit \"a\" has no variable \"kk\""), HasSubstr("did you mean \"k\"")));
    EXPECT_THAT(error_of([&] { scenario.set("c.k", 1.0); }),
                AllOf(HasSubstr("no unit \"c\""), HasSubstr("its units are: a, b")));
    EXPECT_THAT(error_of([&] { scenario.set("experiment.stepp", 1.0); }),
                AllOf(HasSubstr("set experiment.stepp=1.0: unknown key"),
                      HasSubstr("did you mean \"step\"")));
    EXPECT_THAT(error_of([&] { scenario.set("k", 1.0); }),
                HasSubstr("neither a variable nor a setting"));
    EXPECT_THAT(error_of([&] {
                    scenario.set("a.k", "fast");
                    run(scenario);
                }),
                HasSubstr("a.k"));
    const Result result = run(load_text(oscillator));
    EXPECT_THAT(error_of([&] { (void)result["a.yy"]; }),
                AllOf(HasSubstr("\"a.yy\" was not recorded"), HasSubstr("did you mean \"a.y\"")));
    Simulation simulation = start(load_text(oscillator));
    EXPECT_THAT(error_of([&] { (void)simulation.get("a.yy"); }), HasSubstr("did you mean"));
    EXPECT_THAT(error_of([&] { (void)simulation.get("aa.y"); }),
                HasSubstr("there is no unit \"aa\""));
}

TEST(Facade, AFailedChangeLeavesTheScenarioAsItWas) {
    Scenario scenario = load_text(oscillator);
    const std::string before = scenario.to_yaml();
    EXPECT_NE(error_of([&] { scenario.set_yaml("experiment", "{stop: 2, step: soon}"); }), "");
    EXPECT_EQ(scenario.to_yaml(), before);
}

TEST(Facade, GivesTheEventsOfARun) {
    Scenario scenario = load_text(integrator);
    scenario.set_yaml("events", "{locate: always, crossings: [i.y > 1.6], tolerance: 1e-6}");
    const Result result = run(scenario);
    ASSERT_EQ(result.events().size(), 1u);
    const Event& event = result.events()[0];
    EXPECT_NEAR(event.time, 0.3, 2e-6);
    EXPECT_EQ(event.unit, "i");
    EXPECT_EQ(event.variable, "y > 1.6");
    EXPECT_EQ(event.before, Value(false));
    EXPECT_EQ(event.after, Value(true));
    EXPECT_TRUE(run(load_text(integrator)).events().empty());
}

TEST(Facade, IntegersAreNumbersAndTextsAreNoColumns) {
    const Result ball = run(load_text("rubato: 1\nunits: {ball: {model: bouncing_ball}}\n"
                                      "experiment: {stop: 1, step: 0.1}\n"
                                      "record: [ball.h, ball.bounces]\n"));
    ASSERT_FALSE(ball["ball.bounces"].empty());
    EXPECT_GE(ball["ball.bounces"].back(), 1);
    const Result texts = run(load_text("rubato: 1\nunits: {f: {model: feedthrough, start: "
                                       "{string_in: a}}}\nexperiment: {step: 0.5}\n"));
    EXPECT_THAT(error_of([&] { (void)texts["f.string_out"]; }),
                HasSubstr("\"f.string_out\" is of type string, not a number"));
}

TEST(Facade, NativeModelsOfTheProgramTakePart) {
    const auto text = "rubato: 1\nunits: {i: {model: integrator, start: {u: 1}}, t: {model: "
                      "twice}}\nconnections: [i.y -> t.u]\nexperiment: {stop: 1, step: 0.5}\n"
                      "algorithm: gauss-seidel\n";
    const Result result = run(load_text(text, "s.yaml", {.models = {&rubato_model_twice()}}));
    EXPECT_THAT(result["t.y"], ElementsAre(0, 1, 2));
    EXPECT_THAT(error_of([&] { (void)run(load_text(text)); }), HasSubstr("twice"));
}

TEST(Facade, WritesResultsToAFileWhereAsked) {
    const test::PrivateFolder folder;
    const auto file = folder.path() / "ramp.csv";
    (void)run(load_text(integrator), {.results = file});
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_THAT(text, AllOf(StartsWith("time,i.y"), HasSubstr("\n1,3")));
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "ramp.csv.json"));
    (void)run(load_text(integrator), {.results = file}); // its own results may be replaced
    std::ofstream(folder.path() / "other.csv") << "mine\n";
    EXPECT_THAT(error_of([&] {
                    (void)run(load_text(integrator), {.results = folder.path() / "other.csv"});
                }),
                HasSubstr("other.csv"));
    (void)run(load_text(integrator), {.results = folder.path() / "other.csv", .overwrite = true});
}

TEST(Facade, FilesAreLoadedAndProblemsThrownTogether) {
    const test::PrivateFolder folder;
    std::ofstream(folder.path() / "crane.yaml") << oscillator;
    EXPECT_EQ(load(folder.path() / "crane.yaml").name(), "crane");
    EXPECT_THAT(error_of([&] { (void)load(folder.path() / "none.yaml"); }),
                HasSubstr("there is no such file"));
    EXPECT_THAT(error_of([&] { (void)load_text("rubato: 1\nunits: {a: {}}\nfoo: 1\n"); }),
                AllOf(HasSubstr("neither fmu, model, table nor scenario"),
                      HasSubstr("unknown key \"foo\"")));
}

TEST(Facade, AProgramCanEndARun) {
    const std::atomic<bool> stop = true;
    const Result result = run(load_text(integrator), {.stop_request = &stop});
    EXPECT_FALSE(result.is_complete());
    EXPECT_THAT(result.message(), HasSubstr("interrupted"));
}

TEST(Facade, WarningsGoToTheLog) {
    test::CollectingLog log;
    (void)run(load_text(integrator, "s.yaml", {.log = &log}), {.step = 0.5});
    Scenario threads = load_text(integrator, "s.yaml", {.log = &log});
    threads.set("algorithm.threads", 2);
    (void)run(threads);
    EXPECT_THAT(log.messages(), Contains(Field(&test::CollectingLog::Message::text,
                                               HasSubstr("only one has work"))));
}

} // namespace
} // namespace rubato
