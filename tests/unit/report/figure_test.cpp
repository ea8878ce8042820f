// SPDX-License-Identifier: Apache-2.0
#include "temporary_folder.hpp"

#include <rubato/report/figure.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pugixml.hpp>

#include <cmath>
#include <limits>

namespace rubato::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> labels(Range range, Scale scale, int most) {
    std::vector<std::string> out;
    for (const Tick& tick : choose_ticks(range, scale, most)) out.push_back(tick.label);
    return out;
}

TEST(Ticks, AreMultiplesOfOneTwoOrFive) {
    EXPECT_THAT(labels({0, 20}, Scale::linear, 10),
                ElementsAre("0", "2", "4", "6", "8", "10", "12", "14", "16", "18", "20"));
    EXPECT_THAT(labels({-0.13, 0.21}, Scale::linear, 4), ElementsAre("−0.1", "0", "0.1", "0.2"));
    EXPECT_THAT(labels({0, 1.1}, Scale::linear, 3), ElementsAre("0", "0.5", "1.0"));
}

TEST(Ticks, OfSmallAndLargeNumbersCarryAPowerOfTen) {
    EXPECT_THAT(labels({0, 4e-6}, Scale::linear, 2), ElementsAre("0", "2×10⁻⁶", "4×10⁻⁶"));
    EXPECT_THAT(labels({0, 1e9}, Scale::linear, 2), ElementsAre("0", "5×10⁸", "1.0×10⁹"));
}

TEST(Ticks, HitTheNumbersTheyName) {
    for (const Tick& tick : choose_ticks({0, 1}, Scale::linear, 10))
        EXPECT_EQ(tick.value, std::strtod(tick.label.c_str(), nullptr));
}

TEST(Ticks, OfALogarithmicAxisAreDecades) {
    EXPECT_THAT(labels({1e-3, 1.5}, Scale::logarithmic, 5),
                ElementsAre("10⁻³", "10⁻²", "10⁻¹", "10⁰"));
    EXPECT_THAT(labels({1, 10}, Scale::logarithmic, 6),
                ElementsAre("10⁰", "2×10⁰", "5×10⁰", "10¹"));
}

Series wave(std::string label, std::size_t count) {
    Series series;
    series.label = std::move(label);
    for (std::size_t i = 0; i < count; ++i) {
        series.x.push_back(static_cast<double>(i) * 0.01);
        series.y.push_back(std::sin(static_cast<double>(i) * 0.1));
    }
    return series;
}

Figure figure_of(std::vector<Series> series) {
    Figure figure;
    figure.title = "a <b> & \"c\"";
    figure.panels.push_back({.y_label = "y", .series = std::move(series), .y_range = {}});
    return figure;
}

pugi::xml_document parse(const Figure& figure) {
    pugi::xml_document document;
    const pugi::xml_parse_result result = document.load_string(to_svg(figure).c_str());
    EXPECT_TRUE(result) << result.description();
    return document;
}

TEST(Figure, IsWellFormedWhateverTheTextSays) {
    const pugi::xml_document svg = parse(figure_of({wave("x<1>\x01", 50), wave("y&z", 50)}));
    EXPECT_STREQ(svg.child("svg").child("text").text().get(), "a <b> & \"c\"");
    EXPECT_EQ(svg.select_nodes("//g/path").size(), 2u);
}

TEST(Figure, GivesTheSameBytesTwice) {
    const Figure figure = figure_of({wave("a", 500), wave("b", 500)});
    EXPECT_EQ(to_svg(figure), to_svg(figure));
}

TEST(Figure, DrawsAMillionPointsInAFewThousand) {
    EXPECT_LT(to_svg(figure_of({wave("a", 1'000'000)})).size(), 100'000u);
}

TEST(Figure, DecimationKeepsTheOutliers) {
    Series series = wave("a", 100'000);
    series.y[54'321] = 50;
    Figure figure = figure_of({series});
    figure.panels[0].y_range = Range{0, 50};
    const std::string path = parse(figure).select_node("//g/path").node().attribute("d").value();
    const std::string top =
        parse(figure).select_node("//clipPath/rect").node().attribute("y").value();
    EXPECT_THAT(path, HasSubstr(" " + std::to_string(std::stoi(top) + 3) + "L"));
}

TEST(Figure, LeavesGapsWhereThereIsNoNumber) {
    Series series = wave("a", 10);
    series.y[5] = std::numeric_limits<double>::quiet_NaN();
    const std::string path =
        parse(figure_of({series})).select_node("//g/path").node().attribute("d").value();
    EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2);
    EXPECT_THAT(path, Not(HasSubstr("nan")));
}

TEST(Figure, ALogarithmicAxisSkipsWhatHasNoLogarithm) {
    Series series = wave("a", 10);
    series.y = {1, 10, 0, -1, 100, 1000, 1, 1, 1, 1};
    Figure figure = figure_of({series});
    figure.panels[0].y_scale = Scale::logarithmic;
    EXPECT_THAT(to_svg(figure), Not(HasSubstr("nan")));
}

TEST(Figure, TakesDataOfAnyRange) {
    const double large = std::numeric_limits<double>::max();
    const double tiny = std::numeric_limits<double>::denorm_min();
    const double gap = std::numeric_limits<double>::infinity();
    for (const std::vector<double>& y :
         {std::vector<double>{0, 0}, {large, -large}, {0, tiny}, {1, 1 + 1e-16}, {gap, -gap}, {}}) {
        for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
            Series series;
            series.x.assign(y.size(), 1);
            series.y = y;
            Figure figure = figure_of({series});
            figure.panels[0].y_scale = scale;
            const std::string svg = to_svg(figure);
            EXPECT_THAT(svg, Not(HasSubstr("nan")));
            EXPECT_THAT(svg, Not(HasSubstr("inf")));
        }
    }
    parse(Figure{});
}

TEST(Figure, StacksPanelsOverOneTimeAxis) {
    Figure figure = figure_of({wave("a", 50)});
    figure.panels.push_back(figure.panels[0]);
    const pugi::xml_document svg = parse(figure);
    EXPECT_EQ(svg.select_nodes("//clipPath").size(), 2u);
    EXPECT_EQ(svg.select_nodes("//text[@text-anchor='middle']").size(),
              choose_ticks({0, 0.49}, Scale::linear, 12).size());
}

TEST(Figure, HoldsAValueUntilTheNext) {
    Series series;
    series.x = {0, 1};
    series.y = {0, 1};
    series.between = Between::hold;
    const std::string path =
        parse(figure_of({series})).select_node("//g/path").node().attribute("d").value();
    EXPECT_EQ(std::count(path.begin(), path.end(), 'L'), 2) << path;
}

TEST(Figure, IsWrittenWithItsFolder) {
    const testing::TemporaryFolder folder;
    write_svg(figure_of({wave("a", 5)}), folder / "sub/a.svg");
    EXPECT_THAT(testing::content_of(folder / "sub/a.svg"), HasSubstr("</svg>\n"));
}

} // namespace
} // namespace rubato::report
