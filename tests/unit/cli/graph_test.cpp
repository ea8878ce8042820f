// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>
#include <pugixml.hpp>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Outcome;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

/// Two units that react to each other, and a configuration in which they do not.
constexpr auto pair = R"(rubato: 1
units:
  A: {inputs: {u: {contract: reactive}}, outputs: {y: {feedthrough: [], feedthrough-initial: [u]}}}
  B: {inputs: {u: {contract: reactive}}, outputs: {y: {feedthrough: [], feedthrough-initial: []}}}
connections: [A.y -> B.u, B.y -> A.u]
configurations:
  together: {}
  apart: {inputs: {A.u: delayed, B.u: delayed}}
)";

class Graph : public testing::Program {
protected:
    Graph() { write("pair.yaml", pair); }

    /// How many elements of a class a picture has.
    std::size_t count(std::string_view file, const std::string& kind) const {
        pugi::xml_document svg;
        EXPECT_TRUE(svg.load_string(read(file).c_str()));
        return svg.select_nodes(("/svg/g[@class='" + kind + "']").c_str()).size();
    }
};

TEST_F(Graph, DrawsTheStepWithItsLoops) {
    const Outcome outcome = rubato({"graph", "pair.yaml", "-o", "pictures/g.svg"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "6 operations and 1 loop in pictures/g.svg\n"
                           "  reactivity loop of A, B over A.y, B.y, guessing B.u\n");
    EXPECT_EQ(count("pictures/g.svg", "box"), 6u);
    EXPECT_EQ(count("pictures/g.svg", "arrow"), 6u);
    EXPECT_EQ(count("pictures/g.svg", "frame"), 1u);
}

TEST_F(Graph, IsNamedAfterTheScenarioWhereNothingElseIsSaid) {
    EXPECT_EQ(rubato({"graph", "pair.yaml"}).code, 0);
    EXPECT_THAT(files(), UnorderedElementsAre("pair.yaml", "pair-graph.svg"));
}

TEST_F(Graph, DrawsOtherConfigurationsAndTheInitialization) {
    EXPECT_EQ(rubato({"graph", "pair.yaml", "-o", "g.svg", "--configuration", "apart"}).code, 0);
    EXPECT_EQ(count("g.svg", "frame"), 0u);
    EXPECT_EQ(rubato({"graph", "pair.yaml", "-o", "g.svg", "--of", "initialization"}).code, 0);
    EXPECT_EQ(count("g.svg", "box"), 4u);
    EXPECT_EQ(count("g.svg", "arrow"), 3u);
}

TEST_F(Graph, DrawsAnEventWithItsClocks) {
    write("clocked.yaml", "rubato: 1\n"
                          "units:\n"
                          "  bucket: {model: bucket}\n"
                          "  wheel: {model: tick_counter}\n"
                          "connections: [bucket.tip -> wheel.tick]\n");
    const Outcome outcome = rubato({"graph", "clocked.yaml", "-o", "g.svg", "--event"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(count("g.svg", "box"), 5u); // three clocks and two updates
    EXPECT_THAT(read("g.svg"), HasSubstr("get bucket.tip → set wheel.tick: connection"));
    EXPECT_THAT(read("g.svg"), HasSubstr("set wheel.tick → get wheel.carry: clock first"));
    EXPECT_THAT(read("g.svg"), HasSubstr("set wheel.tick → update wheel: update last"));
    EXPECT_EQ(rubato({"graph", "clocked.yaml", "-o", "h.svg", "--of", "event"}).code, 0);
    EXPECT_EQ(read("g.svg"), read("h.svg"));
}

TEST_F(Graph, IsThatOfTheContractsThatTheRecipeAssigns) {
    EXPECT_THAT(rubato({"graph", "pair.yaml", "-o", "g.svg", "--reduction", "maximum"}).out,
                HasSubstr("guessing B.u, A.u"));
    write("free.yaml", "rubato: 1\n"
                       "units:\n"
                       "  A: {inputs: {u: {}}, outputs: {y: {feedthrough: []}}}\n"
                       "  B: {inputs: {u: {}}, outputs: {y: {feedthrough: []}}}\n"
                       "connections: [A.y -> B.u, B.y -> A.u]\n");
    EXPECT_THAT(rubato({"graph", "free.yaml", "-o", "g.svg", "--algorithm", "jacobi"}).out,
                HasSubstr("0 loops"));
    EXPECT_THAT(rubato({"graph", "free.yaml", "-o", "g.svg", "--algorithm", "iterated-jacobi"}).out,
                HasSubstr("reactivity loop of A, B"));
}

TEST_F(Graph, WritesTextForGraphviz) {
    EXPECT_EQ(rubato({"graph", "pair.yaml", "-o", "g.dot"}).code, 0);
    EXPECT_THAT(read("g.dot"), AllOf(StartsWith("digraph \"pair\" {"), HasSubstr("cluster_0")));
}

TEST_F(Graph, RefusesOtherFormatsAndListsThoseThereAre) {
    for (const char* name : {"g.png", "g", "g.SVG"}) {
        const Outcome outcome = rubato({"graph", "pair.yaml", "-o", name});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, AllOf(HasSubstr("\"" + std::string(name) + "\""),
                                       HasSubstr(".svg"), HasSubstr(".dot")));
    }
    EXPECT_THAT(files(), UnorderedElementsAre("pair.yaml"));
}

TEST_F(Graph, RefusesWhatTheScenarioDoesNotHave) {
    const Outcome unknown = rubato({"graph", "pair.yaml", "--configuration", "aprt"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, AllOf(HasSubstr("there is no configuration \"aprt\""),
                                   HasSubstr("did you mean \"apart\"?")));
    const Outcome later =
        rubato({"graph", "pair.yaml", "--of", "initialization", "--configuration", "apart"});
    EXPECT_EQ(later.code, 2);
    EXPECT_THAT(later.err, HasSubstr("the first configuration, \"together\""));
    EXPECT_EQ(rubato({"graph", "pair.yaml", "--of", "everything"}).code, 2);
    EXPECT_THAT(files(), UnorderedElementsAre("pair.yaml"));
}

TEST_F(Graph, NamesTheFolderThatCannotBeWritten) {
    const Outcome outcome = rubato({"graph", "pair.yaml", "-o", "pair.yaml/g.svg"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("cannot create the folder \"pair.yaml\""));
    EXPECT_THAT(outcome.out, IsEmpty());
}

} // namespace
} // namespace rubato::cli
