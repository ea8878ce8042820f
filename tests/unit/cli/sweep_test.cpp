// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Outcome;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr auto swept_pair = R"(rubato: 1
name: pair
units:
  one: {model: msd1, parameters: {c1: 5.0, solver: 3}}
  two: {model: msd2, parameters: {c2: 0.1, solver: 3}}
connections: [one.x1 -> two.x1, one.v1 -> two.v1, two.Fc -> one.Fc]
experiment: {stop: 1, step: 0.1}
algorithm: jacobi
)";

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string last_cell(const std::string& line) { return line.substr(line.rfind(',') + 1); }

class SweepCommand : public testing::Program {
protected:
    SweepCommand() { write("pair.yaml", swept_pair); }

    Outcome sweep(std::vector<std::string> more) {
        more.insert(more.begin(), {"sweep", "pair.yaml"});
        return rubato(more);
    }

    /// The value of a variable at the end of a plain run.
    std::string last_of_run(const std::string& variable, std::vector<std::string> more) {
        more.insert(more.begin(), {"run", "pair.yaml", "-q", "-o", "run.csv", "--set",
                                   "record.variables=[" + variable + "]"});
        const Outcome outcome = rubato(more);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return last_cell(lines_of(read("run.csv")).back());
    }
};

TEST_F(SweepCommand, EachRunGivesTheBitsOfAPlainRun) {
    const Outcome outcome = sweep({"--vary", "one.c1=2,5.5", "--vary", "one.x1=0.5:1:0.25", "-o",
                                   "out", "--outcome", "last:one.x1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("last:one.x1"), HasSubstr("6 runs in ")));
    const std::vector<std::string> rows = lines_of(read("out/outcomes.csv"));
    ASSERT_THAT(rows, SizeIs(7));
    EXPECT_EQ(rows[0], "run,one.c1,one.x1,end,reason,last:one.x1");
    EXPECT_THAT(rows[1], StartsWith("1,2,0.5,completed,,"));
    EXPECT_THAT(rows[6], StartsWith("6,5.5,1,completed,,"));
    EXPECT_EQ(last_cell(rows[2]),
              last_of_run("one.x1", {"--set", "one.c1=2", "--set", "one.x1=0.75"}));
    EXPECT_EQ(last_cell(rows[6]),
              last_of_run("one.x1", {"--set", "one.c1=5.5", "--set", "one.x1=1.0"}));
}

TEST_F(SweepCommand, SettingsMayBeVaried) {
    const Outcome outcome =
        sweep({"--vary", "algorithm.recipe=jacobi,gauss-seidel", "--vary",
               "experiment.step=0.05,0.1", "-o", "out", "--outcome", "last:one.x1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<std::string> rows = lines_of(read("out/outcomes.csv"));
    ASSERT_THAT(rows, SizeIs(5));
    EXPECT_EQ(last_cell(rows[3]),
              last_of_run("one.x1", {"--algorithm", "gauss-seidel", "--step", "0.05"}));
}

TEST_F(SweepCommand, ResultsDoNotDependOnTheNumberOfThreads) {
    const auto files = [&](const char* threads) {
        const Outcome outcome =
            sweep({"--vary", "one.m1=lhs:0.5:2", "--vary", "two.cc=random:1:3", "--samples", "40",
                   "--seed", "7", "--threads", threads, "--force", "-o", "out"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        std::string all;
        for (const char* name : {"outcomes.csv", "statistics.csv", "ensemble.csv", "ensemble.svg"})
            all += read(std::string("out/") + name);
        return all;
    };
    const std::string one = files("1");
    EXPECT_EQ(files("4"), one);
    EXPECT_EQ(files("3"), one);
    EXPECT_THAT(one, AllOf(HasSubstr("5 % to 95 %"), HasSubstr("fill-opacity")));
    EXPECT_FALSE(std::filesystem::exists(path("out/trajectories.bin")));
}

TEST_F(SweepCommand, TheTimeOfAConditionIsInterpolated) {
    write("ramp.yaml", "rubato: 1\nunits: {ramp: {model: integrator, start: {u: 1.0}}}\n"
                       "experiment: {stop: 1, step: 0.3}\n");
    const Outcome outcome = rubato({"sweep", "ramp.yaml", "--vary", "ramp.k=1,2,0.1", "--outcome",
                                    "when:ramp.y>0.4", "--outcome", "max:ramp.y", "-o", "out"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<std::string> rows = lines_of(read("out/outcomes.csv"));
    ASSERT_THAT(rows, SizeIs(4));
    EXPECT_THAT(rows[1], StartsWith("1,1,completed,,0.4,1"));
    EXPECT_THAT(rows[2], StartsWith("2,2,completed,,0.2,2"));
    EXPECT_THAT(rows[3], StartsWith("3,0.1,completed,,,0.1")) << "it never holds";
}

TEST_F(SweepCommand, ARunThatFailsOrCrashesIsARow) {
    write("crash.yaml", "rubato: 1\nunits: {a: {fmu: " RUBATO_FMUS "/misuse/crashes.fmu}}\n"
                        "experiment: {stop: 1.2, step: 0.3}\n");
    const Outcome outcome = rubato(
        {"sweep", "crash.yaml", "--vary", "experiment.stop=0.3,1.2,0.3,2.4,0.3", "-o", "out"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("2 runs failed"), HasSubstr("signal 11")));
    const std::vector<std::string> rows = lines_of(read("out/outcomes.csv"));
    ASSERT_THAT(rows, SizeIs(6));
    EXPECT_THAT(rows[1], StartsWith("1,0.3,completed,"));
    EXPECT_THAT(rows[2], StartsWith("2,1.2,failed,a unit crashed: signal 11"));
    EXPECT_THAT(rows[3], StartsWith("3,0.3,completed,"));
    EXPECT_THAT(rows[4], StartsWith("4,2.4,failed,"));
    EXPECT_THAT(rows[5], StartsWith("5,0.3,completed,"));
}

TEST_F(SweepCommand, AUnitThatEndsTheProcessEndsOneRun) {
    write("exit.yaml", "rubato: 1\nunits: {a: {fmu: " RUBATO_FMUS "/misuse/exits.fmu}}\n"
                       "experiment: {stop: 1.2, step: 0.3}\n");
    const Outcome outcome = rubato(
        {"sweep", "exit.yaml", "--vary", "experiment.stop=1.2,0.3", "--threads", "1", "-o", "out"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    const std::vector<std::string> rows = lines_of(read("out/outcomes.csv"));
    ASSERT_THAT(rows, SizeIs(3));
    EXPECT_THAT(rows[1], StartsWith("1,1.2,failed,a unit ended the process"));
    EXPECT_THAT(rows[2], StartsWith("2,0.3,completed,"));
}

TEST_F(SweepCommand, ARunThatTakesTooLongIsARow) {
    write("hang.yaml", "rubato: 1\nunits: {a: {fmu: " RUBATO_FMUS "/misuse/hangs.fmu}}\n"
                       "experiment: {stop: 1.2, step: 0.3}\n");
    const Outcome outcome = rubato({"sweep", "hang.yaml", "--vary", "experiment.stop=1.2,0.3",
                                    "--time-limit", "2", "-o", "out"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(lines_of(read("out/outcomes.csv"))[1], StartsWith("1,1.2,failed,not done after 2"));
    EXPECT_THAT(lines_of(read("out/outcomes.csv"))[2], StartsWith("2,0.3,completed,"));
}

TEST_F(SweepCommand, AStoppedSweepContinuesToTheSameResults) {
    const auto arguments = [](const char* masses, std::vector<std::string> more) {
        std::vector<std::string> all = {
            "sweep",  "pair.yaml",       "--vary", masses,
            "--vary", "one.c1=1:20:0.5", "--set",  "experiment.step=0.001"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const pid_t process = start(arguments("one.m1=1:3:0.02", {"-o", "out"}));
    const auto rows = [&] { return lines_of(read("out/outcomes.csv")).size(); };
    for (int i = 0; i < 6000 && rows() < 50; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::kill(process, SIGINT);
    const Outcome stopped = finish(process);
    ASSERT_EQ(stopped.code, 130) << stopped.err << stopped.out;
    EXPECT_THAT(stopped.err, HasSubstr("--resume continues"));
    EXPECT_GE(rows(), 50U);
    EXPECT_FALSE(std::filesystem::exists(path("out/statistics.csv")));
    const std::string before = read("out/outcomes.csv");
    const Outcome refused = rubato(arguments("one.m1=1:3:0.04", {"-o", "out", "--resume"}));
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("holds another sweep"));
    EXPECT_EQ(read("out/outcomes.csv"), before);
    write("out/outcomes.csv", before + "3939,3,20,compl"); // as if it had been killed
    ASSERT_EQ(rubato(arguments("one.m1=1:3:0.02", {"-o", "out", "--resume", "-q"})).code, 0);
    ASSERT_EQ(rubato(arguments("one.m1=1:3:0.02", {"-o", "whole", "-q"})).code, 0);
    for (const std::string name :
         {"outcomes.csv", "statistics.csv", "ensemble.csv", "ensemble.svg"})
        EXPECT_EQ(read("out/" + name), read("whole/" + name)) << name;
    const Outcome again = rubato(arguments("one.m1=1:3:0.02", {"-o", "out", "--resume", "-q"}));
    EXPECT_EQ(again.code, 0) << "nothing is left to do";
}

TEST_F(SweepCommand, TheScenarioMaySayWhatIsVaried) {
    write("own.yaml", std::string(swept_pair) + "sweep:\n  vary: [one.m1=lhs:1:2]\n  samples: 5\n"
                                                "  outcomes: [max:one.x1]\n");
    ASSERT_EQ(rubato({"sweep", "own.yaml", "-o", "a", "-q"}).code, 0);
    EXPECT_THAT(lines_of(read("a/outcomes.csv")), SizeIs(6));
    EXPECT_EQ(lines_of(read("a/outcomes.csv"))[0], "run,one.m1,end,reason,max:one.x1");
    ASSERT_EQ(rubato({"sweep", "own.yaml", "--vary", "two.cc=1,2", "-o", "b", "-q"}).code, 0);
    EXPECT_EQ(lines_of(read("b/outcomes.csv"))[0], "run,two.cc,end,reason,max:one.x1");
    EXPECT_EQ(rubato({"run", "own.yaml", "--no-record", "-q"}).code, 0);
    write("wrong.yaml", std::string(swept_pair) + "sweep: {varied: [one.m1=1,2]}\n");
    const Outcome wrong = rubato({"check", "wrong.yaml"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("varied"));
}

TEST_F(SweepCommand, BadInputIsNamedAndNothingIsWritten) {
    std::filesystem::create_directory(path("there"));
    write("there/file.txt", "mine");
    const struct {
        std::vector<std::string> arguments;
        const char* text;
    } cases[] = {
        {{"-o", "out"}, "nothing is varied"},
        {{"--vary", "one.m1", "-o", "out"}, "--vary one.m1: it names no values"},
        {{"--vary", "one.m1=", "-o", "out"}, "it names no values"},
        {{"--vary", "=1:2:3", "-o", "out"}, "it names no values"},
        {{"--vary", "one.m1=1:10:-0.5", "-o", "out"}, "a step of -0.5 does not lead from 1 to 10"},
        {{"--vary", "one.m1=10:1:0.5", "-o", "out"}, "does not lead from 10 to 1"},
        {{"--vary", "one.m1=1:10:0", "-o", "out"}, "the step is 0"},
        {{"--vary", "one.m1=1:nan:1", "-o", "out"}, "\"nan\" is no number"},
        {{"--vary", "one.m1=1:inf:1", "-o", "out"}, "\"inf\" is no number"},
        {{"--vary", "one.m1=1:2", "-o", "out"}, "neither a value nor a range"},
        {{"--vary", "one.m1=1:2:3:4", "-o", "out"}, "neither a value nor a range"},
        {{"--vary", "one.m1=1,,2", "-o", "out"}, "a value of the list is empty"},
        {{"--vary", "one.m1=0:1:1e-9", "-o", "out"}, "at most 1000000 runs"},
        {{"--vary", "one.m1=1:2:1e-4", "--vary", "one.c1=1:2:1e-4", "-o", "out"},
         "this would be 100020001 runs"},
        {{"--vary", "one.m1=lhs:2:1", "--samples", "4", "-o", "out"}, "2 is not less than 1"},
        {{"--vary", "one.m1=lhs:1:2", "-o", "out"}, "does not say how many samples"},
        {{"--vary", "one.m1=lhs:0:1:2", "-o", "out"}, "\"0\" is no number of samples"},
        {{"--vary", "one.m1=lhs:1.5:1:2", "-o", "out"}, "\"1.5\" is no number of samples"},
        {{"--vary", "one.m1=random:1", "-o", "out"}, "needs a lower and an upper bound"},
        {{"--vary", "one.m1=lhs:1:2", "--samples", "0", "-o", "out"}, "at least one sample"},
        {{"--vary", "one.m1=lhs:1:2", "--samples", "3", "--seed", "-1", "-o", "out"},
         "--seed is -1"},
        {{"--vary", "one.m1=1,2", "--samples", "3", "-o", "out"}, "nothing is sampled"},
        {{"--vary", "one.m1=lhs:3:1:2", "--vary", "one.c1=lhs:4:1:2", "-o", "out"},
         "all random samples and Latin hypercubes have the same number"},
        {{"--vary", "one.m1=1,2", "--vary", "one.m1=3,4", "-o", "out"}, "is varied twice"},
        {{"--vary", "one.m9=1,2", "-o", "out"}, "m9"},
        {{"--vary", "three.m=1,2", "-o", "out"}, "three"},
        {{"--vary", "experiment.stap=1,2", "-o", "out"}, "stap"},
        {{"--vary", "one.m1=1,heavy", "-o", "out"}, "heavy does not fit"},
        {{"--vary", "one.solver=lhs:3:1:2", "-o", "out"}, "does not fit"},
        {{"--vary", "one.m1=1,2", "--outcome", "x1", "-o", "out"}, "it is no outcome"},
        {{"--vary", "one.m1=1,2", "--outcome", "mean:one.x1", "-o", "out"}, "it is no outcome"},
        {{"--vary", "one.m1=1,2", "--outcome", "last:", "-o", "out"}, "it names no variable"},
        {{"--vary", "one.m1=1,2", "--outcome", "last:one.q", "-o", "out"}, "one.q"},
        {{"--vary", "one.m1=1,2", "--outcome", "when:one.x1", "-o", "out"}, "it has no > or <"},
        {{"--vary", "one.m1=1,2", "--outcome", "when:one.x1>high", "-o", "out"}, "is no number"},
        {{"--vary", "one.m1=1,2", "--outcome", "last:one.*", "--outcome", "last:one.x1", "-o",
          "out"},
         "is tabulated twice"},
        {{"--vary", "one.m1=1,2", "-o", "there"}, "there exists"},
        {{"--vary", "one.m1=1,2", "--force", "-o", "there"}, "there exists"},
        {{"--vary", "one.m1=1,2", "-o", "pair.yaml"}, "is a file"},
        {{"--vary", "one.m1=1,2", "--resume", "-o", "out"}, "holds no sweep to continue"},
        {{"--vary", "one.m1=1,2", "--resume", "--force", "-o", "out"}, "exclude each other"},
        {{"--vary", "one.m1=1,2", "--time-limit", "0", "-o", "out"}, "--time-limit is 0"},
    };
    for (const auto& [arguments, text] : cases) {
        const Outcome outcome = sweep(arguments);
        EXPECT_EQ(outcome.code, 2) << text;
        EXPECT_THAT(outcome.err, HasSubstr(text));
        EXPECT_THAT(outcome.out, IsEmpty()) << text;
        EXPECT_FALSE(std::filesystem::exists(path("out"))) << text;
    }
    EXPECT_EQ(read("there/file.txt"), "mine");
}

TEST_F(SweepCommand, AFolderOfASweepIsNotOverwrittenUnlessForced) {
    ASSERT_EQ(sweep({"--vary", "one.m1=1,2", "-o", "out", "-q"}).code, 0);
    const Outcome again = sweep({"--vary", "one.m1=1,2,3", "-o", "out", "-q"});
    EXPECT_EQ(again.code, 2);
    EXPECT_THAT(again.err, AllOf(HasSubstr("exists"), HasSubstr("--resume")));
    EXPECT_THAT(lines_of(read("out/outcomes.csv")), SizeIs(3));
    EXPECT_EQ(sweep({"--vary", "one.m1=1,2,3", "-o", "out", "-q", "--force"}).code, 0);
    EXPECT_THAT(lines_of(read("out/outcomes.csv")), SizeIs(4));
    const Outcome terminal = sweep({"--vary", "one.m1=1,2", "-o", "other"});
    EXPECT_THAT(terminal.err, Not(HasSubstr("\r"))) << "progress is for terminals";
}

} // namespace
} // namespace rubato::cli
