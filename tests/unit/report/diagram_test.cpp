// SPDX-License-Identifier: Apache-2.0
#include "diagrams/diagram_layout.hpp"
#include "support/paper_figures.hpp"
#include "support/random_source.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/report/operation_diagram.hpp>

#include <gmock/gmock.h>
#include <pugixml.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::report {
namespace {

using scenario::Reduction;
using scenario::System;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

Diagram operations_of(const System& system, Reduction reduction = Reduction::minimum) {
    return draw_operations(synthesis::view_graph(system, {.reduction = reduction}), system);
}

constexpr double rounding = 1e-9;

bool overlap(const Rectangle& a, const Rectangle& b) {
    return a.corner.x + rounding < b.corner.x + b.width &&
           b.corner.x + rounding < a.corner.x + a.width &&
           a.corner.y + rounding < b.corner.y + b.height &&
           b.corner.y + rounding < a.corner.y + a.height;
}

bool holds(const Rectangle& outer, const Rectangle& inner) {
    return outer.corner.x <= inner.corner.x && outer.corner.y <= inner.corner.y &&
           inner.corner.x + inner.width <= outer.corner.x + outer.width &&
           inner.corner.y + inner.height <= outer.corner.y + outer.height;
}

void expect_nothing_overlaps(const Diagram& diagram, const DiagramLayout& layout) {
    const Rectangle picture{{0, 0}, layout.width, layout.height};
    for (std::size_t a = 0; a < layout.boxes.size(); ++a) {
        EXPECT_TRUE(holds(picture, layout.boxes[a])) << diagram.boxes[a].hover;
        for (std::size_t b = 0; b < a; ++b)
            EXPECT_FALSE(overlap(layout.boxes[a], layout.boxes[b]))
                << diagram.boxes[a].hover << ", " << diagram.boxes[b].hover;
        for (std::size_t f = 0; f < layout.frames.size(); ++f) {
            const bool is_member = diagram.boxes[a].frame == f;
            EXPECT_EQ(holds(layout.frames[f], layout.boxes[a]), is_member);
            EXPECT_EQ(overlap(layout.frames[f], layout.boxes[a]), is_member);
        }
    }
    for (std::size_t f = 0; f < layout.frames.size(); ++f)
        for (std::size_t g = 0; g < f; ++g)
            EXPECT_FALSE(overlap(layout.frames[f], layout.frames[g]));
}

void expect_arrows_join_their_boxes(const Diagram& diagram, const DiagramLayout& layout) {
    const auto is_on_border = [](Point point, const Rectangle& box) {
        const double top = box.corner.y;
        const double bottom = top + box.height;
        return point.x >= box.corner.x && point.x <= box.corner.x + box.width &&
               (std::abs(point.y - top) < rounding || std::abs(point.y - bottom) < rounding);
    };
    for (std::size_t a = 0; a < diagram.arrows.size(); ++a) {
        const Diagram::Arrow& arrow = diagram.arrows[a];
        EXPECT_TRUE(is_on_border(layout.arrows[a].front(), layout.boxes[arrow.from]));
        EXPECT_TRUE(is_on_border(layout.arrows[a].back(), layout.boxes[arrow.to]));
    }
}

/// Those that order do so everywhere but in cycles, which frames hold.
void expect_arrows_lead_down(const Diagram& diagram, const DiagramLayout& layout) {
    for (std::size_t a = 0; a < diagram.arrows.size(); ++a) {
        if (!diagram.arrows[a].orders) continue;
        const auto& points = layout.arrows[a];
        for (std::size_t i = 1; i < points.size(); ++i)
            EXPECT_LE(points[i - 1].y, points[i].y + rounding) << diagram.arrows[a].hover;
        EXPECT_LT(points.front().y, points.back().y);
    }
}

/// A route passes the height of a box only beside it.
void expect_arrows_pass_beside_boxes(const Diagram& diagram, const DiagramLayout& layout) {
    for (std::size_t a = 0; a < diagram.arrows.size(); ++a) {
        const auto& points = layout.arrows[a];
        for (std::size_t i = 1; i < points.size(); ++i) {
            const auto [left, right] = std::minmax(points[i - 1].x, points[i].x);
            const auto [top, bottom] = std::minmax(points[i - 1].y, points[i].y);
            for (const Rectangle& box : layout.boxes)
                EXPECT_FALSE(overlap({{left, top}, right - left, bottom - top}, box))
                    << diagram.arrows[a].hover;
        }
    }
}

void expect_good_layout(const Diagram& diagram) {
    const DiagramLayout layout = lay_out(diagram);
    expect_nothing_overlaps(diagram, layout);
    expect_arrows_join_their_boxes(diagram, layout);
    expect_arrows_lead_down(diagram, layout);
    expect_arrows_pass_beside_boxes(diagram, layout);
}

TEST(DiagramLayout, OfThePapersFiguresKeepsApartWhatIsApart) {
    for (const System& system :
         {test::figure1(), test::figure2(), test::figure4(), test::figure5()}) {
        expect_good_layout(operations_of(system));
        expect_good_layout(operations_of(system, Reduction::maximum));
    }
}

std::vector<std::string> meanings_of(const Diagram& diagram) {
    std::vector<std::string> meanings;
    for (const Diagram::Key& key : diagram.legend) meanings.push_back(key.meaning);
    return meanings;
}

TEST(OperationDiagram, ExplainsTheColoursAndLinesThatItUses) {
    EXPECT_THAT(meanings_of(operations_of(test::figure1())),
                ElementsAre("connection", "order within a unit"));
    EXPECT_THAT(meanings_of(operations_of(test::figure2())),
                ElementsAre("reactivity loop", "connection", "connection to a guessed input",
                            "order within a unit"));
    EXPECT_THAT(
        meanings_of(operations_of(test::figure4())),
        ElementsAre("step negotiation", "connection", "order within a unit", "one step for all"));
    EXPECT_THAT(meanings_of(operations_of(test::figure5(), Reduction::maximum)),
                ElementsAre("nested step negotiation", "connection",
                            "connection to a guessed input", "order within a unit",
                            "one step for all"));
}

TEST(OperationDiagram, SaysWhyAnArrowIsThere) {
    std::vector<std::string> hovers;
    for (const Diagram::Arrow& arrow : operations_of(test::figure4()).arrows)
        hovers.push_back(arrow.hover);
    EXPECT_THAT(hovers,
                UnorderedElementsAre(
                    "step D → get D.g: step before get", "get D.g → set C.g: connection",
                    "set C.g → step C: reactive set before step",
                    "step C → get C.z: step before get", "get C.z → set D.z: connection",
                    "step D → set D.z: step before delayed set", "step C – step D: same step"));
}

/// Boxes in a row of cycles, joined by arrows that lead on; names of any length.
Diagram random_diagram(test::RandomSource& random) {
    Diagram diagram;
    const std::size_t groups = 1 + random.below(6);
    for (std::size_t g = 0; g < groups; ++g) {
        const std::size_t size = 1 + random.below(7);
        const std::size_t first = diagram.boxes.size();
        for (std::size_t b = 0; b < size; ++b) {
            Diagram::Box box;
            box.label = std::string(1 + random.below(50), 'm');
            if (random.below(2) == 0) box.caption = "get";
            if (size > 1) box.frame = diagram.frames.size();
            for (std::size_t earlier = 0; earlier < diagram.boxes.size(); ++earlier)
                if (random.below(5) == 0) diagram.arrows.push_back({earlier, first + b});
            diagram.boxes.push_back(std::move(box));
        }
        if (size == 1) continue;
        diagram.frames.push_back({"loop", "", g});
        diagram.arrows.push_back({first + size - 1, first, Diagram::Line::dashed, "", false});
        diagram.arrows.push_back({first, first + 1, Diagram::Line::dotted, "", false, false});
    }
    return diagram;
}

TEST(DiagramLayout, OfAnyDiagramKeepsApartWhatIsApart) {
    test::RandomSource random(7);
    for (int i = 0; i < 100; ++i) expect_good_layout(random_diagram(random));
}

TEST(DiagramLayout, BreaksCyclesOfArrowsThatOrder) {
    Diagram diagram;
    diagram.boxes = {{"a"}, {"b"}, {"c"}};
    diagram.arrows = {{0, 1}, {1, 2}, {2, 0}, {1, 1}};
    const DiagramLayout layout = lay_out(diagram);
    expect_nothing_overlaps(diagram, layout);
    EXPECT_LT(layout.boxes[0].corner.y, layout.boxes[1].corner.y);
    EXPECT_LT(layout.boxes[1].corner.y, layout.boxes[2].corner.y);
    EXPECT_TRUE(layout.arrows[3].empty());
}

TEST(DiagramLayout, OfNothingIsEmpty) {
    EXPECT_TRUE(lay_out(Diagram{}).boxes.empty());
    EXPECT_THAT(to_svg(Diagram{}), HasSubstr("<svg"));
}

TEST(Diagram, GivesTheSameBytesTwice) {
    const Diagram diagram = operations_of(test::figure5());
    EXPECT_EQ(to_svg(diagram), to_svg(diagram));
    EXPECT_EQ(to_dot(diagram), to_dot(diagram));
}

TEST(Diagram, IsWellFormedWhateverTheTextSays) {
    Diagram diagram;
    const std::string text = "<a> & \"b\"\\ \x01";
    diagram.title = diagram.subtitle = text;
    diagram.boxes = {{text, text, text, Diagram::Look::pill, 0}, {text}};
    diagram.arrows = {{0, 1, Diagram::Line::thin, text}};
    diagram.frames = {{text, text, 0}};
    diagram.legend = {{Diagram::FrameColor{0}, text}, {Diagram::Line::thin, text}};
    pugi::xml_document svg;
    ASSERT_TRUE(svg.load_string(to_svg(diagram).c_str()));
    const std::string hover = svg.select_node("/svg/g[@class='arrow']/title").node().text().get();
    EXPECT_EQ(hover, "<a> & \"b\"\\  ");
    EXPECT_THAT(to_dot(diagram), HasSubstr(R"(tooltip="<a> & \"b\"\\  ")"));
}

TEST(Diagram, ShortensLongNamesToTheirEnds) {
    const std::string name = "unit." + std::string(50, 'x') + "é.value";
    EXPECT_EQ(shown("short.name"), "short.name");
    EXPECT_EQ(shown(name), "unit.xxxxxxxxx…" + std::string(14, 'x') + "é.value");
}

TEST(Diagram, RefusesToDrawWhatNobodyCouldRead) {
    Diagram diagram;
    diagram.title = "huge";
    diagram.boxes.resize(most_boxes);
    EXPECT_THAT(to_svg(diagram), HasSubstr("huge"));
    diagram.boxes.emplace_back();
    try {
        to_svg(diagram);
        FAIL();
    } catch (const InputError& fault) {
        EXPECT_THAT(fault.what(), AllOf(HasSubstr("\"huge\" has 2001 boxes"), HasSubstr(".dot")));
    }
    EXPECT_THAT(to_dot(diagram), HasSubstr("b2000 ["));
}

TEST(Diagram, RefusesToDrawArrowsThatPassTooManyLayers) {
    Diagram diagram;
    diagram.boxes.resize(1000);
    for (std::size_t i = 1; i < diagram.boxes.size(); ++i) {
        diagram.arrows.push_back({i - 1, i});
        diagram.arrows.push_back({0, i});
    }
    EXPECT_THROW(to_svg(diagram), InputError); // about 1000² / 2 places to pass
}

TEST(Diagram, InTheLanguageOfGraphvizHasAClusterForEachFrame) {
    const std::string dot = to_dot(operations_of(test::figure2()));
    EXPECT_THAT(dot,
                AllOf(HasSubstr("subgraph cluster_0"), HasSubstr("label=\"reactivity loop\""),
                      HasSubstr("b0 [label=\"step\\nA\""),
                      HasSubstr("style=dashed, constraint=false"), Not(HasSubstr("cluster_1"))));
}

} // namespace
} // namespace rubato::report
