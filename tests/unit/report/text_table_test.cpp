// SPDX-License-Identifier: Apache-2.0
#include <rubato/report/text_table.hpp>

#include <gtest/gtest.h>

namespace rubato::report {
namespace {

TEST(TextTable, AlignsColumnsByWhatIsSeen) {
    TextTable table({{"name"}, {"value", Align::right}, {"unit"}});
    table.add({"ω", "10", "rad/s"});
    table.add({"torque", "2.5"});
    EXPECT_EQ(table.to_string(), "  name    value  unit\n"
                                 "  ω          10  rad/s\n"
                                 "  torque    2.5\n");
}

TEST(TextTable, NeedsNoHeadings) {
    TextTable table({{""}, {""}});
    table.add({"a", "b"});
    EXPECT_EQ(table.to_string(0), "a  b\n");
}

TEST(HumanNumbers, AreShort) {
    EXPECT_EQ(human_count(7), "7");
    EXPECT_EQ(human_count(1000), "1 000");
    EXPECT_EQ(human_count(1234567), "1 234 567");
    EXPECT_EQ(human_number(0.1 + 0.2), "0.3");
    EXPECT_EQ(human_duration(0.0123), "12.3 ms");
    EXPECT_EQ(human_duration(2e-6), "2 µs");
    EXPECT_EQ(human_duration(4.567), "4.57 s");
    EXPECT_EQ(human_duration(185), "3 min 05 s");
    EXPECT_EQ(human_duration(3725), "1 h 02 min");
    EXPECT_EQ(plural(1, "unit"), "1 unit");
    EXPECT_EQ(plural(2, "unit"), "2 units");
}

} // namespace
} // namespace rubato::report
