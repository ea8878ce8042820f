// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Outcome;

constexpr auto pair = R"(rubato: 1
name: pair
units:
  one: {model: msd1, parameters: {c1: 5.0}}
  two: {model: msd2}
connections: [one.x1 -> two.x1, one.v1 -> two.v1, two.Fc -> one.Fc]
experiment: {stop: 1, step: 0.1}
algorithm: jacobi
)";

/// `--parameters` of the commands that read scenarios.
class Parameters : public testing::Program {
protected:
    Parameters() { write("pair.yaml", pair); }

    /// The results with a file of parameters.
    std::string results(const std::string& file, std::vector<std::string> more = {}) {
        return run_with([&] {
            std::vector<std::string> arguments{"--parameters", file};
            arguments.insert(arguments.end(), more.begin(), more.end());
            return arguments;
        }());
    }

    std::string run_with(std::vector<std::string> more) {
        std::vector<std::string> arguments{"run", "pair.yaml", "-o", "out.csv", "-q"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = rubato(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return read("out.csv");
    }

    std::string refused(const std::string& file, const std::string& text) {
        write(file, text);
        const Outcome outcome = rubato({"check", "pair.yaml", "--parameters", file});
        EXPECT_EQ(outcome.code, 2) << text;
        return outcome.err;
    }
};

TEST_F(Parameters, EachFormatGivesTheResultsOfSet) {
    const std::string expected = run_with(
        {"--set", "one.m1=2.5", "--set", "one.x1=0.5", "--set", "two.cc=3", "--step", "0.05"});
    write("flat.yaml", "one.m1: 2.5\none.x1: 0.5\ntwo.cc: 3\nexperiment.step: 0.05\n");
    EXPECT_EQ(results("flat.yaml"), expected);
    write("nested.yaml", "one: {m1: 2.5, x1: 0.5}\nunits: {two: {parameters: {cc: "
                         "3}}}\nexperiment:\n  step: 0.05\n");
    EXPECT_EQ(results("nested.yaml"), expected);
    write("table.csv", "name,value\none.m1, 2.5\none.x1,0.5\n\ntwo.cc,3\nexperiment.step,0.05\n");
    EXPECT_EQ(results("table.csv"), expected);
    write("set.ssv", R"(<?xml version="1.0"?>
<ssv:ParameterSet xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0" name="set">
 <ssv:Parameters>
  <ssv:Parameter name="one.m1"><ssv:Real value="2500" unit="g"/></ssv:Parameter>
  <ssv:Parameter name="one.x1"><ssv:Real value="0.5"/></ssv:Parameter>
  <ssv:Parameter name="two.cc"><ssv:Real value="3"/></ssv:Parameter>
 </ssv:Parameters>
</ssv:ParameterSet>)");
    EXPECT_EQ(results("set.ssv", {"--step", "0.05"}), expected) << "2500 g are 2.5 kg";
}

TEST_F(Parameters, LaterFilesOverrideEarlierOnesAndOptionsOverrideFiles) {
    write("a.yaml", "one.m1: 9\ntwo.cc: 9\none.c1: 4\n");
    write("b.csv", "one.m1,2\n");
    EXPECT_EQ(results("a.yaml", {"--parameters", "b.csv", "--set", "two.cc=3"}),
              run_with({"--set", "one.m1=2", "--set", "two.cc=3", "--set", "one.c1=4"}));
}

TEST_F(Parameters, WhatIsWrongIsNamedWithFileAndLine) {
    EXPECT_THAT(refused("v.yaml", "one.m1: 1\none.m9: 2\n"),
                AllOf(HasSubstr("v.yaml:2"), HasSubstr("m9")));
    EXPECT_THAT(refused("v.yaml", "\nthree.m: 1\n"),
                AllOf(HasSubstr("v.yaml:2"), HasSubstr("three")));
    EXPECT_THAT(refused("v.yaml", "one.m1: heavy\n"),
                AllOf(HasSubstr("v.yaml:1"), HasSubstr("heavy")));
    EXPECT_THAT(refused("v.yaml", "one: {m1: 1}\none.m1: 2\n"),
                HasSubstr("v.yaml:2: \"one.m1\" has two values; the first one is in line 1"));
    EXPECT_THAT(refused("v.yaml", "one.m1:\n"), HasSubstr("the value of \"one.m1\" must be"));
    EXPECT_THAT(refused("v.yaml", "- one.m1\n"), HasSubstr("a file of parameters is a map"));
    EXPECT_THAT(refused("v.yaml", ""), HasSubstr("v.yaml: holds no values"));
    EXPECT_THAT(refused("v.yaml", "one: {m1\n"), HasSubstr("v.yaml:"));
    EXPECT_THAT(refused("v.csv", "one.m1,1\none.m1,1\n"),
                HasSubstr("v.csv:2: \"one.m1\" has two values"));
    EXPECT_THAT(refused("v.csv", "one.m1\ntwo.cc,1,2\n"),
                AllOf(HasSubstr("v.csv:1: the row has 1 instead of two cells"),
                      HasSubstr("v.csv:2: the row has 3")));
    EXPECT_THAT(refused("v.csv", "one.m1,\n"), HasSubstr("v.csv:1: \"one.m1\" has no value"));
    EXPECT_THAT(refused("v.csv", ",3\n"), HasSubstr("v.csv:1: a value has no name"));
    EXPECT_THAT(refused("v.csv", "\"one.m1,3\n"), HasSubstr("v.csv"));
    EXPECT_THAT(refused("v.ssv", "<Other/>"), HasSubstr("<Other> instead of <ParameterSet>"));
    EXPECT_THAT(refused("v.ssv", "<ParameterSet"), HasSubstr("v.ssv"));
    EXPECT_THAT(refused("v.ssv", "<ParameterSet version=\"1.0\" name=\"s\"><Parameters>\n"
                                 "<Parameter name=\"one.m1\"><Real value=\"1\" unit=\"m\"/>"
                                 "</Parameter></Parameters></ParameterSet>"),
                AllOf(HasSubstr("v.ssv:2"), HasSubstr("cannot be converted to \"kg\"")));
    EXPECT_THAT(refused("v.txt", "one.m1=3\n"), HasSubstr("must end in .yaml, .csv or .ssv"));
    const Outcome none = rubato({"run", "pair.yaml", "--parameters", "none.yaml"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("none.yaml"));
}

} // namespace
} // namespace rubato::cli
