// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Outcome;
using ::testing::StartsWith;

constexpr auto msd1 = RUBATO_FMUS "/fmi2/msd1.fmu";
constexpr auto behaves = RUBATO_FMUS "/misuse/behaves.fmu";

class Simulate : public testing::Program {
protected:
    std::size_t line_count(const std::string& file) const {
        const std::string content = read(file);
        return static_cast<std::size_t>(std::count(content.begin(), content.end(), '\n'));
    }
    std::vector<std::vector<double>> numbers_in(const std::string& file) const {
        std::istringstream lines(read(file));
        std::vector<std::vector<double>> rows;
        std::string line;
        for (std::getline(lines, line); std::getline(lines, line);) {
            std::istringstream cells(line);
            rows.emplace_back();
            for (std::string cell; std::getline(cells, cell, ',');)
                rows.back().push_back(std::stod(cell));
        }
        return rows;
    }
    std::string last_line(const std::string& file) const {
        const std::string content = read(file);
        return content.substr(content.rfind('\n', content.size() - 2) + 1);
    }
};

TEST_F(Simulate, RunsAnFmuAsItSuggests) {
    const Outcome outcome = rubato({"simulate", msd1});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "as the FMU suggests: start 0 s, stop 10 s, step 0.1 s\n");
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("msd1 completed at t = 10 s"),
                                   HasSubstr("100 of 0.1 s"), HasSubstr("results/msd1.csv")));
    EXPECT_THAT(read("results/msd1.csv"), StartsWith("time,x1,v1\n0,1,0\n"));
    EXPECT_EQ(line_count("results/msd1.csv"), 102u);
}

TEST_F(Simulate, SaysWhatItAssumesWhereTheFmuSuggestsNothing) {
    const Outcome outcome = rubato({"simulate", behaves, "--step", "0.5", "-o", "out.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "not given, so assumed: start 0 s, stop 1 s\n");
    EXPECT_EQ(line_count("out.csv"), 4u);
}

TEST_F(Simulate, OptionsSetValuesAndChooseWhatIsRecorded) {
    const Outcome outcome = rubato({"simulate", RUBATO_FMUS "/fmi3/msd1.fmu", "--start", "1",
                                    "--stop", "2", "--step", "0.5", "--set", "x1=3", "--set",
                                    "m1=2", "--record", "m1", "--record", "x*", "-o", "out.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, IsEmpty());
    EXPECT_THAT(read("out.csv"), StartsWith("time,m1,x1\n1,2,3\n1.5,2,3\n"));
}

/// Driven lag: y' = k (u - y), u the mean of two inputs, both 3 t, jumping to 0 at t = 0.75, which
/// is within a step.
TEST_F(Simulate, ContinuousInputsAreLinearWithinStepsAndJumpsAreNotSmeared) {
    struct Form {
        std::string type, step;
        double tolerance; ///< CS: Runge-Kutta's of fourth order, one step of it per step
    };
    write("in.csv", "time,a,b\n0,0,0\n0.75,2.25,2.25\n0.75,0,0\n2,0,0\n");
    const auto ramp = [](double t) { return 3 * (t - (1 - std::exp(-2 * t)) / 2); };
    for (const Form& form : {Form{"cs", "0.1", 2e-5}, Form{"me", "0.5", 1e-6}}) {
        SCOPED_TRACE(form.type);
        const Outcome outcome = rubato({"simulate",    RUBATO_FMUS "/fmi2/node.fmu",
                                        "--type",      form.type,
                                        "--stop",      "1",
                                        "--step",      form.step,
                                        "--set",       "k=2",
                                        "--set",       "solver=2",
                                        "--input",     "in.csv",
                                        "--tolerance", "1e-9",
                                        "--record",    "y",
                                        "-o",          "out.csv"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        int at_jump = 0;
        for (const std::vector<double>& row : numbers_in("out.csv")) {
            const double t = row[0];
            if (t == 0.75) ++at_jump;
            const double y = t <= 0.75 ? ramp(t) : ramp(0.75) * std::exp(-2 * (t - 0.75));
            EXPECT_NEAR(row[1], y, form.tolerance) << "t = " << t;
        }
        EXPECT_EQ(at_jump, 2) << "before and after";
    }
}

TEST_F(Simulate, WhatAnFmuPrintsIsNotInTheOutput) {
    for (const bool isolated : {false, true}) {
        std::vector<std::string> arguments = {"simulate", RUBATO_FMUS "/misuse/prints.fmu",
                                              "--no-record"};
        if (isolated) arguments.emplace_back("--isolate");
        const Outcome outcome = rubato(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_THAT(outcome.out, StartsWith("prints completed at t = 1 s"));
        EXPECT_THAT(outcome.out, Not(HasSubstr("printed by the FMU")));
        EXPECT_THAT(outcome.err, HasSubstr("printed by the FMU"));
    }
}

TEST_F(Simulate, FilesThatAnFmuWritesAreNamed) {
    const std::vector<std::string> arguments = {"simulate", RUBATO_FMUS "/misuse/writes-a-file.fmu",
                                                "-v", "-o", "out.csv"};
    EXPECT_THAT(rubato(arguments).err,
                HasSubstr("new in the working directory, written by FMUs or by others: "
                          "left-behind.txt\n"));
    EXPECT_EQ(read("left-behind.txt"), "written by the FMU");
    EXPECT_THAT(rubato(arguments).err, Not(HasSubstr("left-behind.txt")));
}

TEST_F(Simulate, FilesThatAnIsolatedFmuWritesDoNotStay) {
    const Outcome outcome = rubato(
        {"simulate", RUBATO_FMUS "/misuse/writes-a-file.fmu", "-v", "--isolate", "-o", "out.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, Not(HasSubstr("left-behind.txt")));
    EXPECT_THAT(files(), Not(Contains(HasSubstr("left-behind"))));
}

TEST_F(Simulate, AnIsolatedFmuIsFoundByARelativePath) {
    std::filesystem::copy_file(msd1, path("mein msd.fmu"));
    const Outcome outcome =
        rubato({"simulate", "mein msd.fmu", "--isolate", "-o", "neuer Ordner/out.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(line_count("neuer Ordner/out.csv"), 102u);
}

TEST_F(Simulate, RecordsWithinStepsWhatTheFmuTellsThere) {
    constexpr auto ball = RUBATO_FMUS "/fmi3/bouncing_ball.fmu";
    const auto run = [&](const std::string& type) {
        return rubato({"simulate", ball, "--type", type, "--stop", "0.4", "--step", "0.2",
                       "--intermediate", "3", "--set", "inner_step=0.05", "--record", "h",
                       "--record", "bounces", "-o", type + ".csv"});
    };
    for (const char* type : {"cs", "me"}) {
        EXPECT_EQ(run(type).code, 0);
        const std::string file = std::string(type) + ".csv";
        ASSERT_EQ(line_count(file), 1u + 1 + 2 * 4) << type;
        EXPECT_THAT(read(file), HasSubstr("\n0.1,0.9509")) << type; // 1 - 9.81/2·0.1²
    }
}

TEST_F(Simulate, SaysWhereThereIsNothingToRecordWithinSteps) {
    const Outcome outcome = rubato({"simulate", msd1, "--type", "cs", "--intermediate", "3"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("nothing is recorded within steps: unit"));
    EXPECT_EQ(line_count("results/msd1.csv"), 102u);
}

TEST_F(Simulate, NamesWhatTheFmuDoesNotTellWithinSteps) {
    constexpr auto ball = RUBATO_FMUS "/fmi3/bouncing_ball.fmu";
    const Outcome outcome = rubato({"simulate", ball, "--stop", "0.4", "--step", "0.2",
                                    "--intermediate", "3", "--record", "bounces"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("nothing is recorded within steps: unit \"model\" "
                                       "does not provide bounces there"));
    const Outcome solved = rubato({"simulate", ball, "--type", "me", "--stop", "0.4", "--step",
                                   "0.2", "--intermediate", "3", "--record", "bounces"});
    EXPECT_THAT(solved.err, HasSubstr("within steps of unit \"model\" nothing but events is "
                                      "recorded"));
}

/// Within a step and at the end of one. The first bounce is at t = 0.4515… s.
TEST_F(Simulate, RecordsBothSidesOfEventsWithinStepsOfModelExchange) {
    for (const std::string form : {"fmi2", "fmi3", "fmi1_me"}) {
        for (const std::string isolate : {"--isolate", "-q"}) {
            const Outcome outcome =
                rubato({"simulate", RUBATO_FMUS "/" + form + "/bouncing_ball.fmu", "--type", "me",
                        isolate, "--stop", "0.6", "--step", "0.2", "--record", "bounces",
                        "--record", "v", "-o", "ball.csv", "--force"});
            ASSERT_EQ(outcome.code, 0) << outcome.err;
            const auto rows = numbers_in("ball.csv");
            ASSERT_EQ(rows.size(), 6u) << form;
            EXPECT_EQ(rows[3][0], rows[4][0]);
            EXPECT_NEAR(rows[3][0], std::sqrt(2 / 9.81), 1e-5);
            EXPECT_EQ(rows[3][1], 0);
            EXPECT_EQ(rows[4][1], 1);
            EXPECT_NEAR(rows[4][2], -0.7 * rows[3][2], 1e-6);
        }
    }
    const Outcome outcome = rubato({"simulate", RUBATO_FMUS "/fmi2/stair.fmu", "--type", "me",
                                    "--stop", "2", "--step", "0.5", "-o", "stair.csv"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read("stair.csv"), "time,count\n0,0\n0.5,0\n1,0\n1,1\n1.5,1\n2,1\n2,2\n");
}

TEST_F(Simulate, AnIsolatedFmuGivesTheSame) {
    EXPECT_EQ(rubato({"simulate", msd1, "-o", "inside.csv"}).code, 0);
    const Outcome outcome = rubato({"simulate", msd1, "--isolate", "-o", "isolated.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read("isolated.csv"), read("inside.csv"));
}

TEST_F(Simulate, AnIsolatedFmuThatHangsIsAFailedRun) {
    const Outcome outcome = rubato({"simulate", RUBATO_FMUS "/misuse/hangs.fmu", "--isolate",
                                    "--time-limit", "0.2", "--step", "0.2", "-o", "out.csv"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(
        outcome.err,
        HasSubstr("unit \"model\" failed in step at t = 0.4 s: it did not return within the "
                  "time limit of 0.2 s"));
    EXPECT_EQ(line_count("out.csv"), 4u);
}

TEST_F(Simulate, ATimeLimitIsForIsolatedFmusAndCorpora) {
    const Outcome outcome = rubato({"simulate", msd1, "--time-limit", "5"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("add --isolate"));
}

TEST_F(Simulate, ATableDrivesTheInputs) {
    write("in.csv", "\"time\",\"Fc\"\n0,0\n0.5,0\n0.5,8\n1,8\n");
    const Outcome outcome = rubato({"simulate", msd1, "--input", "in.csv", "--stop", "1", "--step",
                                    "0.25", "--set", "x1=0", "--record", "Fc", "-o", "out.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read("out.csv"), "time,Fc\n0,0\n0.25,0\n0.5,0\n0.5,8\n0.75,8\n1,8\n");
}

TEST_F(Simulate, TableColumnsTakeTheTypesOfTheInputs) {
    write("in.csv", "time,n,b,s,e\n0,1,0,4,2\n1,2,1,5,2\n");
    const Outcome outcome =
        rubato({"simulate", behaves, "--input", "in.csv", "--step", "0.5", "--record", "n",
                "--record", "b", "--record", "e", "-q", "-o", "out.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read("out.csv"), "time,n,b,e\n0,1,0,2\n0.5,1,0,2\n1,1,0,2\n1,2,1,2\n");
}

TEST_F(Simulate, SolvesByModelExchange) {
    for (const char* solver : {"cvode", "adams"}) {
        const Outcome outcome =
            rubato({"simulate", msd1, "--type", "me", "--solver", solver, "--tolerance", "1e-8",
                    "--stop", "1", "--step", "0.1", "--record", "x1", "-q", "-o", "out.csv"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        // x'' + x' + x = 0, x(0) = 1, x'(0) = 0
        const double w = std::sqrt(3) / 2;
        const double exact = std::exp(-0.5) * (std::cos(w) + std::sin(w) / (2 * w));
        EXPECT_NEAR(std::stod(last_line("out.csv").substr(2)), exact, 1e-6) << solver;
    }
}

TEST_F(Simulate, RefusesUnknownTypesAndSolvers) {
    EXPECT_THAT(rubato({"simulate", msd1, "--type", "mee"}).err,
                AllOf(HasSubstr("--type cannot be \"mee\""), HasSubstr("its values are: cs, me")));
    EXPECT_THAT(rubato({"simulate", msd1, "--solver", "cvoed"}).err,
                HasSubstr("did you mean \"cvode\"?"));
}

TEST_F(Simulate, ASolverForCoSimulationIsARemark) {
    const Outcome outcome =
        rubato({"simulate", msd1, "--type", "cs", "--solver", "cvode", "--no-record"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("the solver is not used"),
                                   HasSubstr("--type me runs the FMU by model exchange")));
}

TEST_F(Simulate, EnumerationsAreSetByTheNamesOfTheirItems) {
    const Outcome outcome = rubato({"simulate", behaves, "--set", "e=low", "--record", "e", "-q",
                                    "--step", "1", "-o", "out.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read("out.csv"), "time,e\n0,1\n1,1\n");
    const Outcome wrong = rubato({"simulate", behaves, "--set", "e=lo"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, AllOf(HasSubstr("\"lo\" is no value for e"),
                                 HasSubstr("did you mean \"low\"? its items are: low")));
}

TEST_F(Simulate, ATableHoldsTunableParameters) {
    write("in.csv", "time,u,p\n0,0,2\n1,4,5\n2,8,6\n");
    const Outcome outcome =
        rubato({"simulate", RUBATO_FMUS "/misuse/tunable.fmu", "-i", "in.csv", "--stop", "2",
                "--step", "0.5", "--record", "p", "-o", "out.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, Not(HasSubstr("not used")));
    EXPECT_EQ(read("out.csv"), "time,p\n0,2\n0.5,2\n1,2\n1,5\n1.5,5\n2,5\n2,6\n");
}

TEST_F(Simulate, FixedParametersDoNotFollowATable) {
    write("in.csv", "time,p\n0,2\n");
    const Outcome outcome = rubato({"simulate", behaves, "-i", "in.csv", "--no-record"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("column \"p\" is not used"));
}

TEST_F(Simulate, RecordsWhatAnotherFileHas) {
    write("ref.csv", "time,v1,nonsense\n0,1,1\n");
    const Outcome outcome = rubato({"simulate", msd1, "--stop", "1", "--step", "1",
                                    "--record-columns-of", "ref.csv", "-o", "out.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err,
                HasSubstr("not recorded, because the model has no such variables: nonsense"));
    EXPECT_THAT(read("out.csv"), StartsWith("time,v1\n"));
}

TEST_F(Simulate, ReportsWhatIsWrong) {
    const auto error = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"simulate", msd1});
        const Outcome outcome = rubato(options);
        EXPECT_EQ(outcome.code, 2);
        return outcome.err;
    };
    EXPECT_THAT(error({"--set", "m=3"}),
                AllOf(HasSubstr("--set m=3: the model has no variable \"m\""),
                      HasSubstr("did you mean \"m1\"?")));
    EXPECT_THAT(error({"--set", "m1=heavy"}),
                HasSubstr("\"heavy\" is no value for m1, which is of type float64"));
    EXPECT_THAT(error({"--set", "m1"}), HasSubstr("names no value"));
    EXPECT_THAT(error({"--step", "-1"}), HasSubstr("it must be positive"));
    EXPECT_THAT(error({"--record", "z"}), HasSubstr("no variable \"z\""));
    EXPECT_THAT(error({"--input", "none.csv"}), HasSubstr("none.csv\" cannot be read"));
    write("in.csv", "time,Fc\n0,x\n");
    EXPECT_THAT(error({"--input", "in.csv"}),
                HasSubstr("in.csv:2: \"x\" in column \"Fc\" is not a finite number"));
}

TEST_F(Simulate, WarnsOfColumnsThatAreNoInputs) {
    write("in.csv", "time,Fx\n0,1\n");
    const Outcome outcome = rubato({"simulate", msd1, "--input", "in.csv", "--no-record"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("in.csv:1"), HasSubstr("column \"Fx\" is not used"),
                                   HasSubstr("did you mean \"Fc\"?")));
}

TEST_F(Simulate, AnFmuThatFailsKeepsTheResultsSoFar) {
    const Outcome outcome = rubato({"simulate", RUBATO_FMUS "/misuse/fails-in-step.fmu", "--stop",
                                    "2", "--step", "0.4", "-o", "out.csv"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("unit \"model\" failed in fmi2DoStep"),
                                   HasSubstr("the results up to t = ")));
    EXPECT_GT(line_count("out.csv"), 1u);
}

} // namespace
} // namespace rubato::cli
