// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Outcome;
using ::testing::StartsWith;

/// Columns in another order than the study's, and one that means nothing to it.
constexpr auto one_set = "cc,m1,d1,c1,m2,d2,c2,dc,note\n751,14,65,274,46,16,9162,980,1\n";

class Study : public testing::Program {};

TEST_F(Study, WritesScoresAndFigures) {
    write("sets.csv", one_set);
    const Outcome outcome = rubato({"study", "adaptive-order", "--parameters", "sets.csv",
                                    "--estimator", "input", "--output", "out/scores.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("1 parameter sets"), HasSubstr("input error"),
                                   HasSubstr("3 co-simulations"), HasSubstr("static order")));
    EXPECT_THAT(read("out/scores.csv"),
                AllOf(StartsWith("m1,d1,c1,m2,d2,c2,dc,cc,score,worst_freq,between_freq,"
                                 "best_freq,estimator\n14,65,274,46,16,9162,980,751,0.71189924"),
                      HasSubstr(",0.01,0.702,0.288,input\n")));
    for (const char* figure : {"5", "6", "7", "8"})
        EXPECT_THAT(read(std::string("out/scores-figure-") + figure + ".svg"), StartsWith("<svg"));
}

TEST_F(Study, ChainsAreComparedWithStaticOrders) {
    const Outcome outcome =
        rubato({"study", "adaptive-order", "--network", "chain", "--count", "1"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("16 static orders"), HasSubstr("u5 u4 u3 u2 u1"),
                                   HasSubstr("adaptive, by power transfer")));
}

TEST_F(Study, MissingColumnsAndMasslessMassesAreBadInput) {
    write("sets.csv", "m1,d1\n1,2\n");
    Outcome outcome = rubato({"study", "adaptive-order", "--parameters", "sets.csv"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("c1"));
    write("sets.csv", "m1,d1,c1,m2,d2,c2,dc,cc\n1,1,1,0,1,1,1,1\n");
    outcome = rubato({"study", "adaptive-order", "--parameters", "sets.csv"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err,
                AllOf(HasSubstr("m2 of set 1 is 0"), HasSubstr("a mass must be positive")));
    EXPECT_EQ(rubato({"study", "adaptive-order", "--estimator", "guess"}).code, 2);
    outcome = rubato({"study", "adaptive-order", "--network", "ring", "--inverted"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--inverted excludes --network"));
}

} // namespace
} // namespace rubato::cli
