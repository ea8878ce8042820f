// SPDX-License-Identifier: Apache-2.0
#include "run_fixture.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

class Check : public Run {};

TEST_F(Check, ShowsWhatWasUnderstood) {
    const Outcome outcome = rubato({"check", "s.yaml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("Units"), HasSubstr("native model"), HasSubstr("one.x1  → two.x1"),
                      HasSubstr("reactive (set by the algorithm)"),
                      HasSubstr("(from the model description)"), HasSubstr("in each step: none"),
                      HasSubstr("s.yaml can be run")));
    EXPECT_THAT(files(), UnorderedElementsAre("s.yaml"));
}

TEST_F(Check, NamesTheLoops) {
    const Outcome outcome = rubato({"check", "s.yaml", "--algorithm", "iterated-jacobi"});
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("in each step: "), HasSubstr("two.Fc"),
                      HasSubstr("iterated until converged"), Not(HasSubstr("in each step: none"))));
}

TEST_F(Check, ProbingConfirmsRightContracts) {
    const Outcome outcome = rubato({"check", "s.yaml", "--probe"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("Probed (initializing, t = 0 s, t = 0.1 s, t = 1 s, t = 2 s)"),
                      HasSubstr("two.x1  Fc               Fc\n"),
                      HasSubstr("of 3 inputs: 3 as declared, 0 different, 0 not probed"),
                      HasSubstr("s.yaml can be run")));
    EXPECT_THAT(files(), UnorderedElementsAre("s.yaml"));
}

TEST_F(Check, ProbingContradictsWrongContracts) {
    write("w.yaml", R"(rubato: 1
units:
  one: {model: msd1, outputs: {x1: {feedthrough: [Fc]}}}
  two: {model: msd2, outputs: {Fc: {feedthrough: []}}}
connections: [one.x1 -> two.x1, one.v1 -> two.v1, two.Fc -> one.Fc]
)");
    EXPECT_EQ(rubato({"check", "w.yaml"}).code, 0) << "it is not probed unasked";
    const Outcome outcome = rubato({"check", "w.yaml", "--probe"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("one.Fc  nothing          x1        differs\n"),
                      HasSubstr("two.x1  Fc               nothing   differs\n"),
                      HasSubstr("w.yaml:3: note: unit \"one\": declared, but not seen"),
                      Not(HasSubstr("can be run"))));
    EXPECT_THAT(outcome.err, AllOf(StartsWith("rubato: w.yaml:4: output \"Fc\" of unit \"two\""),
                                   HasSubstr("write Fc: {feedthrough: [x1, v1]} under the outputs "
                                             "of unit \"two\"")));
}

TEST_F(Check, ProbingSaysWhenThereIsNothingToRun) {
    write("d.yaml", "rubato: 1\nunits: {a: {inputs: {u: {}}, outputs: {y: {}}}}\n");
    const Outcome outcome = rubato({"check", "d.yaml", "--probe"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("unit \"a\" is only declared: there is nothing to run"));
}

TEST_F(Check, SaysWhatCannotBeRun) {
    write("d.yaml", "rubato: 1\nunits: {a: {inputs: {u: {}}, outputs: {y: {}}}}\n");
    const Outcome outcome = rubato({"check", "d.yaml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("d.yaml cannot be run: unit \"a\" is only declared"),
                                   Not(HasSubstr("can be run"))));
}

TEST_F(Check, ProposesWhatWorksForAUnitThatCannotGoBack) {
    write("r.yaml", R"(rubato: 1
units:
  one: {fmu: )" RUBATO_FMUS R"(/misuse/cannot-save.fmu, inputs: {u: {contract: reactive}}}
  two: {model: msd1, inputs: {Fc: {contract: reactive}}}
connections: [one.y -> two.Fc, two.x1 -> one.u: {convert: false}]
)");
    const Outcome outcome = rubato({"check", "r.yaml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(
        outcome.err,
        AllOf(HasSubstr("r.yaml:3: unit \"one\" cannot save and restore its state, but must "
                        "go back at each repetition of the reactivity loop of one, two over "
                        "one.y, two.x1"),
              HasSubstr("instead: declare one.u delayed; or export it")));
    EXPECT_EQ(rubato({"run", "r.yaml", "--set", "units.one.inputs.u.contract=delayed"}).code, 0);
}

TEST_F(Check, FailsWithAllProblems) {
    write("bad.yaml", "rubato: 1\nunits: {a: {model: msd9}, b: {model: msd8}}\n");
    const Outcome outcome = rubato({"check", "bad.yaml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("msd9"), HasSubstr("msd8")));
}

} // namespace
} // namespace rubato::cli
