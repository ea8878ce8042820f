// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <rubato/scenario/residual.hpp>

#include <gmock/gmock.h>

namespace rubato::scenario::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto units = "rubato: 1\nunits: {a: {model: m}, b: {model: m}}\n";

Constraint without_place(Constraint constraint) {
    constraint.where = {};
    return constraint;
}

TEST(Constraints, AreReadAndWritten) {
    const Parsed parsed = parse(std::string(units) + R"(constraints:
  link: {equal: {x: [a.x, b.x], v: [a.v, b.v]}, by: {a.F: 1, b.F: -1}, method: stabilize, time-constant: 0.1}
  node: {equal: [a.u, b.u], by: {a.i: 2.5}, degree: 0, gain: [1, -2]}
)");
    EXPECT_EQ(parsed.said(), "");
    ASSERT_EQ(parsed.scenario.constraints.size(), 2u);
    const Constraint& link = parsed.scenario.constraints[0];
    EXPECT_EQ(link.levels[1], (Constraint::Level{"v", "a.v", "b.v"}));
    EXPECT_EQ(link.by[1], (Constraint::Effect{"b.F", -1}));
    EXPECT_EQ(link.method, ConstraintMethod::stabilize);
    const Parsed again = parse(write_yaml(parsed.scenario));
    EXPECT_EQ(again.said(), "");
    for (std::size_t c = 0; c < 2; ++c)
        EXPECT_EQ(without_place(again.scenario.constraints[c]),
                  without_place(parsed.scenario.constraints[c]));
}

TEST(Constraints, CanBelongToAUnit) {
    const Parsed parsed = parse(
        "rubato: 1\nunits:\n  l:\n    links: {k: {equal: [a.x, b.x], by: {a.F: 1}, gain: [-1]}}\n");
    EXPECT_EQ(parsed.said(), "");
    const auto& links = std::get<Links>(parsed.scenario.units[0].origin);
    EXPECT_EQ(links.links[0].gain, std::vector<double>{-1});
    EXPECT_THAT(write_yaml(parsed.scenario), HasSubstr("    links:\n      k:\n"));
}

TEST(Constraints, WeighTheirLevelsSoThatADeviationDecays) {
    Constraint constraint;
    constraint.levels = {{"x", "a.x", "b.x"}};
    EXPECT_THAT(level_weights(constraint), ElementsAre(1));
    constraint.time_constant = 0.5;
    constraint.levels.push_back({"v", "a.v", "b.v"});
    EXPECT_THAT(level_weights(constraint), ElementsAre(2, 1));
    constraint.levels.push_back({"a", "a.a", "b.a"}); // (d/dt + 2)² x
    EXPECT_THAT(level_weights(constraint), ElementsAre(4, 4, 1));
}

TEST(Constraints, SayWhatIsMissing) {
    const auto said = [](const std::string& constraint) {
        return parse(std::string(units) + "constraints: {link: " + constraint + "}\n").said();
    };
    EXPECT_THAT(said("{by: {a.F: 1}}"), HasSubstr("does not say what is to be equal"));
    EXPECT_THAT(said("{equal: [a.x, b], by: {a.F: 1}}"), HasSubstr("\"b\" names no output"));
    EXPECT_THAT(said("{equal: [a.x, b.x], by: {a.F: .nan}}"), HasSubstr("must be finite"));
    EXPECT_THAT(said("{equal: [a.x, b.x], by: {a.F: 0}}"), HasSubstr("finite and not 0"));
    EXPECT_THAT(said("{equal: [a.x, b.x], by: {F: 1}}"), HasSubstr("\"F\" names no input"));
    EXPECT_THAT(said("{equal: [a.x, b.x], by: {a.F: 1}, time-constant: 0}"),
                HasSubstr("time-constant is 0: it must be positive"));
    EXPECT_THAT(said("{equal: [a.x, b.x], by: {a.F: 1}, method: guess}"),
                HasSubstr("constraints.link.method cannot be \"guess\""));
}

TEST(Machines, AreReadAndWritten) {
    const Parsed parsed = parse(std::string(units) + R"(machines: {left: [a], right: [b]}
communication: {step: 0.5, extrapolation: quadratic, iterate: true}
)");
    EXPECT_EQ(parsed.said(), "");
    const std::string text = write_yaml(parsed.scenario);
    EXPECT_THAT(text,
                HasSubstr("machines:\n  left: [a]\n  right: [b]\ncommunication:\n  step: 0.5\n"));
    EXPECT_EQ(write_yaml(parse(text).scenario), text);
    EXPECT_THAT(parse(std::string(units) + "machines: {left: {a: 1}}\n").said(),
                HasSubstr("machines.left"));
}

TEST(Deviations, LeaveOutWhatIsUsual) {
    const Parsed parsed = parse(std::string(units) + "algorithm: jacobi\nexperiment: {stop: 1}\n");
    const std::string text = write_yaml(parsed.scenario, Detail::deviations);
    EXPECT_THAT(text, HasSubstr("algorithm:\n  recipe: jacobi\n"));
    EXPECT_THAT(text, HasSubstr("experiment:\n  stop: 1.0\n"));
    EXPECT_THAT(text, Not(HasSubstr("step-control")));
    EXPECT_EQ(write_yaml(parse(text).scenario), write_yaml(parsed.scenario));
}

TEST(Remarks, AreComments) {
    Parsed parsed = parse(units);
    parsed.scenario.units[1].remark.text =
        "a long remark about the unit, which goes on until the line is full, and then on the next "
        "line, as comments do";
    const std::string text = write_yaml(parsed.scenario);
    EXPECT_THAT(text, HasSubstr("  # a long remark about the unit"));
    EXPECT_THAT(text, HasSubstr("\n  # "));
    EXPECT_EQ(parse(text).said(), "");
}

} // namespace
} // namespace rubato::scenario::testing
