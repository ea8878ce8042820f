// SPDX-License-Identifier: Apache-2.0

/// FMUs that end the process they run in, or do not let it end, at t = 0.5 s: the user is told
/// which unit it was, and has the results.

#include "support/sanitizer_options.hpp"
#include "unit/cli/program.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;

constexpr auto rows_before = "time,bad.y\n0,0\n0.3,0\n";

struct Ending {
    std::string fmu;
    std::string message;
    std::string where = "in step at t = 0.3 s";
};

/// Parameter: what the file names of FMUs of this version of FMI end in.
class ProcessEnd : public testing::Program, public ::testing::WithParamInterface<std::string> {
protected:
    ProcessEnd() { test::start_processes_as_without_sanitizers(); }

    std::string fmu(const std::string& behaviour) const {
        return std::string(MISUSE_FMUS) + "/" + behaviour + GetParam() + ".fmu";
    }
    void write_scenario(const std::string& behaviour, const std::string& more = "") const {
        write("s.yaml",
              "rubato: 1\nname: s\nunits:\n  bad: {fmu: " + fmu(behaviour) +
                  "}\nexperiment: {stop: 1.2, step: 0.3}\nrecord: {variables: [bad.y]}\n" + more);
    }
    nlohmann::json metadata() const { return nlohmann::json::parse(read("results/s.csv.json")); }

    /// Until the file holds what it should, which a busy machine may take its time for.
    bool comes_to_hold(const std::string& file, const std::string& content) const {
        for (int i = 0; i < 3000 && read(file) != content; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return read(file) == content;
    }
    bool comes_to_say(const std::string& file, const std::string& part) const {
        for (int i = 0; i < 3000 && read(file).find(part) == std::string::npos; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return read(file).find(part) != std::string::npos;
    }
};

TEST_P(ProcessEnd, IsToldWithUnitCallAndTimeAndKeepsTheResults) {
    const Ending endings[] = {
        {"crashes", "crashed in step at t = 0.3 s: SIGSEGV (segmentation fault)"},
        {"overflows-its-stack", "crashed in step at t = 0.3 s: SIGSEGV (segmentation fault)"},
        {"aborts", "crashed in step at t = 0.3 s: SIGABRT (aborted)"},
        {"exits", "ended the program in step at t = 0.3 s: it called exit(3)"},
        {"exits-with-success", "ended the program in step at t = 0.3 s: it called exit(0)"},
        {"quits", "ended the program in step at t = 0.3 s: it called exit(0)"}};
    for (const Ending& ending : endings) {
        write_scenario(ending.fmu);
        const Outcome outcome = rubato({"run", "s.yaml"});
        EXPECT_NE(outcome.code, 0) << ending.fmu;
        EXPECT_THAT(outcome.err,
                    AllOf(HasSubstr("rubato: unit \"bad\" " + ending.message),
                          HasSubstr("\n  try isolate: true"),
                          HasSubstr("the results up to t = 0.3 s are in results/s.csv")));
        EXPECT_EQ(read("results/s.csv"), rows_before) << ending.fmu;
        EXPECT_EQ(metadata()["status"], "failed") << ending.fmu;
        EXPECT_EQ(metadata()["reached"], 0.3) << ending.fmu;
        EXPECT_THAT(metadata()["message"].get<std::string>(), HasSubstr(ending.message));
    }
}

TEST_P(ProcessEnd, IsToldOfThreadsThatFmusStart) {
    for (const std::string ending : {"exits-in-a-thread", "crashes-in-a-thread"}) {
        write_scenario(ending);
        const Outcome outcome = rubato({"run", "s.yaml"});
        EXPECT_NE(outcome.code, 0) << ending;
        EXPECT_THAT(outcome.err, AllOf(HasSubstr("rubato: a thread that an FMU has started "),
                                       HasSubstr("try isolate: true")));
        EXPECT_EQ(read("results/s.csv"), rows_before) << ending;
    }
}

TEST_P(ProcessEnd, IsToldBySimulateAndOfOtherCalls) {
    const Outcome outcome =
        rubato({"simulate", fmu("exits-with-success"), "--step", "0.3", "--stop", "1.2"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("unit \"model\" ended the program in step at t = 0.3 s"));

    write_scenario("crashes-in-get");
    EXPECT_THAT(rubato({"run", "s.yaml"}).err,
                HasSubstr("unit \"bad\" crashed in get at t = 0.3 s: SIGSEGV"));
    write_scenario("crashes-when-freed");
    const Outcome freed = rubato({"run", "s.yaml"});
    EXPECT_NE(freed.code, 0);
    EXPECT_THAT(freed.err, HasSubstr("unit \"bad\" crashed in free at t = "));
}

TEST_P(ProcessEnd, ByAnExceptionIsAnErrorThatNamesTheUnit) {
    write_scenario("throws");
    const Outcome outcome = rubato({"run", "s.yaml"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("rubato: unit \"bad\" failed in step at t = 0.3 s: it threw "
                                       "an exception: of a type of its own"));
    EXPECT_EQ(read("results/s.csv"), rows_before);
    EXPECT_EQ(metadata()["status"], "failed");
}

TEST_P(ProcessEnd, ByAKillLosesNoRowThatIsHalfASecondOld) {
    write_scenario("hangs");
    const pid_t child = start({"run", "s.yaml"});
    EXPECT_TRUE(comes_to_hold("results/s.csv", rows_before)) << "though the step never returns";
    ::kill(child, SIGKILL);
    EXPECT_EQ(finish(child).code, 128 + SIGKILL);
    EXPECT_EQ(read("results/s.csv"), rows_before);
}

TEST_P(ProcessEnd, IsWaitedForByNameUntilTheUserInsists) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        std::filesystem::remove_all(path("results"));
        write_scenario("hangs");
        const pid_t child = start({"run", "s.yaml"});
        EXPECT_TRUE(comes_to_hold("results/s.csv", rows_before));
        ::kill(child, signal);
        EXPECT_TRUE(comes_to_say("stderr.log",
                                 "interrupted, but unit \"bad\" has not returned from "
                                 "step at t = 0.3 s"));
        ::kill(child, signal);
        const Outcome outcome = finish(child);
        EXPECT_EQ(outcome.code, 130);
        EXPECT_THAT(outcome.err, HasSubstr("the results up to t = 0.3 s are in results/s.csv"));
        EXPECT_EQ(metadata()["status"], "interrupted");
        EXPECT_EQ(metadata()["reached"], 0.3);
        EXPECT_EQ(read("results/s.csv"), rows_before);
    }
}

TEST_P(ProcessEnd, LeavesNoTemporaryFolderWhenTheUserInsists) {
    std::filesystem::create_directory(path("tmp"));
    ::setenv("TMPDIR", path("tmp").c_str(), 1);
    write_scenario("hangs");
    const pid_t child = start({"run", "s.yaml"});
    ::unsetenv("TMPDIR");
    EXPECT_TRUE(comes_to_hold("results/s.csv", rows_before));
    EXPECT_FALSE(std::filesystem::is_empty(path("tmp"))) << "the FMU is unpacked there";
    ::kill(child, SIGINT);
    EXPECT_TRUE(comes_to_say("stderr.log", "interrupt once more to end it now"));
    ::kill(child, SIGINT);
    EXPECT_EQ(finish(child).code, 130);
    EXPECT_TRUE(std::filesystem::is_empty(path("tmp")));
}

/// On a terminal, which `script` makes one of a file.
TEST_P(ProcessEnd, ThatDoesNotComeIsToldOnTheProgressLine) {
    if (std::system("script --version >/dev/null 2>&1") != 0)
        GTEST_SKIP() << "there is no `script`, which makes a terminal";
    write_scenario("hangs");
    const std::string line = "cd '" + path("").string() +
                             "' && script -qec 'timeout -k 1 5 \"" RUBATO_PROGRAM
                             "\" run s.yaml' terminal.log >/dev/null 2>&1 </dev/null";
    EXPECT_NE(std::system(line.c_str()), 0) << "it hangs until it is ended";
    EXPECT_THAT(read("terminal.log"),
                HasSubstr("unit \"bad\" has not returned from step at t = 0.3 s for "));
}

/// Once, and the results are those of one process.
TEST_P(ProcessEnd, OfACopyOfTheProcessLeavesTheRunAlone) {
    const std::string rows = "time,bad.y\n0,0\n0.3,0\n0.6,0\n0.8999999999999999,0\n1.2,0\n";
    write_scenario("returns-twice");
    const Outcome outcome = rubato({"run", "s.yaml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err,
                HasSubstr("rubato: unit \"bad\" called fork() in step at t = 0.3 s, and the copy"));
    EXPECT_EQ(outcome.out.find("1.2 s"), outcome.out.rfind("1.2 s")) << outcome.out;
    EXPECT_EQ(read("results/s.csv"), rows);
    EXPECT_EQ(metadata()["status"], "completed");

    write("i.yaml", "rubato: 1\nname: i\nunits:\n  bad: {fmu: " + fmu("returns-twice") +
                        ", isolate: true}\nexperiment: {stop: 1.2, step: 0.3}\n"
                        "record: {variables: [bad.y]}\n");
    EXPECT_EQ(rubato({"run", "i.yaml"}).code, 0);
    EXPECT_EQ(read("results/i.csv"), rows);
}

TEST_P(ProcessEnd, OfAnFmuThatBehavesIsLeftAlone) {
    write_scenario("behaves");
    const Outcome outcome = rubato({"run", "s.yaml"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, Not(HasSubstr("rubato:")));
}

/// FMUs that do something to the process that lives on.
class Disturbance : public testing::Program {
protected:
    Outcome run(const std::string& fmu, const std::string& settings = "") {
        std::filesystem::copy(std::string(MISUSE_FMUS) + "/behaves.fmu", path("good.fmu"),
                              std::filesystem::copy_options::overwrite_existing);
        std::filesystem::copy(std::string(MISUSE_FMUS) + "/" + fmu + ".fmu", path("bad.fmu"),
                              std::filesystem::copy_options::overwrite_existing);
        write("s.yaml", "rubato: 1\nname: s\nunits:\n  bad: {fmu: bad.fmu" + settings +
                            "}\n  good: {fmu: good.fmu}\nexperiment: {stop: 1.2, step: 0.3}\n"
                            "record: {variables: [bad.y]}\n");
        return rubato({"run", "s.yaml"});
    }
};

TEST_F(Disturbance, OfTheWorkingDirectoryMovesNoFile) {
    const Outcome outcome = run("changes-folder");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(read("results/s.csv"), HasSubstr("\n1.2,0\n"));
    EXPECT_TRUE(std::filesystem::exists(path("results/s.csv.json")));
}

TEST_F(Disturbance, ByAThreadThatStaysHarmsNothing) {
    for (int i = 0; i < 5; ++i) {
        const Outcome outcome = run("leaves-a-thread");
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
    }
}

/// The pipe that is its error output ends when it does.
TEST_F(Disturbance, ByAProcessOfAnIsolatedUnitEndsWithIt) {
    run("starts-a-process", ", isolate: true"); // writes the scenario
    const std::string line = "cd '" + path("").string() +
                             "' && timeout 60 bash -c '\"" RUBATO_PROGRAM
                             "\" run s.yaml 2>&1 >/dev/null | cat'";
    EXPECT_EQ(std::system(line.c_str()), 0) << "somebody held the pipe";
}

/// As unzip leaves it.
TEST_F(Disturbance, IsNoneOfAnFmuThatIsAFolder) {
    const std::string fmu = std::string(MISUSE_FOLDERS) + "/behaves";
    write("f.yaml", "rubato: 1\nname: f\nunits:\n  good: {fmu: " + fmu +
                        "/}\nexperiment: {stop: 1.2, step: 0.3}\n");
    EXPECT_EQ(rubato({"run", "f.yaml"}).code, 0);
    EXPECT_EQ(rubato({"inspect", fmu}).code, 0);
    EXPECT_NE(rubato({"validate", fmu}).code, 2);
    const Outcome outcome = rubato({"simulate", fmu + "/", "--stop", "1"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(path("results/behaves.csv")));
}

INSTANTIATE_TEST_SUITE_P(Versions, ProcessEnd, ::testing::Values("", "-fmi3"),
                         [](const auto& version) {
                             return version.param.empty() ? "Fmi2" : "Fmi3";
                         });

} // namespace
} // namespace rubato::cli
