// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <gmock/gmock.h>

namespace rubato::scenario::testing {
namespace {

const PortId u = nth<PortId>(0), w = nth<PortId>(1), y = nth<PortId>(2), z = nth<PortId>(3);
using Ports = std::vector<PortId>;

UnitDescription with_derivatives(unsigned order) {
    UnitDescription description = two_port();
    description.capabilities.input_derivatives = order;
    return description;
}

TEST(Contracts, InputsAreAssumedToBeDelayedAndHeld) {
    const Port input = resolve_one("").system.port(u);
    EXPECT_EQ(input.reactivity, Reactivity::delayed);
    EXPECT_EQ(input.reactivity_origin, Origin::assumed);
    EXPECT_EQ(input.approximation, Approximation::constant);
}

TEST(Contracts, ContractAndModeImplyEachOther) {
    const System system = resolve_one("    inputs:\n      u: {contract: reactive}\n"
                                      "      w: {mode: interpolate}\n")
                              .system;
    EXPECT_EQ(system.port(u).reactivity, Reactivity::reactive);
    EXPECT_EQ(system.port(u).reactivity_origin, Origin::scenario);
    EXPECT_EQ(system.port(w).reactivity, Reactivity::reactive);
    EXPECT_EQ(system.port(w).reactivity_origin, Origin::scenario);
    const System delayed = resolve_one("    inputs: {u: {mode: extrapolate}}\n").system;
    EXPECT_EQ(delayed.port(u).reactivity, Reactivity::delayed);
    EXPECT_EQ(delayed.port(u).reactivity_origin, Origin::scenario);
}

TEST(Contracts, ContractAndModeMustAgree) {
    EXPECT_EQ(resolve_one("    inputs: {u: {contract: reactive, mode: extrapolate}}\n").problems(),
              "s.yaml:5: input \"u\" of unit \"a\" cannot be reactive and extrapolated\n"
              "  reactive inputs are interpolated, delayed ones extrapolated: give one of the "
              "two\n");
    EXPECT_EQ(resolve_one("    inputs: {u: {contract: delayed, mode: extrapolate}}\n").problems(),
              "");
}

TEST(Contracts, ApproximationTakesAUnitThatTakesDerivatives) {
    const std::string linear = "    inputs: {u: {approximation: linear}}\n";
    const std::string quadratic = "    inputs: {u: {approximation: quadratic}}\n";
    const Resolved fine = resolve_one(linear, with_derivatives(1));
    EXPECT_EQ(fine.problems(), "");
    EXPECT_EQ(fine.system.port(u).approximation, Approximation::linear);
    EXPECT_EQ(resolve_one(quadratic, with_derivatives(2)).problems(), "");
    EXPECT_EQ(
        resolve_one(linear).problems(),
        "s.yaml:5: unit \"a\" cannot take input derivatives of order 1, which approximation "
        "linear of input \"u\" needs\n  cut its steps, so that the input can change between the "
        "parts: sub-steps: 10; or use constant\n");
    EXPECT_EQ(
        resolve_one(quadratic, with_derivatives(1)).problems(),
        "s.yaml:5: unit \"a\" cannot take input derivatives of order 2, which approximation "
        "quadratic of input \"u\" needs\n  cut its steps, so that the input can change between "
        "the parts: sub-steps: 10; or use constant or linear\n");
}

TEST(Contracts, OnlyRealsAreApproximated) {
    UnitDescription description = with_derivatives(2);
    description.variables[0].type = ValueType::int32;
    EXPECT_EQ(resolve_one("    inputs: {u: {approximation: linear}}\n", description).problems(),
              "s.yaml:5: input \"u\" of unit \"a\" is of type int32: its approximation cannot be "
              "linear\n  use constant\n");
}

TEST(Contracts, WhatIsDiscreteHolds) {
    UnitDescription description = with_derivatives(2);
    description.variables[0].variability = Variability::discrete;
    EXPECT_EQ(resolve_one("    inputs: {u: {approximation: linear}}\n", description).problems(),
              "s.yaml:5: input \"u\" of unit \"a\" is discrete: its approximation cannot be "
              "linear; the unit, , declares variability discrete\n"
              "  use constant: it holds between events; if it moves all the same, write inputs: "
              "{u: {variability: continuous}}\n");
}

TEST(Contracts, TheScenarioMaySayWhatIsContinuous) {
    UnitDescription description = with_derivatives(2);
    description.variables[0].variability = Variability::discrete;
    const Resolved resolved =
        resolve_one("    inputs: {u: {approximation: linear, variability: "
                    "continuous}}\n    outputs: {y: {variability: discrete}}\n",
                    description);
    EXPECT_EQ(resolved.problems(), "");
    EXPECT_TRUE(resolved.system.ports[0].is_continuous);
    EXPECT_TRUE(resolved.system.ports[1].is_continuous);
    EXPECT_FALSE(resolved.system.ports[2].is_continuous);
    EXPECT_EQ(
        resolve_one("    inputs: {w: {approximation: linear, variability: discrete}}\n",
                    description)
            .problems(),
        "s.yaml:5: input \"w\" of unit \"a\" is discrete: its approximation cannot be linear; the "
        "scenario says that it is discrete\n  use constant: it holds between events\n");
}

TEST(Contracts, OnlyRealsAreContinuous) {
    UnitDescription description = two_port();
    description.variables[0].type = ValueType::boolean;
    EXPECT_EQ(resolve_one("    inputs: {u: {variability: continuous}}\n", description).problems(),
              "s.yaml:5: a.u is of type boolean: it cannot be continuous\n"
              "  only reals are: remove variability\n");
    EXPECT_EQ(resolve_one("    inputs: {u: {variability: fixed}}\n").problems(),
              "s.yaml:5: variability of a.u cannot be fixed\n  a port is continuous or discrete\n");
}

TEST(Contracts, AModelExchangeSolverHoldsWhatTheFmuDeclaresDiscrete) {
    UnitDescription description = with_derivatives(2);
    description.variables[0].variability = Variability::discrete;
    description.interface = Interface::model_exchange;
    EXPECT_THAT(resolve_one("    inputs: {u: {approximation: linear, variability: continuous}}\n",
                            description)
                    .problems(),
                ::testing::HasSubstr("the FMU declares it discrete"));
}

TEST(Contracts, SettingsOfUnknownPortsAreReported) {
    EXPECT_EQ(resolve_one("    inputs: {uu: {contract: delayed}}\n").problems(),
              "s.yaml:5: unit \"a\" has no input \"uu\"\n"
              "  did you mean \"u\"? its inputs are: u, w\n");
    EXPECT_EQ(resolve_one("    inputs: {y: {contract: delayed}}\n").problems(),
              "s.yaml:5: unit \"a\" has no input \"y\"\n"
              "  did you mean \"u\"? its inputs are: u, w\n");
    EXPECT_EQ(resolve_one("    outputs: {u: {feedthrough: []}}\n").problems(),
              "s.yaml:5: unit \"a\" has no output \"u\"\n"
              "  did you mean \"y\"? its outputs are: y, z\n");
}

TEST(Contracts, OutputsAreAssumedToDependOnAllInputs) {
    const Port output = resolve_one("").system.port(y);
    EXPECT_EQ(output.feedthrough, (Ports{u, w}));
    EXPECT_EQ(output.feedthrough_initial, (Ports{u, w}));
    EXPECT_EQ(output.feedthrough_origin, Origin::assumed);
}

TEST(Contracts, TheModelDescriptionTellsFeedthrough) {
    UnitDescription description = two_port();
    description.dependencies = {{2, std::vector<std::uint32_t>{1}, std::nullopt},
                                {3, std::vector<std::uint32_t>{}, std::vector<std::uint32_t>{0}}};
    const System system = resolve_one("", description).system;
    EXPECT_EQ(system.port(y).feedthrough, Ports{w});
    EXPECT_EQ(system.port(y).feedthrough_initial, Ports{w});
    EXPECT_EQ(system.port(y).feedthrough_origin, Origin::model_description);
    EXPECT_EQ(system.port(z).feedthrough, Ports{});
    EXPECT_EQ(system.port(z).feedthrough_initial, Ports{u});
}

TEST(Contracts, TheScenarioOverridesTheModelDescription) {
    UnitDescription description = two_port();
    description.dependencies = {{2, std::vector<std::uint32_t>{1}, std::vector<std::uint32_t>{1}}};
    const System system = resolve_one("    outputs:\n      y: {feedthrough: [u]}\n"
                                      "      z: {feedthrough: [], feedthrough-initial: [w, w]}\n",
                                      description)
                              .system;
    EXPECT_EQ(system.port(y).feedthrough, Ports{u});
    EXPECT_EQ(system.port(y).feedthrough_initial, Ports{u});
    EXPECT_EQ(system.port(y).feedthrough_origin, Origin::scenario);
    EXPECT_EQ(system.port(z).feedthrough, Ports{});
    EXPECT_EQ(system.port(z).feedthrough_initial, Ports{w});
}

TEST(Contracts, OnlyInputsFeedThrough) {
    EXPECT_EQ(resolve_one("    outputs: {y: {feedthrough: [u, m]}}\n").problems(),
              "s.yaml:5: unit \"a\" has no input \"m\"\n"
              "  did you mean \"u\"? its inputs are: u, w\n");
}

TEST(Contracts, OutputsMayHaveTolerancesOfTheirOwn) {
    UnitDescription description = two_port();
    description.variables[3].nominal = -100;
    const System system = resolve_one("    outputs: {y: {absolute-tolerance: 1e-3}, "
                                      "z: {relative-tolerance: 0}}\n",
                                      description)
                              .system;
    EXPECT_EQ(system.port(y).absolute_tolerance, 1e-3);
    EXPECT_EQ(system.port(y).relative_tolerance, std::nullopt);
    EXPECT_EQ(system.port(y).nominal, 1);
    EXPECT_EQ(system.port(z).relative_tolerance, 0);
    EXPECT_EQ(system.port(z).nominal, 100);
    description.variables[3].nominal = 0;
    EXPECT_EQ(resolve_one("", description).system.port(z).nominal, 1);
}

TEST(Contracts, TolerancesAreOfRealsAndNotNegative) {
    UnitDescription description = two_port();
    description.variables[3].type = ValueType::int32;
    EXPECT_EQ(resolve_one("    outputs:\n"
                          "      y: {absolute-tolerance: -1, relative-tolerance: -0.5}\n"
                          "      z: {absolute-tolerance: 1}\n",
                          description)
                  .problems(),
              "s.yaml:6: absolute-tolerance of output \"y\" of unit \"a\" is -1: it must not be "
              "negative\n"
              "s.yaml:6: relative-tolerance of output \"y\" of unit \"a\" is -0.5: it must not be "
              "negative\n"
              "s.yaml:7: output \"z\" of unit \"a\" is of type int32: it has no "
              "absolute-tolerance\n  it has converged when it is the same twice\n");
}

TEST(Contracts, PortsKnowWhereTheyWereDeclared) {
    const System system = resolve_one("    inputs: {u: {}}\n    outputs: {y: {}}\n").system;
    EXPECT_EQ(system.units[0].where.line, 3);
    EXPECT_EQ(system.port(u).where.line, 5);
    EXPECT_EQ(system.port(w).where.line, 3);
    EXPECT_EQ(system.port(y).where.line, 6);
}

TEST(Contracts, UnitsRollBackWhenTheyHaveSnapshots) {
    UnitDescription description = two_port();
    EXPECT_FALSE(resolve_one("", description).system.units[0].can_roll_back);
    description.capabilities.snapshots = true;
    EXPECT_TRUE(resolve_one("", description).system.units[0].can_roll_back);
}

TEST(Contracts, UnitsRejectStepsWhenTheScenarioSaysSo) {
    const SystemUnit assumed = resolve_one("").system.units[0];
    EXPECT_FALSE(assumed.can_reject_step);
    EXPECT_EQ(assumed.can_reject_origin, Origin::assumed);
    const SystemUnit told = resolve_one("    can-reject-step: true\n").system.units[0];
    EXPECT_TRUE(told.can_reject_step);
    EXPECT_EQ(told.can_reject_origin, Origin::scenario);
}

} // namespace
} // namespace rubato::scenario::testing
