// SPDX-License-Identifier: Apache-2.0
#include "scenarios.hpp"

#include <rubato/algorithm/text.hpp>

#include <gtest/gtest.h>

namespace rubato::algorithm::testing {
namespace {

/// Units a and b, each with input u and output y, connected to a ring, and c with an input u that
/// nothing is connected to; `more` stands in `scenario` in line 8, `statements` follow from line 9
/// on.
std::string ring(const std::string& statements, const std::string& more = "") {
    return "name = ring\nscenario = {\n  fmus = {\n"
           "    a = {}\n    b = {}\n    c = {inputs = {u = {reactivity=delayed}}}\n  }\n"
           "  connections = [a.y -> b.u, b.y -> a.u], " +
           more + "}\n" + statements;
}

void expect_said(const std::string& text, const std::string& part) {
    const std::string said = load_conf_text(text).said();
    EXPECT_NE(said.find(part), std::string::npos) << text << "\nsaid: " << said;
}

void expect_said_of_step(const std::string& statements, const std::string& part) {
    expect_said(ring("cosim-step = {s = [" + statements + "]}"), part);
}

TEST(WrittenAlgorithm, BecomesAnAlgorithm) {
    const Loaded loaded = load_conf_text(ring(R"(initialization = [{get: a.y}, {set: b.u}]
cosim-step = {s = [
  {save-state: a}
  {loop: {
    until-step-accept: [a, b]
    iterate: [
      {loop: {until-converged: [b.y], iterate: [{set-tentative: a.u}, {get-tentative: b.y}], if-retry-needed: []}}
      {step: a, by: 2}
      {step: b, by-same-as: a}
    ]
    if-retry-needed: [{restore-state: a}]
  }}
]})",
                                              "max-possible-step-size = 2"));
    ASSERT_EQ(loaded.said(), "");
    EXPECT_EQ(to_text(loaded.algorithm, loaded.system), R"(initialize:
  get a.y
  set b.u
each step:
  save a
  repeat with a smaller step until a, b accept the same:
    repeat until b.y change by at most 1e-09 + 1e-06·|value| (at most 50 times, then stop):
      set tentative a.u
      get tentative b.y
    step a by 2, b as far as a
  before each repetition:
    restore a
)");
}

TEST(WrittenAlgorithm, NamesUnitsAndPortsThatDoNotExist) {
    expect_said_of_step(
        "{step: aa}",
        "s.conf:9: the scenario has no unit \"aa\"\n  did you mean \"a\"? its units are: a, b, c");
    expect_said_of_step("{get: d.y}", "the scenario has no unit \"d\"");
    expect_said_of_step(
        "{get: a.yy}",
        "s.conf:9: unit \"a\" has no output \"yy\"\n  did you mean \"y\"? its outputs are: y");
    expect_said_of_step("{set: a.v}", "unit \"a\" has no input \"v\"");
    expect_said_of_step("{get: a}", "\"a\" does not name an output\n  write unit.output");
    expect_said_of_step("{step: a, by-same-as: z}", "the scenario has no unit \"z\"");
    expect_said_of_step("{loop: {until-converged: [a.z], iterate: [{get: a.y}]}}",
                        "unit \"a\" has no output \"z\"");
    expect_said_of_step("{loop: {until-step-accept: [z], iterate: [{step: a}]}}", "no unit \"z\"");
}

TEST(WrittenAlgorithm, OutputsAreGotAndInputsAreSet) {
    expect_said_of_step(
        "{get: a.u}",
        "s.conf:9: a.u is an input, not an output\n  outputs are got, inputs are set");
    expect_said_of_step("{set: a.y}", "a.y is an output, not an input");
}

TEST(WrittenAlgorithm, LeavesOutSetsOfUnconnectedInputs) {
    const Loaded loaded = load_conf_text(ring("cosim-step = {s = [{set: c.u}, {step: c}]}"));
    EXPECT_FALSE(loaded.diagnostics.has_errors());
    EXPECT_NE(
        loaded.said().find("s.conf:9: warning: set c.u does nothing: the input is not connected"),
        std::string::npos)
        << loaded.said();
    EXPECT_EQ(loaded.algorithm.steps.at(0).body.size(), 1u);
}

TEST(WrittenAlgorithm, StepsAreByAtLeastOneAndAtMostTheLargest) {
    expect_said_of_step(
        "{step: a, by: 0}",
        "s.conf:9: the step of a is by 0: it must be between 1 and the largest step, 1");
    expect_said_of_step("{step: a, by: 2}", "the step of a is by 2");
    expect_said_of_step("{step: a, by: -1}", "the step of a is by -1");
    expect_said_of_step("{step: a, by: 1, by-same-as: b}",
                        "the step of a has both by and by-same-as");
}

TEST(WrittenAlgorithm, LoopsHaveOperationsAndOneEnd) {
    expect_said_of_step("{loop: {until-converged: [a.y], iterate: []}}",
                        "s.conf:9: the loop has no operations");
    expect_said_of_step("{loop: {until-converged: [a.y]}}", "the loop has no operations");
    expect_said_of_step("{loop: {iterate: [{get: a.y}]}}",
                        "the loop has neither until-converged nor until-step-accept");
    expect_said_of_step(
        "{loop: {until-converged: [a.y], until-step-accept: [a], iterate: [{get: a.y}]}}",
        "the loop has both until-converged and until-step-accept");
    expect_said_of_step("{loop: {until-converged: [], iterate: [{get: a.y}]}}",
                        "until-converged names no output");
    expect_said_of_step("{loop: {until-step-accept: [], iterate: [{step: a}]}}",
                        "until-step-accept names no unit");
    expect_said_of_step("{parallel: []}", "parallel has no branches");
    expect_said_of_step("{parallel: [[]]}", "a parallel branch has no operations");
}

TEST(WrittenAlgorithm, ConfigurationsNameProceduresThatExist) {
    const std::string configuration =
        "configuration = {configurable-inputs = [b.u], configurations = {one = {cosim-step = tt, "
        "connections = [a.y -> b.u, b.y -> a.u]}}}";
    expect_said(ring("cosim-step = {t = [{step: a}]}", configuration),
                "s.conf:8: configuration \"one\" names the step procedure \"tt\", which does not "
                "exist\n  did you mean \"t\"?");
    expect_said(ring("initialization = [{get: a.y}]"), "the algorithm has no step procedure");
}

TEST(WrittenAlgorithm, ClocksAreAskedOnlyIfTheyExist) {
    expect_said(ring("initialization = [{get-interval: a.c}]\ncosim-step = {s = [{step: a}]}"),
                "\"a.c\" names no input clock");
}

TEST(WrittenAlgorithm, AllProblemsOfAFileAreReportedAtOnce) {
    const Loaded loaded =
        load_conf_text("name = x\nscenario = {fmus = {a = {}, b = {}}\n connections = [\n  a.y -> "
                       "b.u\n  a.z -> b.w\n  c.y -> a.u\n ]}\n"
                       "initialization = [{get: a.q}]\ncosim-step = [\n {step: a, by: 0}\n {step: "
                       "z}\n {loop: {}}\n]\n");
    for (const char* said :
         {"s.conf:6: the scenario has no unit \"c\"", "s.conf:8: unit \"a\" has no output \"q\"",
          "s.conf:10: the step of a is by 0", "s.conf:11: the scenario has no unit \"z\"",
          "s.conf:12: the loop has no operations"})
        EXPECT_NE(loaded.said().find(said), std::string::npos) << said << "\n" << loaded.said();
}

TEST(WrittenAlgorithm, ParallelSectionsComeBack) {
    const Loaded loaded = load_conf_text(
        ring("cosim-step = {s = [{parallel: [[{step: a}], [{step: b}]]}, {step: c}]}"));
    ASSERT_EQ(loaded.said(), "");
    const auto written = write_algorithm(loaded.algorithm, loaded.system);
    EXPECT_EQ(written.steps.at(0).body.at(0).branches.size(), 2u);
    EXPECT_EQ(written.steps.at(0).body.at(0).branches.at(1).at(0).object, "b");
}

} // namespace
} // namespace rubato::algorithm::testing
