// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using testing::Outcome;

class Corpus : public testing::Program {
protected:
    /// Puts an FMU of the build into the corpus.
    void add(const std::string& fmu, const std::string& name) const {
        const auto target = path("corpus/" + name + ".fmu");
        std::filesystem::create_directories(target.parent_path());
        std::filesystem::copy_file(RUBATO_FMUS "/" + fmu + ".fmu", target);
    }
    /// One that does something wrong at 0.5 s, which is within a step.
    void add_misuse(const std::string& name) const {
        add("misuse/" + name, name);
        write("corpus/" + name + "_ref.opt", "StopTime, 1\nStepSize, 0.4\n");
    }

    /// msd1 pulled by a force, and a reference of it.
    void add_with_reference(const std::string& name) {
        add("fmi2/msd1", name);
        write("corpus/" + name + "_in.csv", "time,Fc\n0,0\n1,2\n");
        write("corpus/" + name + "_ref.opt",
              "StartTime, 0.0\r\nStopTime, 4.0\nStepSize, 0.01\nRelTol, 1e-5\nSolver, x\n");
        const Outcome outcome =
            rubato({"simulate", "corpus/" + name + ".fmu", "--stop", "4", "--step", "0.001", "-i",
                    "corpus/" + name + "_in.csv", "-q", "-o", "corpus/" + name + "_ref.csv"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
    }
};

TEST_F(Corpus, AllPass) {
    add_with_reference("cs/tool/good");
    add_misuse("behaves");
    const Outcome outcome = rubato({"simulate", "--corpus", "corpus"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("PASS      cs/tool/good.fmu\n"),
                                   HasSubstr("PASS      behaves.fmu       ran; there is no "),
                                   HasSubstr("\n2 FMUs: 2 PASS\n")));
}

TEST_F(Corpus, ThreadsChangeNothingOfTheTable) {
    for (const char* name : {"aborts", "behaves", "exits", "fatal"}) add_misuse(name);
    add_with_reference("cs/tool/good");
    const Outcome one = rubato({"simulate", "--corpus", "corpus"});
    const Outcome three = rubato({"simulate", "--corpus", "corpus", "--threads", "3"});
    EXPECT_EQ(one.code, three.code);
    EXPECT_EQ(one.out, three.out);
}

/// x'' + x' + x = 0 with the step 0.5: Euler is far from the solution, and the reference with it.
TEST_F(Corpus, AReferenceWithAStepSizeWasMadeWithEuler) {
    add("fmi2/msd1", "me/euler");
    std::string reference = "time,x1\n";
    double x = 1, v = 0;
    for (int i = 0; i <= 20; ++i) {
        reference += std::to_string(0.5 * i) + "," + std::to_string(x) + "\n";
        const double dv = -x - v;
        x += 0.5 * v;
        v += 0.5 * dv;
    }
    write("corpus/me/euler_ref.csv", reference);
    write("corpus/me/euler_ref.opt", "StopTime, 10\nStepSize, 0.5\n");
    const Outcome euler = rubato({"simulate", "--corpus", "corpus"});
    EXPECT_EQ(euler.code, 0) << euler.out;
    write("corpus/me/euler_ref.opt", "StopTime, 10\nStepSize, 0\n");
    EXPECT_THAT(rubato({"simulate", "--corpus", "corpus"}).out, HasSubstr("MISMATCH"));
}

/// A force that grows at 1 N/s is held within steps: with steps of 1 s the mass is late.
TEST_F(Corpus, ShorterStepsAreTriedWhereResultsDoNotMatch) {
    add("fmi2/msd1", "cs/held");
    write("corpus/cs/held_in.csv", "time,Fc\n0,0\n10,10\n");
    EXPECT_EQ(rubato({"simulate", "corpus/cs/held.fmu", "--stop", "10", "--step", "0.001", "-i",
                      "corpus/cs/held_in.csv", "-q", "--record-every", "10", "-o",
                      "corpus/cs/held_ref.csv"})
                  .code,
              0);
    write("corpus/cs/held_ref.opt", "StopTime, 10\nStepSize, 2\n");
    const Outcome outcome = rubato({"simulate", "--corpus", "corpus"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(
        outcome.out,
        ContainsRegex("PASS      cs/held.fmu  with steps of 0.0?2 s; otherwise [xv]1 at t"));
}

TEST_F(Corpus, HeldInputsAreTriedWhereResultsDoNotMatch) {
    add("fmi2/msd1", "me/held");
    write("corpus/me/held_in.csv", "time,Fc\n0,0\n1,2\n2,0\n");
    write("jumps.csv", "time,Fc\n0,0\n1,0\n1,2\n2,2\n2,0\n");
    EXPECT_EQ(rubato({"simulate", "corpus/me/held.fmu", "--type", "me", "--stop", "4", "--step",
                      "0.01", "-i", "jumps.csv", "-q", "-o", "corpus/me/held_ref.csv"})
                  .code,
              0);
    write("corpus/me/held_ref.opt", "StopTime, 4\nStepSize, 0\n");
    const Outcome outcome = rubato({"simulate", "--corpus", "corpus"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("PASS      me/held.fmu  with inputs held between rows; "));
}

TEST_F(Corpus, AMismatchNamesVariableTimeAndValues) {
    add_with_reference("off");
    write("corpus/off_ref.csv", "time,x1,nonsense\n0,1,0\n0.5,1,0\n4,9,0\n");
    const Outcome outcome = rubato({"simulate", "--corpus", "corpus"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out,
                ContainsRegex("MISMATCH  off.fmu  x1 at t = 0\\.[0-9]+ s is 0\\.[0-9]+, in the "
                              "reference 1\\.[0-9]+\n"));
}

TEST_F(Corpus, SaysHowManyVariablesCouldBeCompared) {
    add_misuse("behaves");
    write("corpus/behaves_ref.csv", "time,y,nonsense\n0,0,0\n1,0,0\n");
    const Outcome outcome = rubato({"simulate", "--corpus", "corpus"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("1 of 2 variables of the reference could be compared"));
}

TEST_F(Corpus, NothingEndsTheTable) {
    for (const char* name : {"aborts", "exits", "fails-in-initialization"}) add_misuse(name);
    write("corpus/nonsense.fmu", "this is no archive");
    add_misuse("fatal");
    const Outcome outcome = rubato({"simulate", "--corpus", "corpus"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(
        outcome.out,
        AllOf(ContainsRegex("CRASH     aborts.fmu +SIGABRT\n"),
              ContainsRegex("CRASH     exits.fmu +unit \"model\" ended the program in step at t = "
                            "0.4 s: it called exit.3.\n"),
              ContainsRegex("REJECTED  fails-in-initialization.fmu +unit \"model\" failed"),
              ContainsRegex("REJECTED  nonsense.fmu "),
              ContainsRegex("REJECTED  fatal.fmu +unit \"model\" failed in fmi2DoStep"),
              HasSubstr("\n5 FMUs: 3 REJECTED 2 CRASH\n")));
}

TEST_F(Corpus, FilesThatFmusWriteDoNotStay) {
    add_misuse("writes-a-file");
    const auto before = files();
    EXPECT_EQ(rubato({"simulate", "--corpus", "corpus"}).code, 0);
    EXPECT_EQ(files(), before);
}

TEST_F(Corpus, AnFmuThatHangsIsKilled) {
    add_misuse("hangs");
    const Outcome outcome = rubato({"simulate", "--corpus", "corpus", "--time-limit", "0.5"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("TIMEOUT   hangs.fmu  not done after 0.5 s\n"));
}

TEST_F(Corpus, WrongUseIsRefused) {
    EXPECT_EQ(rubato({"simulate"}).code, 2);
    EXPECT_EQ(rubato({"simulate", "a.fmu", "--corpus", "corpus"}).code, 2);
    EXPECT_EQ(rubato({"simulate", "--corpus", "corpus", "--stop", "1"}).code, 2);
    EXPECT_EQ(rubato({"simulate", "--corpus", "corpus", "--threads", "0"}).code, 2);
    EXPECT_EQ(rubato({"simulate", "a.fmu", "--threads", "2"}).code, 2);
    EXPECT_THAT(rubato({"simulate", "--corpus", "none"}).err, HasSubstr("cannot read the folder"));
    std::filesystem::create_directory(path("corpus"));
    EXPECT_THAT(rubato({"simulate", "--corpus", "corpus"}).err, HasSubstr("there is no FMU in"));
}

} // namespace
} // namespace rubato::cli
