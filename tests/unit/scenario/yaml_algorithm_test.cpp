// SPDX-License-Identifier: Apache-2.0
#include "essence.hpp"
#include "support.hpp"

namespace rubato::scenario::testing {
namespace {

void expect_said(std::string_view rest, const std::string& part) {
    const std::string said = said_of(rest);
    EXPECT_NE(said.find(part), std::string::npos) << rest << "\nsaid: " << said;
}

void expect_to_read_what_is_written(const Scenario& scenario) {
    const std::string text = write_yaml(scenario);
    const Parsed parsed = parse(text);
    EXPECT_EQ(parsed.said(), "") << text;
    EXPECT_EQ(essence(parsed.scenario), essence(scenario)) << text;
}

TEST(YamlAlgorithm, IsReadAsItIsWritten) {
    const Parsed parsed = parse(R"(rubato: 1
units: {a: {model: m}, b: {model: m}}
algorithm:
  absolute-tolerance: 0.5
  initialization:
    - get: a.y
    - set: b.u
  step:
    - save-state: a
    - loop:
        until-step-accept: [a]
        iterate:
          - {step: a, by: 1}
          - {step: b, by-same-as: a}
          - loop: {until-converged: [a.y], iterate: [{get-tentative: a.y}]}
        if-retry-needed:
          - restore-state: a
    - parallel:
        - [get: a.y]
        - [get: b.y, set: a.u]
)");
    ASSERT_EQ(parsed.said(), "");
    EXPECT_EQ(parsed.scenario.algorithm.absolute_tolerance, 0.5);
    const WrittenAlgorithm& written = parsed.scenario.written.value();
    ASSERT_EQ(written.initialization.size(), 2u);
    EXPECT_EQ(written.initialization[1].where.line, 7);
    ASSERT_EQ(written.steps.size(), 1u);
    EXPECT_EQ(written.steps[0].name, unnamed_procedure);
    const WrittenOp& loop = written.steps[0].body.at(1);
    EXPECT_EQ(loop.until_step_accept, std::vector<std::string>{"a"});
    EXPECT_EQ(loop.iterate.at(1).by_same_as, "a");
    EXPECT_EQ(loop.iterate.at(2).iterate.at(0).operation, Operation::get_tentative);
    EXPECT_EQ(loop.if_retry_needed.size(), 1u);
    EXPECT_EQ(written.steps[0].body.at(2).branches.at(1).size(), 2u);
    expect_to_read_what_is_written(parsed.scenario);
}

TEST(YamlAlgorithm, IsEitherNamedOrWritten) {
    expect_said("algorithm: {recipe: jacobi, step: []}\n",
                "s.yaml:3: the algorithm is both named and written out");
    expect_said("algorithm: {step: [], steps: {}}\n", "algorithm has both step and steps");
    expect_said("algorithm: {steps: []}\n", "algorithm.steps wants a map, not a list");
    expect_said("algorithm: {step: [{gett: a.y}]}\n", "did you mean \"get\"?");
    EXPECT_EQ(said_of("algorithm: gauss-seidel\n"), "");
}

TEST(YamlConfigurations, AreReadAsTheyAreWritten) {
    const Parsed parsed = parse(R"(rubato: 1
units: {a: {model: m}, b: {model: m}}
connections: [a.y -> b.u]
largest-step: 3
configurations:
  near: {procedure: one, inputs: {b.u: reactive}, connections: [a.z -> b.u]}
  far: {}
algorithm: {steps: {one: [step: a], far: [step: b]}}
)");
    ASSERT_EQ(parsed.said(), "");
    EXPECT_EQ(parsed.scenario.largest_step, 3);
    ASSERT_EQ(parsed.scenario.configurations.size(), 2u);
    const ConfigurationSettings& near = parsed.scenario.configurations[0];
    EXPECT_EQ(near.procedure, "one");
    EXPECT_EQ(near.contracts.at(0).reactivity, Reactivity::reactive);
    EXPECT_EQ(near.connections.at(0).from_port, "z");
    const ConfigurationSettings& far = parsed.scenario.configurations[1];
    EXPECT_EQ(far.procedure, "far");
    EXPECT_EQ(far.connections.at(0).from_port, "y");
    expect_to_read_what_is_written(parsed.scenario);
}

TEST(YamlConfigurations, AreChecked) {
    expect_said("largest-step: 0\n", "s.yaml:3: largest-step is 0: it must be at least 1");
    expect_said("configurations: {one: {inputs: {u: delayed}}}\n", "\"u\" is not an input");
    expect_said("configurations: {one: {inputs: {a.u: slow}}}\n",
                "configurations.one.inputs.a.u cannot be \"slow\"");
    expect_said("configurations: {one: {procedur: x}}\n", "did you mean \"procedure\"?");
}

TEST(YamlConfigurations, BecomePartOfTheSystem) {
    const Resolved good =
        resolve_two("connections: [a.y -> b.u, b.y -> a.u]\nlargest-step: 2\nconfigurations:\n"
                    "  one: {inputs: {b.u: reactive}}\n  two: {connections: [a.z -> b.u]}\n");
    EXPECT_EQ(good.problems(), "");
    EXPECT_EQ(good.system.largest_step, 2);
    ASSERT_EQ(good.system.configurations.size(), 2u);
    EXPECT_EQ(good.system.name_of(good.system.configurations[0].contracts.at(0).input), "b.u");
    EXPECT_EQ(good.system.configurations[0].links.size(), 2u);
    EXPECT_EQ(good.system.name_of(good.system.configurations[1].links.at(0).from), "a.z");

    const std::string bad =
        resolve_two("configurations:\n  one:\n    inputs:\n      c.u: reactive\n"
                    "      b.v: reactive\n      b.y: reactive\n    connections: [a.y -> b.y]\n")
            .problems();
    EXPECT_NE(bad.find("s.yaml:8: the scenario has no unit \"c\""), std::string::npos) << bad;
    EXPECT_NE(bad.find("s.yaml:9: unit \"b\" has no input \"v\""), std::string::npos) << bad;
    EXPECT_NE(bad.find("s.yaml:10: unit \"b\" has no input \"y\""), std::string::npos) << bad;
    EXPECT_NE(bad.find("s.yaml:11: b.y is an output"), std::string::npos) << bad;
}

TEST(YamlClocks, AreReadAsTheyAreWritten) {
    const Parsed parsed = parse(R"(rubato: 1
units: {a: {model: m}, b: {model: m}}
clocks:
  units:
    a:
      input-clocks: {t: {type-of-clock: timed, interval: 2}}
      output-clocks: {s: {type-of-clock: triggered, dependencies-clocks: [t]}}
      ports: {y: [s]}
    b: {input-clocks: {r: {type-of-clock: triggered}}}
  connections: [a.s -> b.r]
  event-strategies:
    e: {clocks: [a.t], iterate: [set-clock: a.t, next: a]}
)");
    ASSERT_EQ(parsed.said(), "");
    EXPECT_EQ(parsed.scenario.clocks->units.at(0).inputs.at(0).interval, 2);
    EXPECT_TRUE(parsed.scenario.clocks->is_clocked("a", "y"));
    EXPECT_EQ(parsed.scenario.clocks->strategies.at(0).iterate.size(), 2u);
    expect_to_read_what_is_written(parsed.scenario);
    expect_said("clocks: {unit: {}}\n", "did you mean \"units\"?");
}

TEST(DeclaredUnits, HaveThePortsTheyName) {
    const Parsed parsed = parse(R"(rubato: 1
units:
  a: {inputs: {u: {contract: reactive}}, outputs: {y: {feedthrough: [u]}}, can-reject-step: true}
  b: {inputs: {}}
)");
    ASSERT_EQ(parsed.said(), "");
    EXPECT_TRUE(parsed.scenario.units[0].is_only_declared());
    std::vector<UnitDescription> units;
    for (const Unit& unit : parsed.scenario.units) units.push_back(declared_description(unit));
    Resolved resolved;
    resolved.system = resolve(parsed.scenario, units, resolved.diagnostics);
    EXPECT_EQ(resolved.problems(), "");
    ASSERT_EQ(resolved.system.ports.size(), 2u);
    EXPECT_EQ(resolved.system.ports[0].reactivity, Reactivity::reactive);
    EXPECT_EQ(resolved.system.ports[1].feedthrough.size(), 1u);
    EXPECT_TRUE(resolved.system.units[0].can_roll_back);
    expect_to_read_what_is_written(parsed.scenario);
}

TEST(DeclaredUnits, HaveNoPortThatIsBothInputAndOutput) {
    const Parsed parsed = parse("rubato: 1\nunits: {a: {inputs: {x: {}}, outputs: {x: {}}}}\n");
    Resolved resolved;
    const std::vector<UnitDescription> units = {declared_description(parsed.scenario.units.at(0))};
    resolved.system = resolve(parsed.scenario, units, resolved.diagnostics);
    EXPECT_NE(resolved.said().find("\"x\" is both an input and an output of unit \"a\""),
              std::string::npos)
        << resolved.said();
}

TEST(Contracts, CanBeWrittenIntoTheScenario) {
    const Parsed parsed = parse("rubato: 1\nunits: {a: {model: m}}\n");
    Diagnostics diagnostics;
    const std::vector<UnitDescription> units = {two_port()};
    const System system = resolve(parsed.scenario, units, diagnostics);
    const Scenario told = with_contracts(parsed.scenario, system);
    ASSERT_EQ(told.units[0].inputs.size(), 2u);
    EXPECT_EQ(told.units[0].inputs[0].contract, Reactivity::delayed);
    EXPECT_EQ(told.units[0].outputs.at(0).feedthrough, (std::vector<std::string>{"u", "w"}));
    EXPECT_EQ(told.units[0].can_reject_step, false);
}

} // namespace
} // namespace rubato::scenario::testing
