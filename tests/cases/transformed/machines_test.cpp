// SPDX-License-Identifier: Apache-2.0
#include "transformed/transformed.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace rubato::test {
namespace {

using testing::HasSubstr;

/// Two pairs of oscillators in a chain, a pair on each machine.
constexpr const char* chain = R"(
rubato: 1
units:
  a:
    model: oscillator
    parameters: {m: 1, c: 1}
    start: {x: 1}
    inputs: {F: {approximation: quadratic}}
  b:
    model: oscillator
    parameters: {m: 1, c: 1, cc: 0.5, dc: 0.1}
    inputs: {xo: {approximation: quadratic}, vo: {approximation: quadratic}}
  c:
    model: oscillator
    parameters: {m: 1, c: 1, cc: 0.5, dc: 0.1}
    inputs: {F: {approximation: quadratic}}
  d:
    model: oscillator
    parameters: {m: 1, c: 1, cc: 0.5, dc: 0.1}
    inputs: {xo: {approximation: quadratic}, vo: {approximation: quadratic}}
connections:
  - b.Fc -> a.F
  - a.x -> b.xo
  - a.v -> b.vo
  - c.Fc -> b.F
  - b.x -> c.xo
  - b.v -> c.vo
  - d.Fc -> c.F
  - c.x -> d.xo
  - c.v -> d.vo
machines: {left: [a, b], right: [c, d]}
experiment: {stop: 2, step: 0.0009765625}
algorithm: jacobi
record: [a.x, b.x, c.x, d.x]
)";

/// All units with the small step, and what crosses between machines as exact as the rest.
Trajectories reference(Transformer& transformer) {
    return transformer.run(
        transformer.parse(chain, {{"units.b.inputs.F.approximation", "quadratic"},
                                  {"units.c.inputs.xo.approximation", "quadratic"},
                                  {"units.c.inputs.vo.approximation", "quadratic"}}));
}

double error_of(const Trajectories& found, const Trajectories& exact) {
    double error = 0;
    for (const char* name : {"a.x", "b.x", "c.x", "d.x"})
        error = std::max(error, std::abs(found.at(name).back() - exact.at(name).back()));
    return error;
}

TEST(Machines, WithOneStepForAllAndConstantInputsGiveTheBitsOfJacobi) {
    Transformer transformer;
    const scenario::Scenario direct = transformer.parse(
        chain, {{"experiment.step", "0.03125"}, {"communication.extrapolation", "constant"}});
    const pipeline::Transformed grouped = transformer.transform(direct);
    ASSERT_TRUE(grouped.stages[2].is_present);
    EXPECT_EQ(transformer.run(transformer.rewritten(grouped)), transformer.run(direct));
}

/// Against a run of all units with the small step, what is left is the error of extrapolation. The
/// first step has one sample to extrapolate from: what it does, of the order of H², limits all.
TEST(Machines, ConvergeWithTheOrderOfTheExtrapolationPlusOneUpToThatOfTheStart) {
    Transformer transformer;
    const Trajectories exact = reference(transformer);
    int order = 1;
    for (const char* extrapolation : {"constant", "linear", "quadratic"}) {
        std::vector<double> errors;
        for (const char* step : {"0.125", "0.0625", "0.03125"}) {
            const scenario::Scenario direct =
                transformer.parse(chain, {{"communication.step", step},
                                          {"communication.extrapolation", extrapolation}});
            errors.push_back(error_of(
                transformer.run(transformer.rewritten(transformer.transform(direct))), exact));
        }
        const double observed = std::log2(errors[1] / errors[2]);
        EXPECT_NEAR(observed, order, 0.4)
            << extrapolation << ": " << errors[0] << " " << errors[1] << " " << errors[2];
        order = 2;
    }
}

TEST(Machines, ThatIterateAreMoreAccurate) {
    Transformer transformer;
    const Trajectories exact = reference(transformer);
    const auto error = [&](const char* iterate) {
        const scenario::Scenario direct = transformer.parse(
            chain, {{"communication.step", "0.125"}, {"communication.iterate", iterate}});
        return error_of(transformer.run(transformer.rewritten(transformer.transform(direct))),
                        exact);
    };
    EXPECT_LT(3 * error("true"), error("false"));
}

TEST(Machines, ExplainWhatIsExchanged) {
    Transformer transformer;
    const pipeline::Transformed grouped =
        transformer.transform(transformer.parse(chain, {{"communication.step", "0.125"}}));
    EXPECT_THAT(grouped.stages[2].explanation,
                testing::Contains("before: 2048 messages and 24576 bytes between machines per "
                                  "simulated second"));
    EXPECT_THAT(grouped.stages[2].explanation,
                testing::Contains("after: 16 messages and 192 bytes between machines per "
                                  "simulated second"));
}

TEST(Machines, AreRefusedIfTheyAreIncompleteOrUnknown) {
    Transformer transformer;
    const std::string text = chain;
    const auto with = [&](const std::string& machines) {
        std::string changed = text;
        const std::string old = "machines: {left: [a, b], right: [c, d]}";
        changed.replace(changed.find(old), old.size(), machines);
        return transformer.refusal(changed);
    };
    EXPECT_THAT(with("machines: {left: [a, b], right: [c]}"),
                HasSubstr("unit \"d\" is on no machine"));
    EXPECT_THAT(with("machines: {left: [a, b], right: [c, d, e]}"),
                HasSubstr("machine \"right\" names \"e\", which is no unit"));
    EXPECT_THAT(with("machines: {left: [a, b, c], right: [c, d]}"),
                HasSubstr("unit \"c\" is on two machines, \"left\" and \"right\""));
    EXPECT_THAT(with("machines: {left: [a, b, c, d], right: []}"),
                HasSubstr("machine \"right\" has no units"));
    EXPECT_THAT(with("machines: {a: [a, b], right: [c, d]}"),
                HasSubstr("machine \"a\" is called as a unit is"));
    EXPECT_THAT(with("machines: {left: [a, b], right: [c, d]}\ncommunication: {step: 0.0015}"),
                HasSubstr("is no whole number of steps"));
    EXPECT_THAT(with("machines: {left: [a, b], right: [c, d]}\ncommunication: {step: -1}"),
                HasSubstr("communication.step is -1: it must be positive"));
    EXPECT_THAT(with("machines: {left: [a, b], right: [c, d]}").empty() ? "accepted" : "refused",
                HasSubstr("accepted"));
}

} // namespace
} // namespace rubato::test
