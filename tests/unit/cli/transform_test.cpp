// SPDX-License-Identifier: Apache-2.0
#include "run_fixture.hpp"

#include <gmock/gmock.h>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Outcome;
using ::testing::UnorderedElementsAre;

class Transform : public Run {};

TEST_F(Transform, WritesAScenarioThatRunsLikeTheOneBefore) {
    const Outcome outcome = rubato({"transform", "s.yaml", "--algorithm", "iterated-jacobi", "-o",
                                    "folder/trivial.yaml", "--explain"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("causality\n  nothing to do\n"),
                                   HasSubstr("loop-one-two: one, two solved by iterated-jacobi")));
    EXPECT_EQ(rubato({"run", "folder/trivial.yaml", "-o", "trivial.csv"}).code, 0);
    rubato({"run", "s.yaml", "--algorithm", "iterated-jacobi", "-o", "own.csv"});
    const std::string found = read("trivial.csv"), own = read("own.csv");
    EXPECT_EQ(found.substr(found.find('\n')), own.substr(own.find('\n')));
}

TEST_F(Transform, WritesToStandardOutput) {
    const Outcome outcome = rubato({"transform", "s.yaml"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("# Written by rubato transform from s.yaml: nothing was to "
                                       "be done.\nrubato: 1\n"));
}

TEST_F(Transform, ReplacesAFileOnlyByForceAndNeverItsOwn) {
    write("out.yaml", "precious");
    const Outcome refused = rubato({"transform", "s.yaml", "-o", "out.yaml"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("out.yaml exists already"), HasSubstr("--force")));
    EXPECT_EQ(read("out.yaml"), "precious");
    EXPECT_EQ(rubato({"transform", "s.yaml", "-o", "out.yaml", "--force"}).code, 0);
    EXPECT_EQ(rubato({"transform", "s.yaml", "-o", "s.yaml", "--force"}).code, 2);
}

TEST_F(Transform, NamesConcernsItDoesNotKnow) {
    const Outcome outcome = rubato({"transform", "s.yaml", "--only", "loops,speed"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("there is no concern \"speed\""),
                                   HasSubstr("causality, loops, accuracy, communication")));
}

TEST_F(Transform, WritesNothingWhereItFails) {
    write("bad.yaml", std::string(scenario) + "machines: {left: [one]}\n");
    const Outcome outcome = rubato({"transform", "bad.yaml", "-o", "out.yaml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("bad.yaml"), HasSubstr("is on no machine")));
    EXPECT_THAT(files(), UnorderedElementsAre("s.yaml", "bad.yaml"));
}

} // namespace
} // namespace rubato::cli
