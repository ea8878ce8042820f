// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

namespace rubato::scenario::testing {
namespace {

Resolved resolve_units(const std::string& a, const std::string& b, const std::string& rest,
                       std::vector<UnitDescription> units = {two_port(), two_port()}) {
    return resolve_text(
        "rubato: 1\nunits:\n  a: {model: m, " + a + "}\n  b: {model: m" + b + "}\n" + rest, units);
}

const std::string tenths = "experiment: {stop: 10.0, step: 0.1}\n";

TEST(OwnSteps, MultiplesAndFractionsOfTheCommunicationStepNeedNoWord) {
    for (const char* step : {"0.1", "0.2", "1", "10.0", "0.05", "0.0001", "0.3"})
        EXPECT_EQ(resolve_units(std::string("step: ") + step, "", tenths).problems(), "") << step;
}

TEST(OwnSteps, ArePositive) {
    for (const char* step : {"0", "-0.5", "-1e300"})
        EXPECT_NE(resolve_units(std::string("step: ") + step, "", tenths)
                      .problems()
                      .find("s.yaml:3: units.a.step is "),
                  std::string::npos)
            << step;
    EXPECT_EQ(resolve_units("step: 0", "", tenths).problems(),
              "s.yaml:3: units.a.step is 0: it must be positive\n");
}

TEST(OwnSteps, ThatRarelyMeetTheOthersAreNamed) {
    const Resolved resolved = resolve_units("step: 0.15", "", tenths);
    EXPECT_EQ(resolved.problems(), "");
    EXPECT_NE(
        resolved.said().find("unit \"a\" is at a communication point only after every 2 of "
                             "its steps: its step is 0.15 s, that of the communication 0.1 s"),
        std::string::npos);
    EXPECT_EQ(resolve_units("step: 0.31415926", "", tenths).problems(),
              "s.yaml:3: warning: the points of unit \"a\", every 0.31415926 s, never meet the "
              "communication points, every 0.1 s: others see its outputs late\n"
              "  make its step a multiple or a fraction of experiment.step\n");
}

TEST(OwnSteps, LongerThanTheRunAreNamed) {
    EXPECT_EQ(resolve_units("step: 20", "", tenths).problems(),
              "s.yaml:3: warning: unit \"a\" makes a single step, at the end: its step, 20 s, is "
              "longer than the run, which is 10 s\n"
              "  give it a shorter step, or the run a later stop\n");
}

TEST(OwnSteps, AreNotForUnitsWithEventMode) {
    std::vector<UnitDescription> units = {two_port(), two_port()};
    units[0].capabilities.event_mode = true;
    EXPECT_EQ(resolve_units("step: 0.2", "", tenths, units).problems(),
              "s.yaml:3: unit \"a\" cannot have a step of its own: it handles events together with "
              "other units, which may be between its points\n"
              "  remove step; to divide the steps of all into parts, use sub-steps\n");
}

TEST(OwnSteps, OfConnectedUnitsCannotAllBeShorterThanTheCommunicationStep) {
    EXPECT_EQ(resolve_units("step: 0.01", ", step: 0.02", "connections: [a.y -> b.u]\n" + tenths)
                  .problems(),
              "s.yaml:4: warning: units \"a\" and \"b\" make steps of 0.01 s and 0.02 s, but "
              "exchange values every 0.1 s\n"
              "  use experiment.step: 0.01; units that need no such short steps have their own\n");
}

TEST(OwnSteps, ShorterOnesLetInputsMoveThatTheUnitCanOnlyHold) {
    const std::string moving = ", inputs: {u: {approximation: quadratic}}";
    EXPECT_EQ(resolve_units("step: 0.01" + moving, "", tenths).problems(), "");
    EXPECT_NE(resolve_units("step: 0.2" + moving, "", tenths)
                  .problems()
                  .find("unit \"a\" cannot take input derivatives of order 2"),
              std::string::npos);
}

TEST(OwnSteps, OutputsInBetweenAreAsTheInputsThatTheyFeedNeedThem) {
    std::vector<UnitDescription> units = {two_port(), two_port()};
    units[1].capabilities.input_derivatives = 2;
    const auto approximation = [&](const std::string& a, const std::string& b) {
        const Resolved resolved =
            resolve_units(a, b, "connections: [a.y -> b.u, a.z -> b.w]\n" + tenths, units);
        EXPECT_EQ(resolved.problems(), "");
        return resolved.system.port(resolved.system.units[0].outputs[0]).approximation;
    };
    const std::string linear = ", inputs: {u: {approximation: linear}}";
    EXPECT_EQ(approximation("step: 1", ""), Approximation::constant);
    EXPECT_EQ(approximation("step: 1", linear), Approximation::linear);
    EXPECT_EQ(approximation("step: 1, outputs: {y: {approximation: constant}}", linear),
              Approximation::constant);
    EXPECT_EQ(approximation("step: 1, outputs: {y: {approximation: quadratic}}", ""),
              Approximation::quadratic);
}

TEST(OwnSteps, OutputsThatCannotMoveAreHeld) {
    std::vector<UnitDescription> units = {two_port(), two_port()};
    units[0].variables[2].type = ValueType::int32;
    units[0].variables[2].variability = Variability::discrete;
    EXPECT_EQ(resolve_units("step: 1, outputs: {y: {approximation: linear}}", "", tenths, units)
                  .problems(),
              "s.yaml:3: output \"y\" of unit \"a\" cannot be extrapolated: it is no continuous "
              "real scalar\n  use constant\n");
    EXPECT_EQ(resolve_units("outputs: {y: {approximation: linear}}", "", tenths).problems(),
              "s.yaml:3: warning: the approximation of output \"y\" has no effect: unit \"a\" has "
              "no step of its own\n"
              "  give the unit a step, or approximate the inputs that the output feeds\n");
}

} // namespace
} // namespace rubato::scenario::testing
