// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/report/results_plot.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rubato::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string> names = {"msd1.x1", "msd1.v1", "msd2.x2", "msd2.v1"};

std::string problem_of(const std::vector<std::string>& wishes) {
    try {
        select_names(names, wishes);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(SelectNames, TakesWholeNamesUniqueEndsAndPatterns) {
    EXPECT_THAT(select_names(names, std::vector<std::string>{"msd2.x2", "x1"}),
                ElementsAre("msd2.x2", "msd1.x1"));
    EXPECT_THAT(select_names(names, std::vector<std::string>{"x1", "msd1.*"}),
                ElementsAre("msd1.x1", "msd1.v1"));
}

TEST(SelectNames, RefusesWhatNamesNothingOrSeveral) {
    EXPECT_THAT(problem_of({"msd1.x3"}),
                AllOf(HasSubstr("no column \"msd1.x3\""), HasSubstr("did you mean \"msd1.x1\"")));
    EXPECT_THAT(problem_of({"v1"}), AllOf(HasSubstr("msd1.v1, msd2.v1"), HasSubstr("\"*.v1\"")));
    EXPECT_THAT(problem_of({"crane.*"}), HasSubstr("no column \"crane.*\""));
}

TEST(PlotResults, ColumnsOfOneUnitShareAPanel) {
    const Table table({{"time", {0, 1}}, {"a.x", {1, 2}}, {"a.v", {3, 4}}, {"b.x", {5, 6}}});
    Metadata metadata;
    metadata.scenario = "crane";
    metadata.columns = {{"a.x", "m", "float64"}, {"a.v", "m/s", "float64"}, {"b.x", "m", "int32"}};
    const Figure figure =
        plot_results(table, metadata, std::vector<std::string>{"a.x", "a.v", "b.x"});
    EXPECT_EQ(figure.title, "crane");
    ASSERT_EQ(figure.panels.size(), 2u);
    EXPECT_EQ(figure.panels[0].y_label, "[m]");
    EXPECT_EQ(figure.panels[0].series.size(), 2u);
    EXPECT_EQ(figure.panels[0].series[1].between, Between::hold) << "an integer does not slope";
    EXPECT_EQ(figure.panels[1].y_label, "a.v [m/s]");
}

} // namespace
} // namespace rubato::report
