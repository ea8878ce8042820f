// SPDX-License-Identifier: Apache-2.0
#include "run_fixture.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdio>
#include <sstream>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Outcome;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

/// Lines of standard output, as the shell sees them.
std::string shell(const std::string& line, int* status = nullptr) {
    std::FILE* const pipe = ::popen(("bash -o pipefail -c '" + line + "'").c_str(), "r");
    std::string text;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
    const int ended = ::pclose(pipe);
    if (status != nullptr) *status = WEXITSTATUS(ended);
    return text;
}

class Target : public Run {
protected:
    std::string in_folder(const std::string& arguments) const {
        return "cd \"" + path("").string() + "\" && \"" RUBATO_PROGRAM "\" " + arguments;
    }
};

TEST_F(Target, CanBeStandardOutput) {
    rubato({"run", "s.yaml", "-o", "file.csv"});
    for (const char* const name : {"-", "/dev/stdout"}) {
        EXPECT_EQ(shell(in_folder(std::string("run s.yaml -o ") + name + " 2>err.log")),
                  read("file.csv"));
        EXPECT_THAT(read("err.log"), HasSubstr("pair completed at t = 2 s"));
    }
    EXPECT_EQ(shell(in_folder("run s.yaml -q -o >(cat > by-name.csv; touch done); "
                              "while [ ! -e done ]; do sleep 0.01; done")),
              "");
    EXPECT_EQ(read("by-name.csv"), read("file.csv"));
    EXPECT_THAT(files(), UnorderedElementsAre("s.yaml", "file.csv", "file.csv.json", "err.log",
                                              "by-name.csv", "done"));
}

TEST_F(Target, CanBeNothing) {
    const Outcome outcome = rubato({"run", "s.yaml", "-o", "/dev/null"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists("/dev/null.json"));
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(Target, ThatNobodyReadsEndsTheRunQuietly) {
    int status = 0;
    const std::string head =
        shell(in_folder("run s.yaml --stop 1e9 -q -o - 2>err.log | head -n 2"), &status);
    EXPECT_EQ(head, "time,one.x1,one.v1,two.x2,two.v2,two.Fc\n0,1,0,0,0,-1\n");
    EXPECT_EQ(status, 141);
    EXPECT_EQ(read("err.log"), "");
}

TEST_F(Target, IsReplacedByTheSameScenarioOnly) {
    EXPECT_EQ(rubato({"run", "s.yaml", "-o", "r.csv"}).code, 0);
    EXPECT_EQ(rubato({"run", "s.yaml", "-o", "r.csv"}).code, 0) << "it may be run again";
    write("mine.csv", "years of work");
    const Outcome outcome = rubato({"run", "s.yaml", "-o", "mine.csv"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("\"mine.csv\" exists"), HasSubstr("--force")));
    EXPECT_EQ(read("mine.csv"), "years of work");
    EXPECT_EQ(rubato({"run", "s.yaml", "-o", "mine.csv", "--force"}).code, 0);
    EXPECT_THAT(read("mine.csv"), StartsWith("time,"));

    const Outcome other = rubato({"simulate", RUBATO_FMUS "/fmi2/msd1.fmu", "-o", "r.csv"});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("\"r.csv\" exists"));
}

TEST_F(Target, IsNotWhatTheRunReads) {
    std::filesystem::copy(RUBATO_FMUS "/fmi2/msd1.fmu", path("m.fmu"));
    write("in.csv", "time,Fc\n0,0\n");
    std::filesystem::create_symlink("in.csv", path("link.csv"));
    for (const char* const target : {"m.fmu", "in.csv", "./in.csv", "link.csv"}) {
        const Outcome outcome =
            rubato({"simulate", "m.fmu", "-i", "in.csv", "-o", target, "--force"});
        EXPECT_EQ(outcome.code, 2) << target;
        EXPECT_THAT(outcome.err, HasSubstr("which the run reads")) << target;
    }
    EXPECT_EQ(read("in.csv"), "time,Fc\n0,0\n");
    const Outcome scenario_too = rubato({"run", "s.yaml", "-o", "s.yaml", "--force"});
    EXPECT_THAT(scenario_too.err, HasSubstr("which the run reads"));
    EXPECT_EQ(read("s.yaml"), scenario);
}

TEST_F(Target, IsWrittenByOneRunAtATime) {
    const pid_t child = start({"run", "s.yaml", "--stop", "1e9", "--record-every", "1000"});
    for (int i = 0; i < 6000 && !std::filesystem::exists(path("results/pair.csv.json")); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::string line = in_folder("run s.yaml 2>&1");
    EXPECT_THAT(shell(line), HasSubstr("another run is writing to"));
    ::kill(child, SIGINT);
    EXPECT_EQ(finish(child).code, 130);
    EXPECT_EQ(metadata("results/pair.csv")["experiment"]["stop"], 1e9);
    EXPECT_EQ(rubato({"run", "s.yaml"}).code, 0);
}

TEST_F(Target, OfAPictureIsSvg) {
    rubato({"run", "s.yaml"});
    const Outcome outcome = rubato({"plot", "results/pair.csv", "-o", "x.png"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("x.png"), HasSubstr(".svg")));
    EXPECT_FALSE(std::filesystem::exists(path("x.png")));
    EXPECT_THAT(rubato({"plot", "results/pair.csv", "-o", "-"}).out, StartsWith("<svg"));
}

TEST_F(Target, CanBeSeveralFilesOfAnyFormat) {
    const Outcome outcome = rubato({"run", "s.yaml", "-o", "r.csv", "-o", "r.mat"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("results in r.csv, r.mat"));
    EXPECT_THAT(files(),
                UnorderedElementsAre("s.yaml", "r.csv", "r.csv.json", "r.mat", "r.mat.json"));
    EXPECT_EQ(metadata("r.mat")["status"], "completed");
    EXPECT_EQ(metadata("r.mat")["reached"], 2);
    for (const char* const name : {"r.csv", "r.mat"}) {
        EXPECT_EQ(rubato({"plot", name, "-o", std::string(name) + ".svg"}).code, 0);
    }
    EXPECT_EQ(read("r.csv.svg"), read("r.mat.svg"));
    EXPECT_EQ(rubato({"run", "s.yaml", "-o", "r.mat"}).code, 0) << "it may be run again";
}

TEST_F(Target, CanBeStandardOutputAndAFile) {
    rubato({"run", "s.yaml", "-o", "file.csv"});
    EXPECT_EQ(shell(in_folder("run s.yaml -q -o - -o r.mat")), read("file.csv"));
    EXPECT_EQ(rubato({"plot", "r.mat"}).code, 0);
}

TEST_F(Target, OfAnUnknownFormatIsAnError) {
    const Outcome outcome = rubato({"run", "s.yaml", "-o", "r.xlsx"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("r.xlsx"), HasSubstr(".csv, .mat")));
    EXPECT_THAT(files(), UnorderedElementsAre("s.yaml"));
}

TEST_F(Target, GivenTwiceIsAnError) {
    for (const auto& [one, other] :
         {std::pair{"r.csv", "./r.csv"}, {"r", "r.events.csv"}, {"-", "-"}}) {
        const Outcome outcome = rubato({"run", "s.yaml", "-o", one, "-o", other});
        EXPECT_EQ(outcome.code, 2) << other;
        EXPECT_THAT(outcome.err, HasSubstr("twice"));
        EXPECT_THAT(files(), UnorderedElementsAre("s.yaml"));
    }
}

TEST_F(Target, ThatCannotHoldTextsSaysSo) {
    write("text.yaml", R"(rubato: 1
units: {one: {model: feedthrough}}
experiment: {stop: 1, step: 0.5}
)");
    const Outcome outcome = rubato({"run", "text.yaml", "-o", "r.mat"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("r.mat does not contain"), HasSubstr("CSV")));
}

} // namespace
} // namespace rubato::cli
