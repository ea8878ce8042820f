// SPDX-License-Identifier: Apache-2.0
#include "scenarios.hpp"

#include <rubato/algorithm/events.hpp>

#include <gtest/gtest.h>

namespace rubato::algorithm::testing {
namespace {

/// Unit a ticks every 2 and triggers b with the value of y; d ticks every 3 for itself. In line 17
/// follow the clocks and the operations of event e.
std::string scenario_with(const std::string& clocks, const std::string& operations) {
    return R"(name = clocks
scenario = {
  fmus = {
    a = {
      outputs = {y = {dependencies-init=[], dependencies=[], clocks=[s]}}
      output-clocks = {s = {type-of-clock=triggered, dependencies=[], dependencies-clocks=[t]}}
      input-clocks = {t = {type-of-clock=timed, interval=2}}
    }
    b = {
      inputs = {u = {reactivity=delayed, clocks=[r]}}
      input-clocks = {r = {type-of-clock=triggered, interval=0}}
    }
    d = {input-clocks = {t = {type-of-clock=timed, interval=3}}}
  }
  connections = [a.y -> b.u], clock-connections = [a.s -> b.r]
}
event-strategies = {e = {clocks = [)" +
           clocks + "], iterate = [" + operations + "]}}";
}

const std::string all = "a.t, a.s, b.r";

std::string found(const std::string& clocks, const std::string& operations) {
    const Loaded loaded = load_conf_text(scenario_with(clocks, operations));
    EXPECT_EQ(loaded.said(), "");
    std::string text;
    for (const Violation& violation : verify_events(loaded.scenario))
        text += violation.message + "\n";
    return text;
}

TEST(Events, AGoodStrategyHasNothingWrong) {
    EXPECT_EQ(found(all, "{set-clock: a.t}, {get: a.y}, {get-clock: a.s}, {set-clock: b.r}, {set: "
                         "b.u}, {next: a}"),
              "");
    EXPECT_EQ(found("d.t", "{set-clock: d.t}"), "");
}

TEST(Events, AClockMayDependOnOutputsAndInputs) {
    const auto said = [](const std::string& dependencies) {
        std::string text = scenario_with("d.t", "{set-clock: d.t}");
        const std::string none = "triggered, dependencies=[]";
        text.replace(text.find(none), none.size(),
                     "triggered, dependencies=[" + dependencies + "]");
        return load_conf_text(text).said();
    };
    EXPECT_EQ(said("y"), "");
    EXPECT_NE(said("z").find("\"z\""), std::string::npos);
}

TEST(Events, AnOutputIsGotBeforeItsInputsAreSet) {
    EXPECT_EQ(
        found(all, "{set-clock: a.t}, {get-clock: a.s}, {set-clock: b.r}, {set: b.u}, {get: a.y}"),
        "event \"e\": get a.y is not done before get-clock a.s, which clocks it\n"
        "event \"e\": get a.y is not done before set b.u, which takes its value\n");
}

TEST(Events, AnOutputClockIsGotBeforeItsInputClocksAreSet) {
    EXPECT_EQ(
        found(all, "{set-clock: a.t}, {get: a.y}, {set-clock: b.r}, {get-clock: a.s}, {set: b.u}"),
        "event \"e\": get-clock a.s is not done before set-clock b.r, which ticks with it\n");
}

TEST(Events, AnOutputClockIsGotAfterTheClocksItDependsOn) {
    EXPECT_EQ(
        found(all, "{get: a.y}, {get-clock: a.s}, {set-clock: a.t}, {set-clock: b.r}, {set: b.u}"),
        "event \"e\": set-clock a.t is not done before get-clock a.s, which depends on it\n");
}

TEST(Events, AClockedInputIsSetAfterItsClock) {
    EXPECT_EQ(
        found(all, "{set-clock: a.t}, {get: a.y}, {get-clock: a.s}, {set: b.u}, {set-clock: b.r}"),
        "event \"e\": set-clock b.r is not done before set b.u, which that clock clocks\n");
}

TEST(Events, AClockedOutputIsGotBeforeItsClock) {
    EXPECT_EQ(
        found(all, "{set-clock: a.t}, {get-clock: a.s}, {get: a.y}, {set-clock: b.r}, {set: b.u}"),
        "event \"e\": get a.y is not done before get-clock a.s, which clocks it\n");
}

TEST(Events, ClocksThatTickTogetherAreOneEvent) {
    EXPECT_EQ(found("a.s", "{get: a.y}, {get-clock: a.s}"),
              "event \"e\": a.s ticks, but b.r does not, which is connected to it\n");
    EXPECT_EQ(found("", ""), "event \"e\": no clock ticks\n");
    Loaded loaded = load_conf_text(scenario_with("d.t", "{set-clock: d.t}"));
    loaded.scenario.clocks->units.at(2).inputs.at(0).interval = 2;
    ASSERT_EQ(verify_events(loaded.scenario).size(), 1u);
    EXPECT_EQ(verify_events(loaded.scenario)[0].message,
              "event \"e\": d.t ticks, but a.t does not, which has the same interval");
}

TEST(Events, EverythingThatTicksIsHandledOnce) {
    EXPECT_EQ(found(all, "{set-clock: a.t}, {get-clock: a.s}, {set-clock: b.r}"),
              "event \"e\": a clock of a.y ticks, but get a.y is missing\n"
              "event \"e\": a clock of b.u ticks, but set b.u is missing\n");
    EXPECT_EQ(found("d.t", ""), "event \"e\": d.t ticks, but set-clock d.t is missing\n");
    EXPECT_EQ(found("d.t", "{set-clock: d.t}, {set-clock: d.t}"),
              "event \"e\": set-clock d.t is done twice\n");
}

TEST(Events, WhatDoesNotTickIsLeftAlone) {
    EXPECT_EQ(found("d.t", "{set-clock: d.t}, {set-clock: a.t}"),
              "event \"e\": set-clock a.t concerns a clock that does not tick\n");
    EXPECT_EQ(found("d.t", "{set-clock: d.t}, {get: a.y}"),
              "event \"e\": get a.y concerns a port none of whose clocks ticks\n");
}

TEST(Events, TheTraceLeadsToTheMistake) {
    const Loaded loaded =
        load_conf_text(scenario_with("d.t", "{set-clock: d.t}, {get: a.y}, {next: d}"));
    const auto violations = verify_events(loaded.scenario);
    ASSERT_EQ(violations.size(), 1u);
    EXPECT_EQ(violations[0].trace, (std::vector<std::string>{"set-clock d.t", "get a.y"}));
    EXPECT_EQ(violations[0].hint, "remove it");
}

TEST(Events, NamesOfClocksAreChecked) {
    const auto said = [](const std::string& clocks, const std::string& operations) {
        return load_conf_text(scenario_with(clocks, operations)).said();
    };
    EXPECT_EQ(
        said("a.tt", ""),
        "s.conf:17: unit \"a\" has no clock \"tt\"\n  did you mean \"t\"? its clocks are: t, s\n");
    EXPECT_EQ(said("z.t", ""), "s.conf:17: the scenario has no unit \"z\"\n  did you mean \"a\"? "
                               "its units are: a, b, d\n");
    EXPECT_EQ(said("t", ""), "s.conf:17: \"t\" does not name a clock\n  write unit.clock\n");
    EXPECT_EQ(said("a.t", "{get-clock: a.t}"), "s.conf:17: unit \"a\" has no output clock \"t\"\n  "
                                               "did you mean \"s\"? its output clocks are: s\n");
    EXPECT_EQ(said("a.t", "{set: a.y}"),
              "s.conf:17: unit \"a\" has no input \"y\"\n  its inputs are: none\n");
    EXPECT_EQ(said("a.t", "{next: q}"), "s.conf:17: the scenario has no unit \"q\"\n  did you mean "
                                        "\"a\"? its units are: a, b, d\n");
}

} // namespace
} // namespace rubato::algorithm::testing
