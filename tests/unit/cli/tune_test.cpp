// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Outcome;
using ::testing::StartsWith;

constexpr auto tuned_pair = R"(rubato: 1
name: pair
units:
  one: {model: msd1, parameters: {c1: 5.0, solver: 3}}
  two: {model: msd2, parameters: {c2: 0.1, solver: 3}}
connections: [one.x1 -> two.x1, one.v1 -> two.v1, two.Fc -> one.Fc]
experiment: {stop: 5, step: 0.01}
algorithm: jacobi
)";

class TuneCommand : public testing::Program {
protected:
    TuneCommand() { write("tuned_pair.yaml", tuned_pair); }
};

TEST_F(TuneCommand, WritesAScenarioWithReasonsThatRuns) {
    const Outcome outcome = rubato({"tune", "tuned_pair.yaml", "--tolerance", "1e-2", "--minimize",
                                    "unit-steps", "-o", "out/tuned.yaml", "--picture", "t.svg"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("<- chosen"), HasSubstr("reference: "),
                                   HasSubstr("out/tuned.yaml")));
    EXPECT_THAT(read("out/tuned.yaml"),
                AllOf(StartsWith("# Tuned from tuned_pair.yaml"), HasSubstr("#   chosen: "),
                      HasSubstr("#   before: as given")));
    EXPECT_THAT(read("t.svg"), HasSubstr("</svg>"));
    const Outcome run = rubato({"run", "out/tuned.yaml", "--no-record"});
    EXPECT_EQ(run.code, 0) << run.err;
}

TEST_F(TuneCommand, AToleranceThatNothingMeetsShowsTheBest) {
    const Outcome outcome = rubato(
        {"tune", "tuned_pair.yaml", "--tolerance", "1e-14", "--budget", "4s", "-o", "tuned.yaml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("nothing that was tried meets the tolerance of 1e-14"),
                                   HasSubstr("the least error is")));
    EXPECT_FALSE(std::filesystem::exists(path("tuned.yaml")));
}

TEST_F(TuneCommand, BadInputIsNamedAndNothingIsWritten) {
    write("there.yaml", tuned_pair);
    const struct {
        std::vector<std::string> arguments;
        const char* text;
    } cases[] = {
        {{"--budget", "soon", "-o", "t.yaml"}, "--budget soon is not a time"},
        {{"--budget", "-3s", "-o", "t.yaml"}, "--budget -3s is not a time"},
        {{"--budget", "1e-3s", "-o", "t.yaml"}, "too small for one run"},
        {{"--tolerance", "0", "-o", "t.yaml"}, "a tolerance of 0 makes no sense"},
        {{"-o", "t.txt"}, "tune writes YAML"},
        {{"-o", "t.yaml", "--picture", "t.png"}, "the picture is SVG"},
        {{"-o", "there.yaml"}, "there.yaml exists"},
        {{"-o", "tuned_pair.yaml", "--force"}, "is the scenario that is to be tuned"},
    };
    for (const auto& [arguments, text] : cases) {
        std::vector<std::string> all = {"tune", "tuned_pair.yaml"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Outcome outcome = rubato(all);
        EXPECT_EQ(outcome.code, 2) << text;
        EXPECT_THAT(outcome.err, HasSubstr(text));
        EXPECT_FALSE(std::filesystem::exists(path("t.yaml")));
    }
    EXPECT_EQ(read("tuned_pair.yaml"), tuned_pair);
}

} // namespace
} // namespace rubato::cli
