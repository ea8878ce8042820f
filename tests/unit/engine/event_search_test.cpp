// SPDX-License-Identifier: Apache-2.0
#include "support/allocation_counter.hpp"
#include "support/formula_unit.hpp"
#include "support/system_builder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace rubato::engine {
namespace {

using test::FormulaState;
using ::testing::HasSubstr;

/// Keeps what happens.
class Happenings final : public Recorder {
public:
    struct Row {
        double time;
        int microstep;
        std::string what;
    };
    void begin(std::span<const Column>) override {}
    void record(Time time) override { times.push_back(time.seconds); }
    void note(const EventNote& note) override {
        rows.push_back({note.time.seconds, note.microstep,
                        std::string(note.unit) + "." + std::string(note.variable) + " " +
                            to_string(note.before) + " " + to_string(note.after)});
    }
    void end() override {}

    std::vector<double> times;
    std::vector<Row> rows;
};

/// `clock` counts the time in x and has a discrete and a continuous output; `follower` hands on the
/// discrete one that it takes, at once.
struct Pair {
    std::function<bool(double x)> on = [](double) { return false; };
    std::function<double(double x)> level = [](double) { return 0; };
    scenario::EventSettings settings = {};
    std::optional<scenario::Comparison> crossing = {}; ///< of `clock.level`
    double step = 0.1;
    bool can_go_back = true;

    Simulation simulation() const {
        scenario::System system = test::SystemBuilder()
                                      .unit("clock")
                                      .output("on")
                                      .output("level")
                                      .unit("follower")
                                      .input("on")
                                      .output("handed", {"on"})
                                      .unit("last")
                                      .input("on")
                                      .link("clock.on", "follower.on")
                                      .link("follower.handed", "last.on")
                                      .build();
        for (const std::uint32_t boolean : {0u, 2u, 3u, 4u}) {
            system.ports[boolean].type = ValueType::boolean;
            system.ports[boolean].is_continuous = false;
        }
        system.ports[0].reference = 0;
        system.ports[1].reference = 1;
        system.ports[2].reference = system.ports[4].reference = 0;
        system.ports[3].reference = 1;
        system.watched = {{PortId{0}, {}}, {PortId{3}, {}}};
        if (crossing) {
            system.watched = {{PortId{1}, crossing}};
            system.watched[0].crossing->output = PortId{1};
        }
        system.ends_steps_at_events = can_go_back;
        Diagnostics diagnostics;
        auto derived = synthesis::orchestrate(
            system, {.recipe = scenario::Recipe::waveform_gauss_seidel}, diagnostics);
        diagnostics.throw_if_errors();
        std::vector<std::unique_ptr<unit::Unit>> units;
        const auto on_formula = on;
        const auto level_formula = level;
        units.push_back(std::make_unique<test::FormulaUnit>(
            "clock", std::vector<test::FormulaInput>{},
            std::vector<test::FormulaOutput>{
                {"on",
                 [=](const FormulaState& s) { return Value(on_formula(s.x)); },
                 {},
                 ValueType::boolean},
                {"level", [=](const FormulaState& s) { return Value(level_formula(s.x)); }, {}}}));
        units.push_back(std::make_unique<test::FormulaUnit>(
            "follower", std::vector<test::FormulaInput>{{"on", false, ValueType::boolean}},
            std::vector<test::FormulaOutput>{{"handed",
                                              [](const FormulaState& s) { return s.inputs[0]; },
                                              {0},
                                              ValueType::boolean}}));
        units.push_back(std::make_unique<test::FormulaUnit>(
            "last", std::vector<test::FormulaInput>{{"on", false, ValueType::boolean}},
            std::vector<test::FormulaOutput>{}));
        scenario::Experiment experiment;
        experiment.step = step;
        return Simulation(derived.system, derived.algorithm, std::move(units), experiment,
                          silent_log(), {.events = settings});
    }
};

struct Outcome {
    Happenings seen;
    Summary summary;
};

Outcome run(const Pair& pair) {
    Outcome outcome;
    Simulation simulation = pair.simulation();
    outcome.summary = simulation.run({.recorder = &outcome.seen});
    return outcome;
}

std::string failure_of(const Pair& pair) {
    try {
        (void)run(pair);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(EventSearch, StepsEndJustBehindTheChangeOfADiscreteOutput) {
    const Outcome outcome =
        run({.on = [](double x) { return x > 0.3456; }, .settings = {.tolerance = 1e-6}});
    ASSERT_EQ(outcome.seen.rows.size(), 2u);
    EXPECT_GT(outcome.seen.rows[0].time, 0.3456);
    EXPECT_LE(outcome.seen.rows[0].time, 0.3456 + 1e-6);
    EXPECT_EQ(outcome.seen.rows[0].what, "clock.on false true");
    EXPECT_EQ(outcome.seen.rows[1].what, "follower.handed false true");
    EXPECT_EQ(outcome.seen.rows[1].time, outcome.seen.rows[0].time);
    EXPECT_EQ(outcome.summary.found_events, 1u);
    EXPECT_EQ(outcome.summary.steps, 11u) << "one of the ten is made in two";
    EXPECT_EQ(outcome.seen.times.back(), 1);
}

TEST(EventSearch, TwoEventsInOneStepComeInTheirOrder) {
    const Outcome outcome =
        run({.on = [](double x) { return x > 0.32 && x < 0.38; }, .settings = {.tolerance = 1e-6}});
    EXPECT_EQ(outcome.summary.found_events, 0u) << "a pulse within a step is not seen";
    const Outcome finer = run({.on = [](double x) { return x > 0.32 && x < 0.38; },
                               .settings = {.tolerance = 1e-6},
                               .step = 0.05});
    ASSERT_EQ(finer.summary.found_events, 2u);
    EXPECT_NEAR(finer.seen.rows.front().time, 0.32, 1e-6);
    EXPECT_NEAR(finer.seen.rows.back().time, 0.38, 1e-6);
}

TEST(EventSearch, ACrossingIsFoundBySecantsInFewSteps) {
    Pair pair{.level = [](double x) { return x * x; },
              .settings = {.tolerance = 1e-9},
              .crossing = scenario::Comparison{{}, scenario::Relation::exceeds, 0.5}};
    const Outcome secant = run(pair);
    pair.settings.search = scenario::Search::bisection;
    const Outcome bisection = run(pair);
    for (const Outcome* outcome : {&secant, &bisection}) {
        ASSERT_EQ(outcome->seen.rows.size(), 1u);
        EXPECT_EQ(outcome->seen.rows[0].what, "clock.level > 0.5 false true");
        EXPECT_GT(outcome->seen.rows[0].time, std::sqrt(0.5));
        EXPECT_LE(outcome->seen.rows[0].time, std::sqrt(0.5) + 1e-9);
    }
    EXPECT_LE(secant.summary.trials, 10u);
    EXPECT_GE(bisection.summary.trials, 26u);
}

TEST(EventSearch, AFlatCrossingIsFoundAllTheSame) {
    const Outcome outcome =
        run({.level = [](double x) { return std::pow(x - 0.55, 9); },
             .settings = {.tolerance = 1e-7},
             .crossing = scenario::Comparison{{}, scenario::Relation::exceeds, 0}});
    ASSERT_EQ(outcome.seen.rows.size(), 1u);
    EXPECT_NEAR(outcome.seen.rows[0].time, 0.55, 1e-7);
    EXPECT_LE(outcome.summary.trials, 60u);
}

TEST(EventSearch, WithoutAWayBackEventsAreFoundAtTheEndOfTheStep) {
    const Outcome outcome = run({.on = [](double x) { return x > 0.3456; }, .can_go_back = false});
    ASSERT_EQ(outcome.seen.rows.size(), 2u);
    EXPECT_DOUBLE_EQ(outcome.seen.rows[0].time, 0.4);
    EXPECT_EQ(outcome.summary.trials, 0u);
}

TEST(EventSearch, WhatChangesWithEachLookIsReported) {
    int looks = 0;
    const std::string message =
        failure_of({.on = [&](double x) { return x > 0.35 && ++looks % 3 == 1; }});
    EXPECT_THAT(message, HasSubstr("the event at t = 0.3"));
    EXPECT_THAT(message, HasSubstr("does not end: after 1000 exchanges clock.on"));
}

TEST(EventSearch, AllocatesNothing) {
    Simulation simulation = Pair{
        .on = [](double x) { return x > 0.3456; },
        .settings = {.tolerance =
                         1e-6}}.simulation();
    simulation.initialize();
    for (int i = 0; i < 2; ++i) simulation.step();
    const std::size_t before = test::allocations();
    for (int i = 0; i < 5; ++i) simulation.step();
    EXPECT_EQ(test::allocations(), before);
    EXPECT_EQ(simulation.summary().found_events, 1u);
}

} // namespace
} // namespace rubato::engine
