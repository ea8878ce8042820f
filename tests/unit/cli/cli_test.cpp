// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Outcome;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

class CommandLine : public testing::Program {};

TEST_F(CommandLine, HelpShowsExamplesAndExitCodes) {
    const Outcome outcome = rubato({"--help"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("Examples:"), HasSubstr("Exit codes:"),
                                   HasSubstr("130    interrupted by Ctrl-C")));
}

TEST_F(CommandLine, EveryCommandHasHelpWithExamples) {
    for (const char* command : {"run", "simulate", "check", "synthesize", "verify", "graph",
                                "inspect", "validate", "plot", "compare", "study", "sweep"}) {
        const Outcome outcome = rubato({command, "--help"});
        EXPECT_EQ(outcome.code, 0);
        EXPECT_THAT(outcome.out, AllOf(HasSubstr("Usage: rubato " + std::string(command)),
                                       HasSubstr("Examples:\n  rubato " + std::string(command))));
    }
}

TEST_F(CommandLine, KnowsItsVersion) {
    EXPECT_THAT(rubato({"--version"}).out,
                AllOf(StartsWith("rubato " RUBATO_VERSION "\n"), HasSubstr("\ncommit     "),
                      HasSubstr("\ncompiler   "), HasSubstr("\nFMI        1.0, 2.0, 3.0"),
                      ContainsRegex("SUNDIALS [0-9]+\\.[0-9]+")));
}

TEST_F(CommandLine, WrongUsageIsExplained) {
    EXPECT_EQ(rubato({}).code, 2);
    const Outcome unknown = rubato({"rum"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, AllOf(StartsWith("rubato: there is no command \"rum\""),
                                   HasSubstr("did you mean \"run\"?")));
    const Outcome option = rubato({"run", "s.yaml", "--fast"});
    EXPECT_EQ(option.code, 2);
    EXPECT_THAT(option.err, AllOf(HasSubstr("--fast"), HasSubstr("rubato run --help")));
}

/// A unit that may reject any step and one that follows it: as many runs as there are steps.
std::string led(std::int64_t largest_step, const std::string& last) {
    return "rubato: 1\nlargest-step: " + std::to_string(largest_step) + R"(
units:
  leader:
    can-reject-step: true
    inputs: {u: {contract: delayed}}
    outputs: {y: {feedthrough: []}}
  follower: {inputs: {u: {contract: reactive}}, outputs: {y: {feedthrough: [u]}}}
connections: [leader.y -> follower.u, follower.y -> leader.u]
algorithm:
  initialization: [get: leader.y, set: follower.u, get: follower.y, set: leader.u]
  step:
    - step: leader
    - get: leader.y
    - set: follower.u
    - {step: follower, by-same-as: leader}
    - get: follower.y
    - )" + last +
           "\n";
}

TEST_F(CommandLine, VerifyTellsCorrectWrongAndNotDecidedByItsExitCode) {
    write("correct.yaml", led(3, "set: leader.u"));
    write("wrong.yaml", led(3, "get: leader.y"));
    write("undecided.yaml", led(100'000'000, "set: leader.u"));
    const Outcome correct = rubato({"verify", "correct.yaml"});
    EXPECT_EQ(correct.code, 0);
    EXPECT_THAT(correct.out, StartsWith("correct.yaml: correct (all possible runs explored: 9)"));
    const Outcome wrong = rubato({"verify", "wrong.yaml"});
    EXPECT_EQ(wrong.code, 1);
    EXPECT_THAT(wrong.out, StartsWith("wrong.yaml: wrong ("));
    const Outcome undecided = rubato({"verify", "undecided.yaml"});
    EXPECT_EQ(undecided.code, 3);
    EXPECT_THAT(
        undecided.out,
        AllOf(StartsWith("undecided.yaml: not decided (only "),
              HasSubstr("there are more than can be explored"),
              HasSubstr("make the largest step smaller, or put all units that can reject")));
}

TEST_F(CommandLine, WhatIsSynthesizedAsConfIsReadAndVerified) {
    constexpr int count = 1500;
    std::string units, connections;
    for (int i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        units += "  u" + n + ": {inputs: {u: {contract: " + (i == 0 ? "delayed" : "reactive") +
                 "}}, outputs: {y: {feedthrough: []}}}\n";
        connections += "  - u" + n + ".y -> u" + std::to_string((i + 1) % count) + ".u\n";
    }
    write("ring.yaml", "rubato: 1\nunits:\n" + units + "connections:\n" + connections);
    const Outcome synthesized = rubato({"synthesize", "ring.yaml", "--format", "conf"});
    ASSERT_EQ(synthesized.code, 0) << synthesized.err;
    write("ring.conf", synthesized.out);
    const Outcome verified = rubato({"verify", "ring.conf"});
    EXPECT_EQ(verified.code, 0);
    EXPECT_THAT(verified.out, StartsWith("ring.conf: correct ("));
}

TEST_F(CommandLine, MissingFilesAreNamed) {
    for (const auto& arguments : std::vector<std::vector<std::string>>{{"run", "none.x"},
                                                                       {"check", "none.x"},
                                                                       {"graph", "none.x"},
                                                                       {"inspect", "none.x"},
                                                                       {"plot", "none.x"}}) {
        const Outcome outcome = rubato(arguments);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, AllOf(StartsWith("rubato: "), HasSubstr("none.x")));
        EXPECT_THAT(outcome.out, IsEmpty());
    }
    EXPECT_THAT(files(), IsEmpty());
}

class Plot : public testing::Program {
protected:
    Plot() { write("r.csv", "time,a.x,b.x,b.y\n0,1,2,3\n1,2,3,4\n2,1,2,3\n"); }
};

TEST_F(Plot, DrawsAllColumnsBesideTheResults) {
    const Outcome outcome = rubato({"plot", "r.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "3 curves over 3 points in r.svg\n");
    pugi::xml_document svg;
    ASSERT_TRUE(svg.load_string(read("r.svg").c_str()));
    EXPECT_EQ(svg.select_nodes("//g/path").size(), 3u);
}

TEST_F(Plot, DrawsWhatIsAskedFor) {
    EXPECT_EQ(rubato({"plot", "r.csv", "y", "a.*", "-o", "sub/p.svg", "--title", "A & B", "--from",
                      "0.5", "--size", "400x300"})
                  .code,
              0);
    pugi::xml_document svg;
    ASSERT_TRUE(svg.load_string(read("sub/p.svg").c_str()));
    EXPECT_EQ(svg.select_nodes("//g/path").size(), 2u);
    EXPECT_STREQ(svg.child("svg").attribute("width").value(), "400");
    EXPECT_STREQ(svg.child("svg").child("text").text().get(), "A & B");
}

TEST_F(Plot, RefusesWhatIsUnknownOrUnclearAndWritesNothing) {
    const Outcome unclear = rubato({"plot", "r.csv", "x"});
    EXPECT_EQ(unclear.code, 2);
    EXPECT_THAT(unclear.err, HasSubstr("\"x\" may be any of a.x, b.x"));
    EXPECT_THAT(rubato({"plot", "r.csv", "a.z"}).err, HasSubstr("did you mean \"a.x\"?"));
    EXPECT_THAT(rubato({"plot", "r.csv", "--size", "big"}).err,
                HasSubstr("--size big is not a size"));
    EXPECT_EQ(rubato({"plot", "r.csv", "--from", "2", "--to", "1"}).code, 2);
    EXPECT_THAT(files(), UnorderedElementsAre("r.csv"));
}

TEST_F(Plot, NamesTheLineOfADamagedRow) {
    write("bad.csv", "time,x\n0,1\n1\n2,2\n");
    const Outcome outcome = rubato({"plot", "bad.csv"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("bad.csv:3:"));
}

TEST_F(Plot, LeavesAnIncompleteLastRowOutAndSaysSo) {
    write("cut.csv", "time,x\n0,1\n1,2\n2");
    const Outcome outcome = rubato({"plot", "cut.csv"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.out, "1 curve over 2 points in cut.svg\n");
    EXPECT_THAT(outcome.err, HasSubstr("cut.csv:4: the last row is incomplete and is left out"));
}

TEST_F(Plot, RefusesATableWithoutRows) {
    write("none.csv", "time,x\n");
    const Outcome outcome = rubato({"plot", "none.csv"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("none.csv has no rows"));
}

TEST_F(Plot, SaysWhenItLeavesColumnsOut) {
    std::string header = "time";
    std::string row = "0";
    for (int i = 0; i < 20; ++i) {
        header += ",u.y" + std::to_string(i);
        row += ",1";
    }
    write("wide.csv", header + "\n" + row + "\n");
    EXPECT_THAT(rubato({"plot", "wide.csv"}).err, HasSubstr("the first 12 of 20 columns"));
}

class Inspect : public testing::Program {};

TEST_F(Inspect, ShowsWhatAnFmuIs) {
    const Outcome outcome = rubato({"inspect", RUBATO_FMUS "/fmi2/msd2.fmu"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("FMI 2.0 co-simulation"), HasSubstr("runs on this machine"),
                      HasSubstr("save and restore its state     yes"), HasSubstr("Variables ("),
                      HasSubstr("Fc      x1, v1                x1, v1")));
}

TEST_F(Inspect, ShowsTheSameAsJson) {
    const Outcome outcome = rubato({"inspect", "--json", RUBATO_FMUS "/fmi3/msd1.fmu"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["model"], "msd1");
    EXPECT_EQ(json["kind"], "FMI 3.0 co-simulation");
    EXPECT_EQ(json["runs-here"], true);
    EXPECT_EQ(json["variables"][0]["name"], "m1");
}

TEST_F(Inspect, RefusesWhatIsNoFmu) {
    write("no.fmu", "not a zip");
    const Outcome outcome = rubato({"inspect", "no.fmu"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(StartsWith("rubato: "), HasSubstr("no.fmu")));
}

TEST_F(CommandLine, NoColoursOutsideATerminal) {
    EXPECT_THAT(rubato({"inspect", RUBATO_FMUS "/fmi2/msd1.fmu"}).out, Not(HasSubstr("\033")));
}

} // namespace
} // namespace rubato::cli
