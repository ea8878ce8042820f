// SPDX-License-Identifier: Apache-2.0
#include "run_fixture.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

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

TEST_F(Run, TellsHowFarToTrustTheResult) {
    const Outcome plain = rubato({"run", "s.yaml"});
    EXPECT_THAT(plain.out, HasSubstr("trust      poor: inputs within"));
    const Outcome outcome =
        rubato({"run", "s.yaml", "--trust", "--set",
                "bonds={b: {effort: two.Fc -> one.Fc, flow: one.v1 -> two.v1}}"});
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("one.x1 -> two.x1"), HasSubstr("accumulated"),
                                   HasSubstr("of its energy"), HasSubstr("transferred")))
        << outcome.err;
}

TEST_F(Run, ShowsWhatIsAskedForThoughQuiet) {
    const Outcome outcome = rubato({"run", "s.yaml", "-q", "--trust"});
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("one.x1 -> two.x1"), Not(HasSubstr("completed"))));
}

TEST_F(Run, RepeatsWithShorterStepsForReference) {
    const Outcome outcome = rubato({"run", "s.yaml", "--reference", "H/2"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("largest error"), HasSubstr("order")));
    EXPECT_THAT(rubato({"run", "s.yaml", "--reference", "H/3"}).err, HasSubstr("H/3 not in {H/2}"));
}

constexpr auto rejecting = R"(rubato: 1
name: rejecting
units:
  left: {model: msd2, start: {x2: 0.5}}
  bumper: {model: bumper, parameters: {resolution: 0.2}, start: {x: 1.0}}
connections:
  - bumper.x -> left.x1
  - bumper.v -> left.v1
  - left.Fc -> bumper.F1
experiment: {stop: 2, step: 0.1}
algorithm: jacobi
)";

TEST_F(Run, StartsOverWhenAUnitRejectsAStep) {
    write("r.yaml", rejecting);
    const Outcome expected =
        rubato({"run", "r.yaml", "--set", "units.bumper.can-reject-step=true", "-o", "e.csv"});
    EXPECT_EQ(expected.code, 0) << expected.err;
    EXPECT_THAT(expected.err, Not(HasSubstr("starts over")));
    const Outcome outcome = rubato({"run", "r.yaml", "-o", "r.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("bumper"), HasSubstr("the run starts over"),
                                   HasSubstr("can-reject-step: true")));
    EXPECT_EQ(read("r.csv"), read("e.csv"));
    EXPECT_EQ(metadata("r.csv").at("status"), "completed");
}

TEST_F(Run, DoesNotStartOverWhereTheScenarioSaysThatStepsAreAccepted) {
    write("r.yaml", rejecting);
    const Outcome outcome =
        rubato({"run", "r.yaml", "--set", "units.bumper.can-reject-step=false"});
    EXPECT_NE(outcome.code, 0);
    EXPECT_THAT(outcome.err,
                AllOf(HasSubstr("accepted the step"), HasSubstr("declare can-reject-step: true"),
                      Not(HasSubstr("starts over"))));
}

TEST_F(Run, AdaptsTheStep) {
    const Outcome outcome = rubato({"run", "s.yaml", "--step-control", "predictor",
                                    "--step-tolerance", "1e-2", "--record-interval", "0.5"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("by predictor with tolerance 0.01"));
    EXPECT_EQ(line_count("results/pair.csv"), 6u);
}

TEST_F(Run, RecordsPowerAndResidualOfBonds) {
    const Outcome outcome =
        rubato({"run", "s.yaml", "--set", "record={bonds: true, variables: [one.x1]}", "--set",
                "bonds={b: {effort: two.Fc -> one.Fc, flow: one.v1 -> two.v1}}"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(first_line("results/pair.csv"), "time,one.x1,bonds.b.power,bonds.b.residual");
}

/// A full disk behind a redirection must not pass for success.
TEST_F(Run, WhatCannotBePrintedIsAFailure) {
    for (const char* command :
         {"run s.yaml", "check s.yaml", "synthesize s.yaml", "verify s.yaml", "--help",
          "inspect '" RUBATO_FMUS "/fmi2/msd1.fmu'", "simulate '" RUBATO_FMUS "/fmi2/msd1.fmu'"}) {
        const std::string line = "cd '" + path("").string() + "' && '" RUBATO_PROGRAM "' " +
                                 command + " > /dev/full 2> err.log";
        const int status = std::system(line.c_str());
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << command;
        EXPECT_THAT(read("err.log"), HasSubstr("rubato: cannot write to standard output: "))
            << command;
    }
}

TEST_F(Run, SaysForEachBondWhatItHasCreatedOrLost) {
    const Outcome outcome =
        rubato({"run", "s.yaml", "--set",
                "bonds={b: {effort: two.Fc -> one.Fc, flow: one.v1 -> two.v1}}"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, ContainsRegex("bonds +b: [0-9.e-]+ J (created|lost), [0-9.e-]+ % of "
                                           "[0-9.]+ J exchanged"));
}

TEST_F(Run, RecordsWithinStepsForAUnitOnItsOwnOnly) {
    const Outcome outcome = rubato({"run", "s.yaml", "--set", "record.intermediate=3"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err,
                HasSubstr("record.intermediate is for a unit on its own, tables apart: "
                          "here are 2\n  use a smaller experiment.step"));
}

TEST_F(Run, WritesResultsAndASummary) {
    const Outcome outcome = rubato({"run", "s.yaml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("pair completed at t = 2 s"),
                      HasSubstr("gauss-seidel in the order one, two"),
                      HasSubstr("20 of 0.1 s, 40 unit steps"), HasSubstr("results/pair.csv")));
    EXPECT_THAT(outcome.err, IsEmpty()) << "no progress bar in a pipe";
    EXPECT_EQ(first_line("results/pair.csv"), "time,one.x1,one.v1,two.x2,two.v2,two.Fc");
    EXPECT_EQ(line_count("results/pair.csv"), 22u);
    EXPECT_EQ(metadata("results/pair.csv")["status"], "completed");
    EXPECT_EQ(metadata("results/pair.csv")["reached"], 2.0);
}

TEST_F(Run, AnySettingCanBeOverridden) {
    const Outcome outcome = rubato({"run",
                                    "s.yaml",
                                    "--algorithm",
                                    "jacobi",
                                    "--step",
                                    "0.5",
                                    "--stop",
                                    "3",
                                    "--record",
                                    "one.*1",
                                    "--record",
                                    "two.Fc",
                                    "--record-every",
                                    "2",
                                    "-o",
                                    "out/r.csv",
                                    "--set",
                                    "one.x1=7",
                                    "--set",
                                    "one.m1=2",
                                    "--set",
                                    "experiment.start=-1"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string content = read("out/r.csv");
    EXPECT_THAT(content, StartsWith("time,"));
    EXPECT_THAT(content, HasSubstr("\n-1,2,"));
    EXPECT_THAT(content, HasSubstr(",7,"));
    EXPECT_EQ(line_count("out/r.csv"), 1u + 5u);
    EXPECT_EQ(metadata("out/r.csv")["recipe"], "jacobi");
}

TEST_F(Run, SaysWhatItAssumesOfTheExperiment) {
    write("d.yaml",
          "rubato: 1\nunits: {a: {fmu: " RUBATO_FMUS "/fmi2/msd1.fmu}, b: {model: node}}\n");
    const Outcome outcome = rubato({"run", "d.yaml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("d completed at t = 10 s"), HasSubstr("of 0.01 s"),
                                   HasSubstr("assumed"),
                                   HasSubstr("stop 10 s (as units suggest), step 0.01 s "
                                             "(the smallest that units suggest)")));
    const auto assumed = metadata("results/d.csv")["assumed"];
    ASSERT_EQ(assumed.size(), 3u);
    EXPECT_EQ(assumed[2]["setting"], "step");
    EXPECT_EQ(assumed[2]["value"], 0.01);
    EXPECT_EQ(assumed[2]["suggested"], true);
    EXPECT_THAT(rubato({"check", "d.yaml"}).out, HasSubstr("Assumptions about the experiment"));
    EXPECT_THAT(rubato({"run", "s.yaml"}).out, Not(HasSubstr("assumed")));
}

TEST_F(Run, SettingsChangeConfFilesAsTheyDoYaml) {
    write("s.conf", "name = c\nscenario = {\n  fmus = {\n    one = {path = \"" RUBATO_FMUS
                    "/fmi2/msd1.fmu\"}\n  }\n  connections = []\n}\n");
    const Outcome outcome = rubato({"run", "s.conf", "--set", "one.x1=2", "--set", "one.m1=3",
                                    "--stop", "1", "--step", "0.5", "-o", "out.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(read("out.csv"), HasSubstr("\n0,2,"));
    const Outcome wrong = rubato({"run", "s.conf", "--set", "one.x2=2"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("unit \"one\" has no parameter \"x2\""));
}

TEST_F(Run, WhatIsNoScenarioIsRecognized) {
    const std::string fmu = RUBATO_FMUS "/fmi2/msd1.fmu";
    for (const char* command : {"run", "check", "verify", "synthesize", "graph"}) {
        const Outcome outcome = rubato({command, fmu});
        EXPECT_EQ(outcome.code, 2) << command;
        EXPECT_THAT(outcome.err, AllOf(HasSubstr("is an FMU, not a scenario"),
                                       HasSubstr("rubato simulate " + fmu)))
            << command;
    }
}

TEST_F(Run, AnOrderAndIterationsCanBeGiven) {
    const Outcome outcome = rubato({"run", "s.yaml", "--algorithm", "iterated-gauss-seidel",
                                    "--order", "two,one", "--iterations", "3", "--no-record"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("in the order two, one, 3 iterations"),
                                   HasSubstr("3 per step, at most 3 in one loop")));
    EXPECT_THAT(files(), UnorderedElementsAre("s.yaml"));
}

TEST_F(Run, TellsWhatUnitsRejected) {
    write("b.yaml", "rubato: 1\nunits:\n  b: {model: bumper}\nexperiment: {stop: 1, step: 0.1}\n");
    const Outcome outcome = rubato({"run", "b.yaml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("attempts; smallest step size 0.0"));
}

TEST_F(Run, StopsAtTheMinimumStepAndKeepsTheResults) {
    write("b.yaml", "rubato: 1\nunits:\n  b: {model: bumper, start: {x: 0}}\n  m: {model: msd1}\n"
                    "connections: [m.x1 -> b.F1: {factor: 10, convert: false}]\nexperiment: {stop: "
                    "10, step: 0.1}\n");
    const Outcome outcome = rubato({"run", "b.yaml", "--minimum-step", "0.05"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("unit \"b\" cannot go on at t = 0."),
                                   HasSubstr("the shortest allowed is 0.05 s")));
    EXPECT_GT(line_count("results/b.csv"), 5u);
}

TEST_F(Run, ExplainPrintsTheAlgorithmAndRunsNothing) {
    const Outcome outcome = rubato({"run", "s.yaml", "--explain"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("step one\n"), HasSubstr("order derived")));
    EXPECT_THAT(files(), UnorderedElementsAre("s.yaml"));
}

TEST_F(Run, QuietPrintsNothing) {
    const Outcome outcome = rubato({"run", "s.yaml", "--quiet"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out + outcome.err, IsEmpty());
}

TEST_F(Run, FmusRunAsNativeModelsDo) {
    write("f.yaml", R"(rubato: 1
units:
  one: {fmu: )" RUBATO_FMUS R"(/fmi2/msd1.fmu, parameters: {c1: 5}, start: {x1: 1}}
  two: {fmu: )" RUBATO_FMUS R"(/fmi3/msd2.fmu}
connections: [one.x1 -> two.x1, one.v1 -> two.v1, two.Fc -> one.Fc]
experiment: {stop: 2, step: 0.1}
algorithm: gauss-seidel
)");
    ASSERT_EQ(rubato({"run", "s.yaml"}).code, 0);
    const Outcome outcome = rubato({"run", "f.yaml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read("results/f.csv"), read("results/pair.csv"));
}

TEST_F(Run, AllProblemsAreReportedAtOnceAndNothingIsWritten) {
    write("bad.yaml", R"(rubato: 1
units:
  one: {model: msd1, sped: 3}
connections: []
experimnt: {stop: 2}
)");
    const Outcome outcome = rubato({"run", "bad.yaml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err,
                AllOf(StartsWith("rubato: 2 problems in bad.yaml:\n"), HasSubstr("bad.yaml:3: "),
                      HasSubstr("sped"), HasSubstr("bad.yaml:5: "), HasSubstr("\"experiment\"")));
    EXPECT_THAT(files(), UnorderedElementsAre("s.yaml", "bad.yaml"));
}

TEST_F(Run, AWrongSettingIsNamed) {
    const Outcome parameter = rubato({"run", "s.yaml", "--set", "one.c9=1"});
    EXPECT_EQ(parameter.code, 2);
    EXPECT_THAT(parameter.err, AllOf(HasSubstr("c9"), HasSubstr("did you mean \"c1\"?")));
    EXPECT_THAT(rubato({"run", "s.yaml", "--set", "three.c1=1"}).err,
                HasSubstr("no unit \"three\""));
    EXPECT_THAT(rubato({"run", "s.yaml", "--set", "c1"}).err, HasSubstr("--set path=value"));
    EXPECT_EQ(rubato({"run", "s.yaml", "--step", "soon"}).code, 2);
    EXPECT_THAT(files(), UnorderedElementsAre("s.yaml"));
}

TEST_F(Run, ResultsThatCannotBeWrittenAreAFault) {
    const Outcome outcome = rubato({"run", "s.yaml", "-o", "s.yaml/r.csv"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, AllOf(StartsWith("rubato: "), HasSubstr("s.yaml")));
}

TEST_F(Run, AFaultKeepsTheResultsBeforeIt) {
    const Outcome outcome = rubato({"run", "s.yaml", "--algorithm", "jacobi", "--set",
                                    "one.c1=1e300", "--set", "one.x1=1e300", "--stop", "1000"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("rubato: "), HasSubstr("\"one\""),
                                   HasSubstr("the results up to t = ")));
    EXPECT_THAT(read("results/pair.csv"), StartsWith("time,one.x1"));
    EXPECT_EQ(metadata("results/pair.csv")["status"], "failed");
    EXPECT_THAT(metadata("results/pair.csv")["message"].get<std::string>(), HasSubstr("\"one\""));
}

TEST_F(Run, CtrlCKeepsTheResults) {
    const pid_t child = start({"run", "s.yaml", "--stop", "1e9", "--record-every", "1000"});
    for (int i = 0; i < 6000 && !std::filesystem::exists(path("results/pair.csv.json")); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::kill(child, SIGINT);
    const Outcome outcome = finish(child);
    EXPECT_EQ(outcome.code, 130);
    EXPECT_THAT(outcome.out, HasSubstr("pair interrupted at t = "));
    EXPECT_EQ(metadata("results/pair.csv")["status"], "interrupted");
    const std::string content = read("results/pair.csv");
    EXPECT_TRUE(content.ends_with('\n')) << "only whole rows";
}

/// A kill may cut the row that is being written. Rows before it are whole, and the plot leaves out
/// what is not.
TEST_F(Run, AKillWhileRowsAreWrittenCostsTheLastRowAtMost) {
    for (const std::uintmax_t bytes : {100'000u, 300'000u, 1'000'000u}) {
        const pid_t child = start({"run", "s.yaml", "--stop", "1e9", "--step", "0.01"});
        const auto written = [&] {
            std::error_code absent;
            const auto size = std::filesystem::file_size(path("results/pair.csv"), absent);
            return absent ? 0 : size;
        };
        for (int i = 0; i < 30'000 && written() < bytes; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ::kill(child, SIGKILL);
        EXPECT_EQ(finish(child).code, 128 + SIGKILL);
        const std::string content = read("results/pair.csv");
        std::istringstream lines(content.substr(0, content.rfind('\n')));
        std::string line;
        std::getline(lines, line);
        const auto commas = std::ranges::count(line, ',');
        std::size_t rows = 0;
        for (; std::getline(lines, line); ++rows) ASSERT_EQ(std::ranges::count(line, ','), commas);
        const Outcome plot = rubato({"plot", "results/pair.csv"});
        EXPECT_EQ(plot.code, 0) << plot.err;
        const std::size_t over = plot.out.find(" over "), points = plot.out.find(" points in ");
        ASSERT_NE(points, std::string::npos) << plot.out;
        std::string drawn = plot.out.substr(over, points - over); // " over 2 311"
        std::erase_if(drawn, [](char c) { return c < '0' || c > '9'; });
        EXPECT_EQ(drawn, std::to_string(rows));
        EXPECT_EQ(plot.err.find("incomplete") == std::string::npos, content.ends_with('\n'));
        std::filesystem::remove_all(path("results"));
    }
}

TEST_F(Run, ThreadsAreAsManyAsAreOfUse) {
    const Outcome few = rubato({"run", "s.yaml", "--algorithm", "jacobi", "-o", "few.csv"});
    const Outcome many = rubato(
        {"run", "s.yaml", "--algorithm", "jacobi", "--threads", "1000000000", "-o", "many.csv"});
    EXPECT_EQ(few.code, 0);
    EXPECT_EQ(many.code, 0) << many.err;
    EXPECT_EQ(read("few.csv"), read("many.csv"));
}

TEST_F(Run, StepsAdvanceTheClockAndCanBeCounted) {
    const Outcome uncountable = rubato({"run", "s.yaml", "--step", "1e-17"});
    EXPECT_EQ(uncountable.code, 2);
    EXPECT_THAT(uncountable.err, HasSubstr("more than 2^53 steps"));
    const Outcome stuck = rubato(
        {"run", "s.yaml", "--start", "1e17", "--stop", "1.0000000000000001e17", "--step", "1"});
    EXPECT_EQ(stuck.code, 2);
    EXPECT_THAT(stuck.err, HasSubstr("does not advance the clock"));
}

TEST_F(Run, ShowsWhereTheTimeGoes) {
    const Outcome outcome = rubato({"run", "s.yaml", "--profile", "-o", "measured.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, ContainsRegex("one +[^ ]+ [^ ]+ +[^ ]+ % +[0-9]+ +20 "));
    EXPECT_THAT(outcome.out, ContainsRegex("two +[^ ]+ [^ ]+ +[^ ]+ % +[0-9]+ +20 "));
    EXPECT_THAT(outcome.out, HasSubstr("(all else)"));
    rubato({"run", "s.yaml", "-o", "plain.csv"});
    EXPECT_EQ(read("measured.csv"), read("plain.csv")) << "measuring changes no bit";
}

/// No time is measured: the summary says how it went, and a run that would take days can be ended.
TEST_F(Run, FollowsTheWallClock) {
    const Outcome fast = rubato({"run", "s.yaml", "--real-time", "1e6"});
    EXPECT_EQ(fast.code, 0) << fast.err;
    EXPECT_THAT(fast.out, ContainsRegex("real time +1e\\+?0?6|real time +1,000,000"));
    const pid_t child = start({"run", "s.yaml", "--real-time=1e-6", "-o", "slow.csv"});
    while (read("slow.csv").find("\n0.1,") == std::string::npos)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ::kill(child, SIGINT);
    const Outcome slow = finish(child);
    EXPECT_EQ(slow.code, 130) << slow.err;
    EXPECT_THAT(slow.out, HasSubstr("interrupted at t = 0.1 s"));
    EXPECT_EQ(line_count("slow.csv"), 3u) << "a wait ends at once";
}

TEST_F(Run, RefusesAFactorOfRealTimeThatIsNotPositive) {
    for (const char* const factor : {"0", "-1", "nan", "inf", "fast"}) {
        const Outcome outcome = rubato({"run", "s.yaml", std::string("--real-time=") + factor});
        EXPECT_EQ(outcome.code, 2) << factor;
        EXPECT_THAT(outcome.err, HasSubstr("is not a positive number"));
    }
}

} // namespace
} // namespace rubato::cli
