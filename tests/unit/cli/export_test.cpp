// SPDX-License-Identifier: Apache-2.0
#include "run_fixture.hpp"

#include <gmock/gmock.h>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Outcome;
using ::testing::UnorderedElementsAre;

class Export : public Run {};

TEST_F(Export, WritesAnFmuThatRunsLikeTheScenario) {
    for (const std::string version : {"2", "3"}) {
        const Outcome outcome =
            rubato({"export", "s.yaml", "-o", version + ".fmu", "--fmi", version});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr(version + ".fmu: 0 inputs, 5 outputs"));
        EXPECT_EQ(rubato({"validate", version + ".fmu"}).code, 0);
        EXPECT_EQ(rubato({"simulate", version + ".fmu", "-o", version + ".csv"}).code, 0);
        rubato({"run", "s.yaml", "-o", "own.csv"});
        EXPECT_EQ(read(version + ".csv"), read("own.csv"));
    }
}

TEST_F(Export, TakesSettings) {
    rubato({"export", "s.yaml", "--set", "one.c1=7", "--step", "0.05"});
    EXPECT_EQ(rubato({"simulate", "pair.fmu", "-o", "fmu.csv"}).code, 0);
    rubato({"run", "s.yaml", "--set", "one.c1=7", "--step", "0.05", "-o", "own.csv"});
    EXPECT_EQ(read("fmu.csv"), read("own.csv"));
}

TEST_F(Export, OfTheSameScenarioIsTheSameFile) {
    rubato({"export", "s.yaml", "-o", "a.fmu"});
    rubato({"export", "s.yaml", "-o", "b.fmu"});
    EXPECT_EQ(read("a.fmu"), read("b.fmu"));
}

TEST_F(Export, ReplacesAFileOnlyByForce) {
    write("pair.fmu", "precious");
    const Outcome refused = rubato({"export", "s.yaml"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("\"pair.fmu\" exists"), HasSubstr("--force")));
    EXPECT_EQ(read("pair.fmu"), "precious");
    EXPECT_EQ(rubato({"export", "s.yaml", "--force"}).code, 0);
    EXPECT_NE(read("pair.fmu"), "precious");
    EXPECT_THAT(files(), UnorderedElementsAre("s.yaml", "pair.fmu"));
}

TEST_F(Export, NamesProblemsOfTheInterface) {
    write("bad.yaml", std::string(scenario) + "interface: {outputs: {y: one.x9}}\n");
    const Outcome outcome = rubato({"export", "bad.yaml", "-o", "out.fmu"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err,
                AllOf(HasSubstr("bad.yaml"), HasSubstr("unit \"one\" has no variable \"x9\"")));
    EXPECT_THAT(files(), UnorderedElementsAre("s.yaml", "bad.yaml"));
}

} // namespace
} // namespace rubato::cli
