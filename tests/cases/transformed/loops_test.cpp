// SPDX-License-Identifier: Apache-2.0
#include "support/error_text.hpp"
#include "support/random_source.hpp"
#include "transformed/transformed.hpp"

#include <gmock/gmock.h>

namespace rubato::test {
namespace {

using scenario::NestedScenario;
using scenario::Recipe;
using testing::HasSubstr;
using testing::Not;

/// Two masses that feed each other, a lag that follows one of them, and a lag of that.
constexpr const char* followed_pair = R"(
rubato: 1
units:
  before: {model: node, start: {y: 2}}
  msd1: {model: msd1, parameters: {m1: 1.0, c1: 5.0, d1: 1.0, solver: 3}, start: {x1: 1.0}}
  msd2: {model: msd2, parameters: {m2: 1.0, c2: 0.1, d2: 0.0, cc: 1.0, dc: 1.0, solver: 3}}
  lag: {model: node}
  second: {model: node}
connections:
  - before.y -> second.b
  - msd1.x1 -> msd2.x1
  - msd1.v1 -> msd2.v1
  - msd2.Fc -> msd1.Fc
  - msd1.x1 -> lag.a
  - lag.y -> second.a
experiment: {stop: 2, step: 0.125}
record: [before.y, msd1.x1, msd2.x2, msd2.Fc, lag.y, second.y]
)";

std::string with_recipe(const std::string& recipe) {
    return std::string(followed_pair) + "algorithm: " + recipe + "\n";
}

class LiftedLoop : public testing::TestWithParam<std::string> {};

TEST_P(LiftedLoop, GivesTheBitsOfTheLoop) {
    Transformer transformer;
    const scenario::Scenario direct = transformer.parse(with_recipe(GetParam()));
    const pipeline::Transformed lifted = transformer.transform(direct);
    ASSERT_TRUE(lifted.stages[1].is_present);
    EXPECT_EQ(lifted.scenario.algorithm.recipe, Recipe::jacobi);
    const Trajectories expected = transformer.run(direct);
    EXPECT_EQ(transformer.run(lifted.scenario), expected);
    EXPECT_EQ(transformer.run(transformer.rewritten(lifted)), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Of, LiftedLoop,
    testing::Values("iterated-jacobi", "iterated-gauss-seidel", "waveform-jacobi",
                    "waveform-gauss-seidel",
                    "{recipe: iterated-gauss-seidel, order: [second, lag, msd2, msd1, before]}",
                    "{recipe: iterated-jacobi, iterations: 3}"),
    [](const auto& test) {
        std::string name = test.param;
        std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
        return name;
    });

TEST(LiftedLoops, OfContractsLeaveOtherUnitsOutside) {
    Transformer transformer;
    const scenario::Scenario direct = transformer.parse(
        followed_pair, {{"units.msd1.inputs", "{Fc: {contract: reactive, approximation: linear}}"},
                        {"units.msd2.inputs", "{x1: {contract: reactive}, v1: {contract: reactive, "
                                              "approximation: linear}}"}});
    const pipeline::Transformed lifted = transformer.transform(direct);
    std::vector<std::string> names;
    for (const scenario::Unit& unit : lifted.scenario.units) names.push_back(unit.name);
    EXPECT_THAT(names, testing::ElementsAre("before", "loop-msd1-msd2", "lag", "second"));
    EXPECT_EQ(transformer.run(transformer.rewritten(lifted)), transformer.run(direct));
}

/// Values from outside that feed through to the loop are set after the step of the composite, and
/// the loop is solved again: the result is the same up to its tolerance.
TEST(LiftedLoops, ThatDependOnOthersAtOnceAgreeToTheTolerance) {
    Transformer transformer;
    const scenario::Scenario direct = transformer.parse(R"(
rubato: 1
units:
  lag: {model: node, start: {y: 3}}
  a: {model: mix, parameters: {a: 0.5, b: 1}}
  b: {model: mix, parameters: {a: 0.5, b: 0.25}}
connections: [a.y -> b.u, b.y -> a.u, lag.y -> a.v, lag.y -> b.v, b.y -> lag.a]
experiment: {stop: 1, step: 0.25}
algorithm: {recipe: jacobi, absolute-tolerance: 1.0e-13, relative-tolerance: 1.0e-13}
)");
    const Trajectories expected = transformer.run(direct);
    const Trajectories found =
        transformer.run(transformer.rewritten(transformer.transform(direct)));
    for (const auto& [name, values] : expected)
        EXPECT_THAT(found.at(name), testing::Pointwise(testing::DoubleNear(1e-11), values)) << name;
}

TEST(LiftedLoops, WithinOneUnitAreLifted) {
    Transformer transformer;
    const scenario::Scenario direct = transformer.parse(R"(
rubato: 1
units:
  f: {model: feedthrough}
connections:
  - f.float64_out -> f.float64_in: {factor: 0.5, offset: 1}
experiment: {stop: 1, step: 0.25}
record: [f.float64_out]
)");
    const pipeline::Transformed lifted = transformer.transform(direct);
    ASSERT_EQ(lifted.scenario.units.size(), 1u);
    EXPECT_EQ(lifted.scenario.units[0].name, "loop-f");
    EXPECT_EQ(transformer.run(transformer.rewritten(lifted)), transformer.run(direct));
}

TEST(LiftedLoops, LeaveAScenarioWithoutLoopsAsItIs) {
    Transformer transformer;
    for (const char* recipe : {"jacobi", "gauss-seidel", "synthesized"}) {
        const scenario::Scenario direct = transformer.parse(with_recipe(recipe));
        EXPECT_EQ(transformer.transform(direct).scenario, direct) << recipe;
    }
}

TEST(LiftedLoops, AreExplainedInTheFile) {
    Transformer transformer;
    const pipeline::Transformed lifted =
        transformer.transform(transformer.parse(with_recipe("iterated-jacobi")));
    const std::string text = pipeline::transformed_yaml(lifted, "folder/pair.yaml", {});
    EXPECT_THAT(text, HasSubstr("# Written by rubato transform from pair.yaml: loops."));
    EXPECT_THAT(text, HasSubstr("# loop over each step of"));
    EXPECT_THAT(text, Not(HasSubstr("iteration-limit"))); // what is usual is not written
}

TEST(LiftedLoops, OfLoopsWithinScenariosStayThere) {
    Transformer transformer;
    const pipeline::Transformed once =
        transformer.transform(transformer.parse(with_recipe("iterated-jacobi")));
    EXPECT_EQ(transformer.transform(once.scenario).scenario, once.scenario);
}

TEST(LiftedLoops, FindTheirFilesFromAnotherFolder) {
    Transformer transformer;
    pipeline::Transformed lifted =
        transformer.transform(transformer.parse(with_recipe("iterated-jacobi")));
    lifted.scenario.file = "plants/pair.yaml";
    lifted.scenario.units[0].origin = scenario::FmuFile{"fmus/lag.fmu"};
    EXPECT_THAT(pipeline::transformed_yaml(lifted, "plants/pair.yaml", "out/trivial"),
                HasSubstr("../../plants/fmus/lag.fmu"));
    EXPECT_THAT(pipeline::transformed_yaml(lifted, "plants/pair.yaml", "plants"),
                HasSubstr("fmus/lag.fmu"));
}

TEST(LiftedLoops, AreRefusedWhereStepControlWouldNoLongerSeeThem) {
    Transformer transformer;
    EXPECT_THAT(transformer.refusal(with_recipe("iterated-jacobi") + "step-control: predictor\n"),
                HasSubstr("to lift loops, step control must be fixed, not predictor"));
}

} // namespace
} // namespace rubato::test
