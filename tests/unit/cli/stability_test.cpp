// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Outcome;

constexpr auto stable_pair = R"(rubato: 1
name: pair
units:
  one: {model: msd1, parameters: {d1: 0.1, solver: 3}}
  two: {model: msd2, parameters: {d2: 0.05, dc: 0.0, solver: 3}}
connections: [one.x1 -> two.x1, one.v1 -> two.v1, two.Fc -> one.Fc]
experiment: {stop: 10, step: 0.05}
algorithm: jacobi
)";

class Stability : public testing::Program {
protected:
    Stability() { write("stable_pair.yaml", stable_pair); }
};

TEST_F(Stability, ShowsEigenvaluesAndWhereTheyComeFrom) {
    const Outcome outcome = rubato({"stability", "stable_pair.yaml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("stable: spectral radius 0."),
                                   HasSubstr("two.Fc -> one.Fc"), HasSubstr("3 inputs perturbed")));
    EXPECT_THAT(outcome.out, Not(HasSubstr("not sure")));
}

TEST_F(Stability, LongStepsAreUnstableAndThePictureShowsIt) {
    const Outcome outcome =
        rubato({"stability", "stable_pair.yaml", "--step", "0.8", "-o", "pictures/modes.svg"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("unstable: spectral radius 1."));
    EXPECT_THAT(read("pictures/modes.svg"),
                AllOf(HasSubstr("class=\"unit-circle\""), HasSubstr("class=\"unstable\"")));
}

TEST_F(Stability, FindsTheLargestStepOfEveryAlgorithm) {
    const Outcome outcome = rubato({"stability", "stable_pair.yaml", "--largest-step"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, ContainsRegex("jacobi .chosen. +0\\.9[0-9]+ +0\\.[0-9]+"));
    EXPECT_THAT(outcome.out, HasSubstr("iterated-gauss-seidel"));
}

TEST_F(Stability, BadInputIsNamedAndNothingIsWritten) {
    const Outcome late = rubato({"stability", "stable_pair.yaml", "--at", "11", "-o", "a.svg"});
    EXPECT_EQ(late.code, 2);
    EXPECT_THAT(late.err, AllOf(HasSubstr("t = 11 s is not within the experiment"),
                                HasSubstr("from 0 to 10 s")));
    const Outcome picture = rubato({"stability", "stable_pair.yaml", "-o", "a.png"});
    EXPECT_EQ(picture.code, 2);
    EXPECT_THAT(picture.err, HasSubstr(".svg"));
    const std::string fmu = std::string(RUBATO_FMUS) + "/fmi1/msd1.fmu";
    write("old.yaml", "rubato: 1\nunits:\n  one: {fmu: " + fmu +
                          "}\n  two: {model: msd2}\nconnections: [one.x1 -> two.x1, one.v1 -> "
                          "two.v1, two.Fc -> one.Fc]\nalgorithm: jacobi\n");
    const Outcome old = rubato({"stability", "old.yaml", "-o", "a.svg"});
    EXPECT_EQ(old.code, 1);
    EXPECT_THAT(old.err, HasSubstr("1 unit cannot save its state: one"));
    EXPECT_FALSE(std::filesystem::exists(path("a.svg")));
}

} // namespace
} // namespace rubato::cli
