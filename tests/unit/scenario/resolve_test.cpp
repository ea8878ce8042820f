// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

namespace rubato::scenario::testing {
namespace {

/// A unit with an input and an output of every type, as `u_int8` and `y_int8`.
UnitDescription of_all_types() {
    UnitDescription description;
    for (int t = 0; t <= static_cast<int>(ValueType::clock); ++t) {
        const auto type = static_cast<ValueType>(t);
        const std::string suffix = "_" + std::string(to_string(type));
        description.variables.push_back(variable("u" + suffix, Causality::input, type));
        description.variables.push_back(variable("y" + suffix, Causality::output, type));
    }
    return description;
}

std::string problems_of(const std::string& connection, const UnitDescription& description) {
    return resolve_text("rubato: 1\nunits: {a: {model: m}, b: {model: m}}\nconnections:\n  - " +
                            connection + "\n",
                        {description, description})
        .problems();
}

TEST(Resolve, PortsAreInputsAndOutputsInTheOrderOfUnitsAndVariables) {
    const System system = resolve_two("").system;
    ASSERT_EQ(system.units.size(), 2u);
    ASSERT_EQ(system.ports.size(), 8u);
    EXPECT_EQ(system.name_of(nth<PortId>(0)), "a.u");
    EXPECT_EQ(system.name_of(nth<PortId>(3)), "a.z");
    EXPECT_EQ(system.name_of(nth<PortId>(4)), "b.u");
    EXPECT_EQ(system.port(nth<PortId>(4)).reference, 100u);
    EXPECT_EQ(system.port(nth<PortId>(2)).direction, Direction::output);
    EXPECT_EQ(system.units[1].inputs, (std::vector{nth<PortId>(4), nth<PortId>(5)}));
    EXPECT_EQ(system.units[1].outputs, (std::vector{nth<PortId>(6), nth<PortId>(7)}));
}

TEST(Resolve, ConnectionsBecomeLinks) {
    const Resolved resolved =
        resolve_two("connections:\n  - a.y -> b.u: {factor: 2, offset: 3}\n  - b.z -> a.w\n");
    EXPECT_EQ(resolved.problems(), "");
    ASSERT_EQ(resolved.system.links.size(), 2u);
    EXPECT_EQ(resolved.system.name_of(resolved.system.links[0].from), "a.y");
    EXPECT_EQ(resolved.system.name_of(resolved.system.links[0].to), "b.u");
    EXPECT_EQ(resolved.system.links[0].factor, 2);
    EXPECT_EQ(resolved.system.links[0].offset, 3);
    EXPECT_EQ(resolved.system.name_of(resolved.system.links[1].to), "a.w");
}

TEST(Resolve, UnknownUnitsAreNamedWithASuggestion) {
    EXPECT_EQ(resolve_two("connections:\n  - aa.y -> b.u\n").problems(),
              "s.yaml:6: the scenario has no unit \"aa\"\n"
              "  did you mean \"a\"? its units are: a, b\n");
}

TEST(Resolve, UnknownPortsAreNamedWithSuggestionsOfTheRightKind) {
    EXPECT_EQ(resolve_two("connections:\n  - a.yy -> b.uu\n").problems(),
              "s.yaml:6: unit \"a\" has no output \"yy\"\n"
              "  did you mean \"y\"? its outputs are: y, z\n"
              "s.yaml:6: unit \"b\" has no input \"uu\"\n"
              "  did you mean \"u\"? its inputs are: u, w\n");
}

TEST(Resolve, EndsOfTheWrongKindAreExplained) {
    EXPECT_EQ(resolve_two("connections:\n  - a.u -> b.y\n").problems(),
              "s.yaml:6: a.u is an input: a connection starts at an output\n"
              "  is the connection the wrong way round? write unit.output -> unit.input\n"
              "s.yaml:6: b.y is an output: a connection leads to an input\n"
              "  is the connection the wrong way round? write unit.output -> unit.input\n");
    EXPECT_EQ(resolve_two("connections:\n  - a.x -> b.m\n").problems(),
              "s.yaml:6: a.x is a local variable: a connection starts at an output\n"
              "s.yaml:6: b.m is a parameter: a connection leads to an input\n");
}

TEST(Resolve, AConnectionMayLeadToATunableParameter) {
    UnitDescription tunable = two_port();
    tunable.variables[4].variability = Variability::tunable;
    const auto resolve_with = [&](const std::string& connection) {
        return resolve_text(
            "rubato: 1\nunits: {a: {model: m}, b: {model: m, parameters: {m: 3}}}\n" + connection,
            {two_port(), tunable});
    };
    const Resolved connected = resolve_with("connections: [a.y -> b.m]\n");
    EXPECT_EQ(connected.problems(), "");
    ASSERT_EQ(connected.system.links.size(), 1u);
    const Port& port = connected.system.port(connected.system.links[0].to);
    EXPECT_EQ(port.name, "m");
    EXPECT_EQ(port.direction, Direction::input);
    EXPECT_FALSE(port.is_continuous);
    EXPECT_EQ(resolve_with("").system.units[1].inputs.size(), 2u) << "others are no ports";
    EXPECT_NE(problems_of("a.y -> b.m", two_port()).find("b.m is a parameter"), std::string::npos);
}

TEST(Resolve, AnInputHasOneSource) {
    EXPECT_EQ(resolve_two("connections:\n  - a.y -> b.u\n  - a.z -> b.u\n").problems(),
              "s.yaml:7: input b.u has two sources: a.y and a.z\n"
              "  the other is at s.yaml:6: remove one\n");
}

TEST(Resolve, AUnitMayFeedItself) {
    const Resolved resolved = resolve_two("connections:\n  - a.y -> a.u\n");
    EXPECT_EQ(resolved.problems(), "");
    ASSERT_EQ(resolved.system.links.size(), 1u);
    EXPECT_EQ(resolved.system.name_of(resolved.system.links[0].to), "a.u");
}

TEST(Resolve, TypesOfOneKindCanBeConnected) {
    for (const std::string connection :
         {"a.y_float32 -> b.u_float64", "a.y_int8 -> b.u_uint64", "a.y_enumeration -> b.u_int32",
          "a.y_boolean -> b.u_boolean", "a.y_string -> b.u_binary"}) {
        EXPECT_EQ(problems_of(connection, of_all_types()), "");
    }
}

TEST(Resolve, NumbersBecomeRealsAndBooleansNumbersWithoutSaying) {
    for (const std::string connection :
         {"a.y_int32 -> b.u_float64", "a.y_uint64 -> b.u_float32", "a.y_boolean -> b.u_float64",
          "a.y_boolean -> b.u_int8", "a.y_enumeration -> b.u_float64",
          "a.y_boolean -> b.u_float64: {factor: 2.5, offset: -1}",
          "a.y_int8 -> b.u_float64: {factor: 0.5}"}) {
        EXPECT_EQ(problems_of(connection, of_all_types()), "") << connection;
    }
}

TEST(Resolve, RealsBecomeIntegersAndBooleansAsIsSaid) {
    for (const std::string connection :
         {"a.y_float64 -> b.u_int8: {convert: round}",
          "a.y_float32 -> b.u_uint64: {convert: floor}",
          "a.y_float64 -> b.u_enumeration: {convert: ceiling}",
          "a.y_int32 -> b.u_int8: {factor: 0.5, convert: truncate}",
          "a.y_float64 -> b.u_boolean: {threshold: 0.5}",
          "a.y_float64 -> b.u_boolean: {convert: threshold, threshold: 0.5}",
          "a.y_int64 -> b.u_boolean: {convert: nonzero}"}) {
        EXPECT_EQ(problems_of(connection, of_all_types()), "") << connection;
    }
    EXPECT_EQ(problems_of("a.y_float64 -> b.u_int32", of_all_types()),
              "s.yaml:4: a.y_float64 -> b.u_int32 connects float64 (real) to int32 (integer)\n"
              "  say how: {convert: round}, floor, ceiling or truncate; factor and offset come "
              "first\n");
    EXPECT_EQ(problems_of("a.y_int32 -> b.u_boolean", of_all_types()),
              "s.yaml:4: a.y_int32 -> b.u_boolean connects int32 (integer) to boolean (boolean)\n"
              "  say how: {convert: nonzero}, or {threshold: 0.5} for true above 0.5\n");
    EXPECT_EQ(problems_of("a.y_float64 -> b.u_int32: {convert: nonzero}", of_all_types()),
              "s.yaml:4: a.y_float64 -> b.u_int32 connects float64 (real) to int32 (integer), "
              "which convert: nonzero does not do\n"
              "  say how: {convert: round}, floor, ceiling or truncate; factor and offset come "
              "first\n");
    EXPECT_EQ(problems_of("a.y_float64 -> b.u_float64: {convert: round}", of_all_types()),
              "s.yaml:4: a.y_float64 -> b.u_float64 connects float64 (real) to float64 (real), "
              "which convert: round does not do\n"
              "  leave convert out: nothing has to be rounded or compared\n");
}

TEST(Resolve, WhatIsConvertedToRealsIsNotExtrapolated) {
    UnitDescription description = of_all_types();
    description.capabilities.input_derivatives = 1;
    const Resolved resolved =
        resolve_text("rubato: 1\nunits:\n  a: {model: m}\n"
                     "  b: {model: m, inputs: {u_float64: {approximation: linear}}}\n"
                     "connections:\n  - a.y_boolean -> b.u_float64\n",
                     {description, description});
    EXPECT_EQ(resolved.problems(),
              "s.yaml:6: a.y_boolean -> b.u_float64 carries booleans, which hold between "
              "communication points, to an input whose approximation is linear\n"
              "  use constant for b.u_float64\n");
}

TEST(Resolve, TextsAreNotConverted) {
    EXPECT_EQ(problems_of("a.y_string -> b.u_boolean", of_all_types()),
              "s.yaml:4: a.y_string -> b.u_boolean connects string (string) to boolean (boolean)\n"
              "  texts cannot be converted: connect ports of one kind\n");
    EXPECT_NE(problems_of("a.y_float64 -> b.u_string: {convert: round}", of_all_types()), "");
}

TEST(Resolve, OnlyNumbersCanBeScaled) {
    EXPECT_EQ(problems_of("a.y_boolean -> b.u_boolean: {factor: 2}", of_all_types()),
              "s.yaml:4: a.y_boolean -> b.u_boolean has a factor or an offset, but carries a "
              "boolean\n  only numbers can be scaled\n");
    EXPECT_EQ(problems_of("a.y_int8 -> b.u_int8: {factor: 2, offset: -1}", of_all_types()), "");
    EXPECT_EQ(problems_of("a.y_int8 -> b.u_int8: {factor: 0.5}", of_all_types()),
              "s.yaml:4: a.y_int8 -> b.u_int8 carries integers, but its factor or offset is not "
              "whole\n  use whole numbers, or say how to round: {convert: round}\n");
}

TEST(Resolve, ClocksAreConnectedToClocksOfUnitsWithEventMode) {
    UnitDescription description = of_all_types();
    EXPECT_EQ(problems_of("a.y_clock -> b.u_clock", description),
              "s.yaml:4: clock a.y_clock cannot be connected: the unit, , has no event mode\n"
              "  run it by type: me, if it offers that: its clocks tick there\n"
              "s.yaml:4: clock b.u_clock cannot be connected: the unit, , has no event mode\n"
              "  run it by type: me, if it offers that: its clocks tick there\n");
    description.capabilities.event_mode = true;
    EXPECT_EQ(problems_of("a.y_clock -> b.u_boolean", description),
              "s.yaml:4: a.y_clock -> b.u_boolean connects a clock, but b.u_boolean is none\n"
              "  connect clocks to clocks\n");
}

TEST(Resolve, InputsThatCarryDerivativesAreNoPorts) {
    UnitDescription description = two_port();
    description.variables[1].derivative_of = 0;
    const Resolved resolved = resolve_text(
        "rubato: 1\nunits: {a: {model: m}, b: {model: m}}\nconnections:\n  - a.y -> b.w\n",
        {description, description});
    EXPECT_EQ(resolved.problems(), "s.yaml:4: b.w carries the derivative of another input, not a "
                                   "value of its own\n");
    EXPECT_EQ(resolved.system.units[0].inputs.size(), 1u);
}

TEST(Resolve, UnconnectedInputsAreNoted) {
    EXPECT_EQ(resolve_two("connections:\n  - a.y -> b.u\n  - a.z -> b.w\n").said(),
              "s.yaml:3: note: input a.u is not connected: it keeps its start value 0.5\n"
              "s.yaml:3: note: input a.w is not connected: it keeps its start value\n");
    EXPECT_EQ(resolve_one("    start: {u: 1.0, w: 2.0}\n").said(), "");
}

TEST(Resolve, UnitsHaveDifferentNames) {
    Scenario scenario;
    scenario.units.resize(2);
    scenario.units[0].name = scenario.units[1].name = "a";
    const std::vector<UnitDescription> descriptions(2);
    Diagnostics diagnostics;
    resolve(scenario, descriptions, diagnostics);
    EXPECT_EQ(text_of(diagnostics), "unit \"a\" is described twice\n");
}

TEST(Resolve, WantsADescriptionPerUnit) {
    Scenario scenario;
    scenario.units.resize(2);
    Diagnostics diagnostics;
    EXPECT_THROW(resolve(scenario, {}, diagnostics), std::logic_error);
}

TEST(Resolve, TenThousandUnitsInARingResolve) {
    constexpr std::size_t n = 10'000;
    Scenario scenario;
    for (std::size_t u = 0; u < n; ++u) {
        scenario.units.emplace_back().name = "u" + std::to_string(u);
        Connection& connection = scenario.connections.emplace_back();
        connection.from_unit = "u" + std::to_string(u);
        connection.to_unit = "u" + std::to_string((u + 1) % n);
        connection.from_port = "y";
        connection.to_port = "u";
    }
    const std::vector<UnitDescription> descriptions(n, two_port());
    Diagnostics diagnostics;
    const System system = resolve(scenario, descriptions, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_EQ(system.links.size(), n);
}

TEST(Resolve, ManyUnknownNamesAreAllReported) {
    Scenario scenario;
    for (std::size_t u = 0; u < 2'000; ++u) {
        scenario.units.emplace_back().name = "u" + std::to_string(u);
        Connection& connection = scenario.connections.emplace_back();
        connection.from_unit = connection.to_unit = "x" + std::to_string(u);
        connection.from_port = connection.to_port = "p";
    }
    const std::vector<UnitDescription> descriptions(scenario.units.size());
    Diagnostics diagnostics;
    resolve(scenario, descriptions, diagnostics);
    EXPECT_EQ(diagnostics.all().size(), 4'000u);
}

} // namespace
} // namespace rubato::scenario::testing
