// SPDX-License-Identifier: Apache-2.0
#include "support/paper_figures.hpp"

#include <rubato/core/graph.hpp>
#include <rubato/synthesis/graph_view.hpp>

#include <gmock/gmock.h>

namespace rubato::synthesis {
namespace {

using scenario::Reactivity;
using scenario::Reduction;
using scenario::System;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Kind = Operation::Kind;

std::string name_of(const System& system, const GraphView::Node& node) {
    const Operation& operation = node.operation;
    switch (operation.kind) {
    case Kind::step: return "step " + system.unit(operation.unit).name;
    case Kind::get: return "get " + system.name_of(operation.port);
    case Kind::set: return "set " + system.name_of(operation.port);
    case Kind::update: return "update " + system.unit(operation.unit).name;
    case Kind::agreement: break;
    }
    return "agreement";
}

/// "get B.f > set A.f, guessed"
std::vector<std::string> edges_of(const System& system, const GraphView& view, Rule rule) {
    std::vector<std::string> edges;
    for (const GraphView::Edge& edge : view.edges) {
        if (edge.rule != rule) continue;
        edges.push_back(name_of(system, view.nodes[edge.from]) + " > " +
                        name_of(system, view.nodes[edge.to]) + (edge.guessed ? ", guessed" : ""));
    }
    return edges;
}

std::vector<std::string> members_of_loops(const System& system, const GraphView& view) {
    std::vector<std::string> members;
    for (const GraphView::Node& node : view.nodes) {
        if (node.loop) members.push_back(name_of(system, node));
    }
    return members;
}

std::vector<LoopKind> kinds_of(const GraphView& view) {
    std::vector<LoopKind> kinds;
    for (const Loop& loop : view.loops) kinds.push_back(loop.kind);
    return kinds;
}

/// What is left when guesses have opened the loops.
bool has_cycle_when_guessed(const GraphView& view) {
    Graph graph(view.nodes.size());
    for (const GraphView::Edge& edge : view.edges) {
        if (edge.guessed || edge.rule == Rule::same_step) continue;
        graph.add_edge(static_cast<Graph::Node>(edge.from), static_cast<Graph::Node>(edge.to));
    }
    return strongly_connected_components(graph).size() < view.nodes.size();
}

TEST(GraphView, OfFigure1HasNoLoopAndAnEdgeForEachRule) {
    const System system = test::figure1();
    const GraphView view = view_graph(system, {});
    EXPECT_THAT(view.loops, IsEmpty());
    EXPECT_EQ(view.nodes.size(), 6u);
    EXPECT_THAT(edges_of(system, view, Rule::connection),
                UnorderedElementsAre("get B.g > set A.g", "get A.f > set B.f"));
    EXPECT_THAT(edges_of(system, view, Rule::step_before_get),
                UnorderedElementsAre("step A > get A.f", "step B > get B.g"));
    EXPECT_THAT(edges_of(system, view, Rule::set_before_step), ElementsAre("set A.g > step A"));
    EXPECT_THAT(edges_of(system, view, Rule::step_before_set), ElementsAre("step B > set B.f"));
    EXPECT_EQ(view.edges.size(), 6u);
}

TEST(GraphView, OfFigure2HasAReactivityLoopThatTheReductionOpens) {
    const System system = test::figure2();
    const GraphView fewest = view_graph(system, {.reduction = Reduction::minimum});
    EXPECT_THAT(kinds_of(fewest), ElementsAre(LoopKind::reactivity));
    EXPECT_THAT(
        members_of_loops(system, fewest),
        UnorderedElementsAre("step A", "step B", "get A.x", "get B.f", "set A.f", "set B.x"));
    EXPECT_EQ(fewest.loops[0].guessed.size(), 1u);
    EXPECT_FALSE(has_cycle_when_guessed(fewest));

    const GraphView most = view_graph(system, {.reduction = Reduction::maximum});
    EXPECT_THAT(edges_of(system, most, Rule::connection),
                UnorderedElementsAre("get B.f > set A.f, guessed", "get A.x > set B.x, guessed",
                                     "get C.j > set B.j"));
    EXPECT_FALSE(has_cycle_when_guessed(most));
}

TEST(GraphView, OfFigure4HasANegotiationBetweenBoundSteps) {
    const System system = test::figure4();
    const GraphView view = view_graph(system, {});
    EXPECT_THAT(kinds_of(view), ElementsAre(LoopKind::step_finding));
    EXPECT_THAT(members_of_loops(system, view),
                UnorderedElementsAre("step C", "step D", "get D.g", "set C.g"));
    EXPECT_THAT(edges_of(system, view, Rule::same_step),
                UnorderedElementsAre("step C > step D", "step D > step C"));
    EXPECT_THAT(edges_of(system, view, Rule::agreed_first), IsEmpty()); // no unit is left to wait
    EXPECT_FALSE(has_cycle_when_guessed(view));
}

TEST(GraphView, OfFigure5IsOneNestedLoop) {
    const System system = test::figure5();
    for (const Reduction reduction : {Reduction::minimum, Reduction::maximum}) {
        const GraphView view = view_graph(system, {.reduction = reduction});
        EXPECT_THAT(kinds_of(view), ElementsAre(LoopKind::nested));
        EXPECT_EQ(members_of_loops(system, view).size(), view.nodes.size());
        EXPECT_THAT(
            edges_of(system, view, Rule::feedthrough),
            UnorderedElementsAre("set B.x > get B.f", "set B.v > get B.f", "set C.z > get C.g"));
        EXPECT_FALSE(has_cycle_when_guessed(view));
    }
}

TEST(GraphView, OfInitializationHasNoSteps) {
    test::SystemBuilder builder;
    builder.unit("A").input("u").output("y", {"u"});
    builder.unit("B").input("u").output("y", {"u"});
    builder.link("A.y", "B.u").link("B.y", "A.u");
    const System system = builder.build();
    const GraphView view =
        view_graph(system, {}, {.procedure = GraphChoice::Procedure::initialization});
    EXPECT_THAT(kinds_of(view), ElementsAre(LoopKind::feedthrough));
    EXPECT_THAT(members_of_loops(system, view),
                UnorderedElementsAre("get A.y", "get B.y", "set A.u", "set B.u"));
}

TEST(GraphView, IsThatOfTheConfigurationAskedFor) {
    test::SystemBuilder builder;
    builder.unit("A").input("u", Reactivity::delayed).output("y");
    builder.unit("B").input("u", Reactivity::delayed).output("y");
    builder.link("A.y", "B.u").link("B.y", "A.u");
    builder.configuration("apart", "apart").configuration("tight", "tight");
    builder.contract("A.u", Reactivity::reactive).contract("B.u", Reactivity::reactive);
    const System system = builder.build();
    EXPECT_THAT(view_graph(system, {}).loops, IsEmpty());
    EXPECT_THAT(kinds_of(view_graph(system, {}, {.configuration = 1})),
                ElementsAre(LoopKind::reactivity));
}

TEST(GraphView, KnowsTheLoopOfASingleUnitThatRejects) {
    test::SystemBuilder builder;
    builder.unit("A").can_reject_step().output("y");
    builder.unit("B").input("u", Reactivity::delayed);
    builder.link("A.y", "B.u");
    const System system = builder.build();
    const GraphView view = view_graph(system, {});
    EXPECT_THAT(kinds_of(view), ElementsAre(LoopKind::step_finding));
    EXPECT_THAT(members_of_loops(system, view), ElementsAre("step A"));
    EXPECT_THAT(edges_of(system, view, Rule::agreed_first),
                UnorderedElementsAre("step A > agreement", "agreement > step B"));
}

TEST(Loop, IsDescribedInWords) {
    const System system = test::figure2();
    const GraphView view = view_graph(system, {.reduction = Reduction::maximum});
    EXPECT_EQ(describe(view.loops.at(0), system),
              "reactivity loop of A, B over A.x, B.f, guessing A.f, B.x");
}

} // namespace
} // namespace rubato::synthesis
