// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

namespace rubato::scenario::testing {
namespace {

constexpr std::string_view complete = R"(rubato: 1
name: coupled-msd
units:
  msd1:
    fmu: ../fmus/msd1.fmu
    parameters: {m1: 1, c1: 5.0, label: "5", damped: true}
    start: {x1: 1.0}
    inputs:
      Fc: {approximation: linear, mode: extrapolate, contract: delayed}
    outputs:
      x1: {feedthrough: [], feedthrough-initial: [Fc], absolute-tolerance: 1e-3}
    can-reject-step: false
  msd2:
    model: msd2
connections:
  - msd1.x1 -> msd2.x1
  - msd1.v1 -> msd2.v1: {factor: 2, offset: 1}
experiment: {start: 1, stop: 20, step: 0.2, tolerance: 1e-6}
algorithm: {recipe: iterated-gauss-seidel, order: [msd2, msd1], iterations: 3,
            absolute-tolerance: 1e-8, relative-tolerance: 0, iteration-limit: 7, at-limit: accept}
record: {variables: [msd1.x1, "msd2.*"], every: 2, file: results/a.csv}
)";

TEST(Reader, ReadsUnits) {
    const Parsed parsed = parse(complete);
    ASSERT_EQ(parsed.said(), "");
    ASSERT_EQ(parsed.scenario.units.size(), 2u);
    const Unit& unit = parsed.scenario.units[0];
    EXPECT_EQ(unit.name, "msd1");
    EXPECT_EQ(unit.origin, UnitOrigin(FmuFile{"../fmus/msd1.fmu"}));
    EXPECT_EQ(unit.can_reject_step, false);
    EXPECT_EQ(unit.where, (Location{"s.yaml", 4, 3}));
    EXPECT_EQ(parsed.scenario.units[1].origin, UnitOrigin(NativeModel{"msd2"}));
    EXPECT_EQ(parsed.scenario.units[1].can_reject_step, std::nullopt);
}

TEST(Reader, ValuesKeepTheKindThatTheyShow) {
    const Unit unit = parse(complete).scenario.units.at(0);
    ASSERT_EQ(unit.parameters.size(), 4u);
    EXPECT_EQ(unit.parameters[0].value, Value(std::int64_t{1}));
    EXPECT_EQ(unit.parameters[1].value, Value(5.0));
    EXPECT_EQ(unit.parameters[2].value, Value(std::string("5")));
    EXPECT_EQ(unit.parameters[3].value, Value(true));
    ASSERT_EQ(unit.start.size(), 1u);
    EXPECT_EQ(unit.start[0].variable, "x1");
    EXPECT_EQ(unit.start[0].value, Value(1.0));
    EXPECT_EQ(unit.start[0].where.line, 7);
}

TEST(Reader, ReadsInputsAndOutputs) {
    const Unit unit = parse(complete).scenario.units.at(0);
    ASSERT_EQ(unit.inputs.size(), 1u);
    EXPECT_EQ(unit.inputs[0].name, "Fc");
    EXPECT_EQ(unit.inputs[0].approximation, Approximation::linear);
    EXPECT_EQ(unit.inputs[0].mode, ApproximationMode::extrapolate);
    EXPECT_EQ(unit.inputs[0].contract, Reactivity::delayed);
    ASSERT_EQ(unit.outputs.size(), 1u);
    EXPECT_EQ(unit.outputs[0].feedthrough, std::vector<std::string>{});
    EXPECT_EQ(unit.outputs[0].feedthrough_initial, std::vector<std::string>{"Fc"});
    EXPECT_EQ(unit.outputs[0].absolute_tolerance, 1e-3);
    EXPECT_EQ(unit.outputs[0].relative_tolerance, std::nullopt);
}

TEST(Reader, ReadsConnections) {
    const auto connections = parse(complete).scenario.connections;
    ASSERT_EQ(connections.size(), 2u);
    EXPECT_EQ(connections[0].from_unit, "msd1");
    EXPECT_EQ(connections[0].to_port, "x1");
    EXPECT_EQ(connections[0].factor, 1);
    EXPECT_EQ(connections[0].where.line, 16);
    EXPECT_EQ(connections[1].factor, 2);
    EXPECT_EQ(connections[1].offset, 1);
}

TEST(Reader, ReadsSettings) {
    const Scenario scenario = parse(complete).scenario;
    EXPECT_EQ(scenario.name, "coupled-msd");
    EXPECT_EQ(scenario.experiment.start, 1);
    EXPECT_EQ(scenario.experiment.stop, 20);
    EXPECT_EQ(scenario.experiment.step, 0.2);
    EXPECT_EQ(scenario.experiment.tolerance, 1e-6);
    EXPECT_EQ(scenario.algorithm.recipe, Recipe::iterated_gauss_seidel);
    EXPECT_EQ(scenario.algorithm.order, (std::vector<std::string>{"msd2", "msd1"}));
    EXPECT_EQ(scenario.algorithm.iterations, 3);
    EXPECT_EQ(scenario.algorithm.absolute_tolerance, 1e-8);
    EXPECT_EQ(scenario.algorithm.relative_tolerance, 0);
    EXPECT_EQ(scenario.algorithm.iteration_limit, 7);
    EXPECT_EQ(scenario.algorithm.at_limit, AtLimit::accept);
    EXPECT_EQ(scenario.recording.variables, (std::vector<std::string>{"msd1.x1", "msd2.*"}));
    EXPECT_EQ(scenario.recording.every, 2);
    EXPECT_EQ(scenario.recording.file, "results/a.csv");
}

TEST(Reader, ShortFormsStandForTheirMaps) {
    const Scenario scenario =
        parse("rubato: 1\nunits: {a: {model: m}}\nalgorithm: gauss-seidel\nrecord: [a.x]\n")
            .scenario;
    EXPECT_EQ(scenario.algorithm.recipe, Recipe::gauss_seidel);
    EXPECT_EQ(scenario.recording.variables, std::vector<std::string>{"a.x"});
}

TEST(Reader, MissingSectionsTakeTheirDefaults) {
    const Parsed parsed = parse("rubato: 1\nunits: {a: {model: m}}\n");
    EXPECT_EQ(parsed.said(), "");
    Experiment expected;
    expected.where = {"s.yaml", 0, 0};
    expected.open = {true, true, true, true};
    EXPECT_EQ(parsed.scenario.experiment, expected);
    EXPECT_EQ(parsed.scenario.name, "s");
}

TEST(Reader, AFileCalledScenarioIsNamedAfterItsFolder) {
    Diagnostics diagnostics;
    const Scenario scenario = parse_yaml("rubato: 1\nunits: {a: {model: m}}\n",
                                         "examples/crane/scenario.yaml", diagnostics);
    EXPECT_EQ(scenario.name, "crane");
}

TEST(Reader, EmptySectionsAreFine) {
    EXPECT_EQ(parse("rubato: 1\nunits:\n  a:\n    model: m\n    parameters:\nconnections:\n"
                    "experiment:\n")
                  .said(),
              "");
}

TEST(Reader, PortNamesMayContainDotsBracketsAndParentheses) {
    const auto connections =
        parse("rubato: 1\nunits: {a: {model: m}}\nconnections:\n"
              "  - a.der(x) -> b.c[1,2].d\n  - a.y->b.u\n  - \"a.y -> b.'x->y'\"\n")
            .scenario.connections;
    ASSERT_EQ(connections.size(), 3u);
    EXPECT_EQ(connections[0].from_port, "der(x)");
    EXPECT_EQ(connections[0].to_unit, "b");
    EXPECT_EQ(connections[0].to_port, "c[1,2].d");
    EXPECT_EQ(connections[1].to_port, "u");
    EXPECT_EQ(connections[2].to_port, "'x->y'");
}

TEST(Reader, ReadsHowConnectionsConvert) {
    const Parsed parsed = parse("rubato: 1\nunits: {a: {model: m}}\nconnections:\n"
                                "  - a.y -> b.u: {convert: round}\n"
                                "  - a.y -> b.v: {threshold: 0.5}\n"
                                "  - a.y -> b.w: {convert: false}\n");
    ASSERT_EQ(parsed.said(), "");
    const auto& connections = parsed.scenario.connections;
    EXPECT_EQ(connections[0].to_type, TypeConversion::round);
    EXPECT_TRUE(connections[0].convert);
    EXPECT_EQ(connections[1].to_type, TypeConversion::threshold);
    EXPECT_EQ(connections[1].threshold, 0.5);
    EXPECT_EQ(connections[2].to_type, std::nullopt);
    EXPECT_FALSE(connections[2].convert);
}

TEST(Reader, RefusesConversionsThatItDoesNotKnow) {
    EXPECT_EQ(said_of("connections: [a.y -> b.u: {convert: rounds}]\n"),
              "s.yaml:3: connection a.y -> b.u.convert cannot be \"rounds\"\n"
              "  did you mean \"round\"? its values are: round, floor, ceiling, truncate, nonzero, "
              "threshold\n");
    EXPECT_EQ(said_of("connections: [a.y -> b.u: {convert: threshold}]\n"),
              "s.yaml:3: connection a.y -> b.u.convert lacks its threshold\n"
              "  write {convert: threshold, threshold: 0.5}: true is what exceeds 0.5\n");
    EXPECT_EQ(said_of("connections: [a.y -> b.u: {convert: round, threshold: 1}]\n"),
              "s.yaml:3: connection a.y -> b.u.convert has a threshold, but converts by round\n"
              "  write {convert: threshold, threshold: 0.5}: true is what exceeds 0.5\n");
}

TEST(Reader, RefusesWhatIsNoConnection) {
    for (const std::string text : {"a.y", "a.y -> b", "a -> b.u", "a.y -> b.u -> c.u", ".y -> b.u",
                                   "a. -> b.u", "-> b.u", "a.y -> "}) {
        EXPECT_EQ(said_of("connections:\n  - '" + text + "'\n"),
                  "s.yaml:4: \"" + text +
                      "\" is not a connection\n  write unit.output -> unit.input\n");
    }
    EXPECT_EQ(said_of("connections:\n  - [a]\n"),
              "s.yaml:4: an item of connections cannot be a list\n"
              "  write unit.output -> unit.input\n");
    EXPECT_EQ(said_of("connections:\n  - {a.y -> b.u: {}, a.z -> b.v: {}}\n"),
              "s.yaml:4: an item of connections has 2 keys\n"
              "  write one connection per item: - a.y -> b.u: {factor: 2, offset: 1}\n");
    EXPECT_EQ(said_of("connections: {a: b}\n"), "s.yaml:3: connections wants a list, not a map\n");
}

TEST(Reader, UnknownKeysAreNamedWithASuggestion) {
    EXPECT_EQ(said_of("experiment: {stepp: 1}\n"),
              "s.yaml:3: unknown key \"experiment.stepp\"\n  did you mean \"step\"? "
              "the keys of experiment are: start, stop, step, minimum-step, maximum-step, "
              "after-partial-step, "
              "tolerance\n");
    EXPECT_EQ(said_of("conections: []\n"),
              "s.yaml:3: unknown key \"conections\"\n  did you mean \"connections\"? the keys are: "
              "rubato, name, units, connections, bonds, constraints, machines, placement, "
              "communication, experiment, step-control, step-limits, … (22 in all)\n");
    EXPECT_EQ(said_of("connections:\n  - a.y -> b.u: {gain: 2}\n"),
              "s.yaml:4: unknown key \"connection a.y -> b.u.gain\"\n"
              "  the keys of connection a.y -> b.u are: factor, offset, convert, threshold\n");
}

TEST(Reader, UnknownWordsAreNamedWithASuggestion) {
    EXPECT_EQ(said_of("algorithm: gaus-seidel\n"),
              "s.yaml:3: algorithm.recipe cannot be \"gaus-seidel\"\n"
              "  did you mean \"gauss-seidel\"? its values are: synthesized, jacobi, "
              "gauss-seidel, iterated-jacobi, iterated-gauss-seidel, adaptive-gauss-seidel, "
              "waveform-jacobi, waveform-gauss-seidel\n");
}

TEST(Reader, WrongKindsAreNamed) {
    EXPECT_EQ(said_of("experiment: {step: {a: 1}}\n"),
              "s.yaml:3: experiment.step wants a number, not a map\n");
    EXPECT_EQ(said_of("experiment: {step: fast}\n"),
              "s.yaml:3: experiment.step wants a number: \"fast\" is not a number\n");
    EXPECT_EQ(said_of("experiment: {step: \"1\"}\n"),
              "s.yaml:3: experiment.step wants a number, not \"1\"\n"
              "  what stands in quotes is text\n");
    EXPECT_EQ(said_of("experiment: {step:}\n"),
              "s.yaml:3: experiment.step wants a number, not nothing\n");
    EXPECT_EQ(said_of("experiment: 5\n"), "s.yaml:3: experiment wants a map, not \"5\"\n");
    EXPECT_EQ(said_of("record: {every: 1.5}\n"),
              "s.yaml:3: record.every wants a whole number, not \"1.5\"\n");
    EXPECT_EQ(said_of("record: {every: 99999999999}\n"),
              "s.yaml:3: record.every is 99999999999: at most 2147483647 is possible\n");
    EXPECT_EQ(said_of("record: {variables: a.x}\n"),
              "s.yaml:3: record.variables wants a list, not \"a.x\"\n");
    EXPECT_EQ(said_of("name: [a]\n"), "s.yaml:3: name wants a text, not a list\n");
    EXPECT_EQ(said_of("name: \"\"\n"), "s.yaml:3: name is empty\n");
    EXPECT_EQ(said_of("name: ../up\n"), "s.yaml:3: the name \"../up\" contains a slash\n"
                                        "  results are named after it: use a plain word\n");
}

TEST(Reader, NumbersMustBeFinite) {
    for (const std::string text : {".nan", "-.inf", "nan", ".Inf", "infinity"}) {
        EXPECT_EQ(said_of("experiment: {step: " + text + "}\n"),
                  "s.yaml:3: experiment.step wants a number: \"" + text + "\" must be finite\n");
    }
    EXPECT_EQ(said_of("experiment: {step: 1e999}\n"),
              "s.yaml:3: experiment.step wants a number: \"1e999\" is beyond the range of a "
              "double\n");
}

TEST(Reader, NumbersMayBeWrittenInAllUsualWays) {
    for (const std::string text : {"+2", "2.", "2.0", "2e0", ".2e1", "0.2E+1"}) {
        const Parsed parsed =
            parse("rubato: 1\nunits: {a: {model: m}}\nexperiment: {stop: " + text + "}\n");
        EXPECT_EQ(parsed.said(), "") << text;
        EXPECT_EQ(parsed.scenario.experiment.stop, 2) << text;
    }
}

TEST(Reader, WordsAsValuesAreTexts) {
    const Parsed parsed = parse("rubato: 1\nunits: {a: {model: m, parameters: {file: data}}}\n");
    EXPECT_EQ(parsed.said(), "");
    EXPECT_EQ(parsed.scenario.units.at(0).parameters.at(0).value, Value(std::string("data")));
}

TEST(Reader, DuplicatedKeysAreReported) {
    EXPECT_EQ(said_of("experiment:\n  step: 1\n  stop: 2\n  step: 3\n"),
              "s.yaml:6: experiment.step occurs twice\n  the first is in line 4\n");
    EXPECT_EQ(parse("rubato: 1\nunits:\n  a: {model: m}\n  a: {model: n}\n").said(),
              "s.yaml:4: units.a occurs twice\n  the first is in line 3\n");
}

TEST(Reader, VersionAndUnitsAreRequired) {
    EXPECT_EQ(parse("name: x\n").said(),
              "s.yaml:1: the key \"rubato\" is missing\n"
              "  begin the file with its format version: rubato: 1\n"
              "s.yaml: the key \"units\" is missing\n"
              "  a scenario has at least one unit: units: {msd1: {fmu: msd1.fmu}}\n");
    EXPECT_EQ(parse("rubato: 1\nunits: {}\n").said(), "s.yaml:2: the scenario has no units\n");
    EXPECT_EQ(parse("rubato: 2\nunits: {a: {model: m}}\n").said(),
              "s.yaml:1: this file is of format version 2\n  this Rubato reads version 1\n");
}

TEST(Reader, AllProblemsAreReportedAtOnce) {
    const Parsed parsed = parse("rubato: 3\nunits: {a: {}}\nconnections: [x]\n"
                                "experiment: {step: no, stopp: 1}\nalgorithm: {at-limit: go}\n");
    EXPECT_EQ(parsed.diagnostics.all().size(), 6u) << parsed.said();
}

TEST(Reader, RandomDamageIsReportedNotFatal) {
    for (std::size_t i = 0; i < complete.size(); ++i) {
        for (const char c : {'{', ':', '"', '\0', '\xff', '-', '*'}) {
            std::string damaged(complete);
            damaged[i] = c;
            EXPECT_NO_THROW(parse(damaged));
        }
        EXPECT_NO_THROW(parse(complete.substr(0, i)));
    }
}

} // namespace
} // namespace rubato::scenario::testing
