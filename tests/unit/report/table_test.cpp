// SPDX-License-Identifier: Apache-2.0
#include "temporary_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/report/metadata.hpp>
#include <rubato/report/table.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rubato::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

class ReadCsv : public ::testing::Test {
protected:
    Table read(std::string_view content) const {
        testing::write_file(folder_ / "r.csv", content);
        return read_csv(folder_ / "r.csv");
    }
    template <class Call>
    std::string message_of(Call call) const {
        try {
            call();
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    }
    std::string problem_of(std::string_view content) const {
        return message_of([&] { read(content); });
    }

    TemporaryFolder folder_;
};

TEST_F(ReadCsv, ReadsColumnsByName) {
    const Table table = read("time,a.x\n0,1.5\n0.5,-2e-3\n");
    EXPECT_THAT(table.values("time"), ElementsAre(0, 0.5));
    EXPECT_THAT(table.values("a.x"), ElementsAre(1.5, -2e-3));
}

TEST_F(ReadCsv, TakesQuotesCarriageReturnsAndAMissingLastLineBreak) {
    const Table table = read("\"time\",\"a \"\"b\"\", c\"\r\n0,\"1\"\r\n1,2");
    EXPECT_THAT(table.values("a \"b\", c"), ElementsAre(1, 2));
}

TEST_F(ReadCsv, AnEmptyCellIsNotANumberAndNoFault) {
    EXPECT_TRUE(std::isnan(read("t,x\n0,\n").values("x")[0]));
}

TEST_F(ReadCsv, AHeaderAloneIsATableWithoutRows) {
    EXPECT_THAT(read("time,x\n").values("x"), IsEmpty());
}

TEST_F(ReadCsv, AnIncompleteLastRowIsLeftOutWithARemark) {
    const Table table = read("time,x\n0,1\n0.");
    EXPECT_THAT(table.values("x"), ElementsAre(1));
    EXPECT_THAT(table.incomplete_row(), HasSubstr("r.csv:3: the last row is incomplete"));
    EXPECT_THAT(read("time,x\n0,1\n1,2").incomplete_row(), IsEmpty()) << "a file of others";
}

/// Rubato ends every row with a line end: without it a number or a quoted text may be cut.
TEST_F(ReadCsv, ALastRowOfResultsWithoutLineEndIsIncomplete) {
    write_metadata({}, folder_ / "r.csv");
    EXPECT_THAT(read("time,x\n0,1.5\n").incomplete_row(), IsEmpty());
    for (const char* cut : {"1,2.", "1,2.5", "1", "1,\"two\nlin", "1,\"two\""}) {
        const Table table = read(std::string("time,x\n0,1.5\n") + cut);
        EXPECT_THAT(table.values("x"), ElementsAre(1.5)) << cut;
        EXPECT_THAT(table.incomplete_row(), HasSubstr("r.csv:3: the last row is incomplete"))
            << cut;
    }
}

TEST_F(ReadCsv, NamesTheLineOfARaggedRow) {
    EXPECT_THAT(problem_of("time,x\n0,1\n1\n2,3\n"), HasSubstr("r.csv:3: 1 cells in a table of 2"));
    EXPECT_THAT(problem_of("time,x\n0,1,2\n"), HasSubstr("r.csv:2: 3 cells"));
}

TEST_F(ReadCsv, LineBreaksWithinQuotesCountAsLines) {
    EXPECT_THAT(problem_of("time,\"x\ny\"\n0,1\n1\n2,2\n"), HasSubstr("r.csv:4:"));
}

TEST_F(ReadCsv, NamesTheLineOfAnOpenQuote) {
    EXPECT_THAT(problem_of("time,x\n0,\"1\n"), HasSubstr("r.csv:2: a cell begins with a quote"));
}

TEST_F(ReadCsv, TextIsAFaultOnlyInAColumnThatIsAskedFor) {
    const Table table = read("time,mode,x\n0,1,1\n1,idle,2\n");
    EXPECT_THAT(table.values("x"), ElementsAre(1, 2));
    EXPECT_THAT(message_of([&] { table.values("mode"); }),
                HasSubstr("r.csv:3: \"idle\" in column \"mode\" is not a number"));
}

TEST_F(ReadCsv, SuggestsAColumn) {
    const Table table = read("time,msd1.x1\n");
    EXPECT_THAT(message_of([&] { table.values("msd1.x2"); }),
                AllOf(HasSubstr("no column \"msd1.x2\""), HasSubstr("did you mean \"msd1.x1\"")));
}

TEST_F(ReadCsv, RefusesWhatIsNotATable) {
    EXPECT_THAT(problem_of(""), HasSubstr("is empty"));
    EXPECT_THAT(problem_of("x,x\n"), HasSubstr("two columns are named \"x\""));
    EXPECT_THAT(message_of([&] { read_csv(folder_ / "none.csv"); }),
                AllOf(HasSubstr("none.csv"), HasSubstr("No such file")));
    EXPECT_THAT(message_of([&] { read_csv(folder_.path()); }), HasSubstr("is a folder"));
}

} // namespace
} // namespace rubato::report
