// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;

constexpr auto chain = R"(rubato: 1
name: chain
units: {a: {model: node}, b: {model: node}, c: {model: node}, d: {model: node}}
connections: [a.y -> b.a, b.y -> c.a, c.y -> d.a]
experiment: {stop: 1, step: 0.1}
)";

class Place : public testing::Program {
protected:
    Place() { write("chain.yaml", chain); }

    /// A build without MPI has no METIS.
    bool lacks_metis() {
        return rubato({"place", "chain.yaml"}).err.find("rubato-mpi.so") != std::string::npos;
    }
};

TEST_F(Place, ShowsUnitsBalanceAndMessages) {
    if (lacks_metis()) GTEST_SKIP() << "no METIS";
    const Outcome outcome = rubato({"place", "chain.yaml", "-n", "2"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("chain on 2 ranks"), HasSubstr("50.0 %"),
                                   HasSubstr("1 times the mean"), HasSubstr("with 8 bytes")));
}

TEST_F(Place, WritesAScenarioThatIsPlacedTheSame) {
    if (lacks_metis()) GTEST_SKIP() << "no METIS";
    const Outcome outcome =
        rubato({"place", "chain.yaml", "-n", "3", "--set", "placement.d=0", "-o", "placed.yaml"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(read("placed.yaml"), AllOf(HasSubstr("placement:"), HasSubstr("  d: 0\n")));
    const Outcome again = rubato({"place", "placed.yaml", "-n", "3"});
    EXPECT_EQ(again.out, outcome.out);
    EXPECT_EQ(rubato({"run", "placed.yaml", "-q"}).code, 0);
    EXPECT_THAT(rubato({"place", "chain.yaml", "-o", "placed.yaml"}).err,
                HasSubstr("exists already"));
    EXPECT_THAT(rubato({"place", "chain.yaml", "-o", "chain.yaml"}).err,
                HasSubstr("is the scenario itself"));
}

TEST_F(Place, TakesCostsThatAreGivenOrMeasured) {
    if (lacks_metis()) GTEST_SKIP() << "no METIS";
    const Outcome given = rubato({"place", "chain.yaml", "-n", "2", "--cost", "a=3"});
    EXPECT_EQ(given.code, 0) << given.err;
    EXPECT_THAT(given.out, HasSubstr("50.0 %")); // a alone
    EXPECT_EQ(rubato({"place", "chain.yaml", "-n", "2", "--measure", "5"}).code, 0);
}

TEST_F(Place, OnOneRankNeedsNothing) {
    const Outcome outcome = rubato({"place", "chain.yaml", "-n", "1"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("chain on 1 rank\n"), HasSubstr("100.0 %")));
}

TEST_F(Place, RefusesWhatCannotBe) {
    const auto fault = [&](std::vector<std::string> options) {
        std::vector<std::string> all = {"place", "chain.yaml"};
        all.insert(all.end(), options.begin(), options.end());
        const Outcome outcome = rubato(all);
        EXPECT_EQ(outcome.code, 2);
        return outcome.err;
    };
    EXPECT_THAT(fault({"-n", "5"}), HasSubstr("5 processes are more than the 4 units"));
    EXPECT_THAT(fault({"-n", "0"}), HasSubstr("--ranks: 0 is not a positive number\n"));
    EXPECT_THAT(fault({"--set", "placement.e=0"}), HasSubstr("the scenario has no unit \"e\""));
    EXPECT_THAT(fault({"--set", "placement.a=2"}),
                HasSubstr("unit \"a\" is placed on rank 2, but there are 2 processes"));
    EXPECT_THAT(fault({"--cost", "e=1"}), HasSubstr("no unit \"e\""));
    EXPECT_THAT(fault({"--cost", "a=-1"}), HasSubstr("not a unit and a positive number"));
    EXPECT_THAT(fault({"--cost", "a"}), HasSubstr("write --cost winch=5"));
}

} // namespace
} // namespace rubato::cli
