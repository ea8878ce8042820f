// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>

namespace rubato::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Outcome;

class Compare : public testing::Program {
protected:
    Compare() {
        write("reference.csv", "time,x,y,word\n0,0,1,a\n1,1,1,a\n2,2,1,a\n3,3,1,a\n4,4,1,a\n");
    }
};

TEST_F(Compare, ResultsAtOtherTimesAreWithinTheTube) {
    write("run.csv", "time,y,x\n0,1,0\n0.5,1,0.5\n3.25,1,3.26\n4,1,4\n");
    const Outcome outcome = rubato({"compare", "run.csv", "reference.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "2 variables within the tube: 1 % of their ranges, 0.2 % of the time\n"
                           "not compared: word\n");
}

TEST_F(Compare, EachVariableOutsideTheTubeIsShownWithItsFirstTime) {
    write("run.csv", "time,x,y\n0,0,1\n1,1,1\n2,2.5,1\n3,3.5,1.1\n4,4,1\n");
    const Outcome outcome = rubato({"compare", "run.csv", "reference.csv", "--tube", "0.01,0"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.out, "  outside the tube  from [s]  value  reference\n"
                           "  x                        2    2.5          2\n"
                           "  y                        3    1.1          1\n"
                           "2 of 2 variables outside the tube\n"
                           "not compared: word\n");
    EXPECT_EQ(rubato({"compare", "run.csv", "reference.csv", "--tube", "0.2"}).code, 0);
}

TEST_F(Compare, ValuesMayBeLateByTheTimeOfTheTube) {
    write("late.csv", "time,x\n0,0\n0.1,0\n1.1,1\n2.1,2\n3.1,3\n4,3.9\n");
    EXPECT_EQ(rubato({"compare", "late.csv", "reference.csv", "--tube", "1e-6,0.03"}).code, 0);
    EXPECT_EQ(rubato({"compare", "late.csv", "reference.csv", "--tube", "1e-6,0.02"}).code, 1);
}

TEST_F(Compare, ResultsEqualThemselves) {
    write("gaps.csv", "time,x,y\n0,,1\n1,nan,2\n1,3,inf\n2,3,1\n");
    const Outcome outcome = rubato({"compare", "gaps.csv", "gaps.csv", "--tube", "0,0"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
}

TEST_F(Compare, ResultsThatEndTooSoonAreOutside) {
    write("run.csv", "time,x\n0,0\n1,1\n2,2\n");
    const Outcome outcome = rubato({"compare", "run.csv", "reference.csv"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("run.csv ends at t = 2 s, before the reference"));
}

TEST_F(Compare, WhatCannotBeComparedIsRefused) {
    write("other.csv", "time,z\n0,0\n1,1\n");
    const Outcome other = rubato({"compare", "other.csv", "reference.csv"});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("no column of numbers in common"));
    for (const char* tube : {"wide", "0.1,late", "-1", "nan", "0.1,0.1,0.1"}) {
        const Outcome outcome = rubato({"compare", "other.csv", "other.csv", "--tube", tube});
        EXPECT_EQ(outcome.code, 2) << tube;
        EXPECT_THAT(outcome.err, HasSubstr("is not a tube")) << tube;
        EXPECT_THAT(outcome.out, IsEmpty());
    }
    EXPECT_EQ(rubato({"compare", "none.csv", "other.csv"}).code, 2);
    const auto refuses = [&](const char* text, const char* message) {
        write("bad.csv", text);
        const Outcome outcome = rubato({"compare", "bad.csv", "other.csv"});
        EXPECT_EQ(outcome.code, 2) << text;
        EXPECT_THAT(outcome.err, HasSubstr(message)) << text;
    };
    refuses("time,z\n", "bad.csv has no rows");
    refuses("time,z\n1,0\n0,0\n", "is not time: it decreases");
    refuses("time,z\n,0\n1,0\n", "is not time");
    refuses("time,z\nnow,0\n1,0\n", "is not time");
}

} // namespace
} // namespace rubato::cli
