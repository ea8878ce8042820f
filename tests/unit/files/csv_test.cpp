// SPDX-License-Identifier: Apache-2.0
#include <rubato/files/csv.hpp>

#include <gmock/gmock.h>

namespace rubato::files {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> row_of(std::string_view text) {
    CsvReader reader(text, "t.csv");
    std::vector<std::string> cells;
    reader.read_row(cells);
    return cells;
}

TEST(CsvReader, TakesRowsApart) {
    CsvReader reader("a,b\r\n1,\n2", "t.csv");
    std::vector<std::string> cells;
    reader.read_row(cells);
    EXPECT_THAT(cells, ElementsAre("a", "b"));
    reader.read_row(cells);
    EXPECT_THAT(cells, ElementsAre("1", ""));
    EXPECT_FALSE(reader.is_unfinished());
    reader.read_row(cells);
    EXPECT_THAT(cells, ElementsAre("2"));
    EXPECT_EQ(to_string(reader.where()), "t.csv:3");
    EXPECT_TRUE(reader.is_unfinished());
    EXPECT_TRUE(reader.at_end());
}

TEST(CsvReader, PassesOverBlanksAroundQuotesAndAByteOrderMark) {
    EXPECT_THAT(row_of("\xEF\xBB\xBF\"time\", \"a,b\" ,c \n"), ElementsAre("time", "a,b", "c "));
}

TEST(Csv, NumbersAreReadWhateverTheirDress) {
    EXPECT_EQ(parse_real(" +1.5e3 "), 1500);
    EXPECT_EQ(parse_real("-.5"), -0.5);
    EXPECT_EQ(parse_integer("\t-7"), -7);
    for (const auto* text : {"", "1,5", "1 2", "+-1", "x", "1.5.2"}) EXPECT_FALSE(parse_real(text));
    EXPECT_FALSE(parse_integer("1.0"));
}

TEST(Csv, TrimmingTakesBlanksFromBothEnds) {
    EXPECT_EQ(trimmed("  a b\t"), "a b");
    EXPECT_EQ(trimmed("  "), "");
}

} // namespace
} // namespace rubato::files
