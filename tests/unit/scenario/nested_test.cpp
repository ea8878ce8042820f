// SPDX-License-Identifier: Apache-2.0
// Scenarios within scenarios in YAML: read, written, changed.
#include "essence.hpp"
#include "support.hpp"

#include <rubato/scenario/flatten.hpp>

namespace rubato::scenario::testing {
namespace {

constexpr std::string_view nested = R"(rubato: 1
units:
  a: {model: m}
  b:
    parameters: {mass: 2.5}
    scenario:
      name: "inner: one"
      units:
        c: {model: n, parameters: {spring.c: 2}}
        d:
          scenario:
            units: {e: {model: k}}
            interface: {}
            algorithm: jacobi
      connections: [c.y -> c.u]
      interface:
        inputs: {u: [c.u1, c.u2], "odd: name": c.w}
        outputs: [c.y]
        parameters: {mass: c.m}
      experiment: {step: 0.25}
      algorithm: gauss-seidel
      record: [c.*]
  f: {scenario: other.yaml}
connections: [a.y -> b.u]
)";

const Scenario& inner(const Scenario& scenario, std::size_t unit) {
    return *std::get<NestedScenario>(scenario.units.at(unit).origin).scenario;
}

TEST(NestedYaml, IsReadAsWritten) {
    const Parsed parsed = parse(nested);
    ASSERT_EQ(parsed.said(), "");
    const Scenario& b = inner(parsed.scenario, 1);
    EXPECT_EQ(b.name, "inner: one");
    EXPECT_EQ(b.experiment.step, 0.25);
    EXPECT_FALSE(b.experiment.open.step);
    EXPECT_TRUE(b.experiment.open.stop);
    ASSERT_TRUE(b.interface);
    EXPECT_EQ(b.interface->inputs.at(0).of, (std::vector<std::string>{"c.u1", "c.u2"}));
    EXPECT_EQ(b.interface->outputs.at(0).name, "c.y");
    EXPECT_EQ(b.interface->outputs.at(0).of, std::vector<std::string>{"c.y"});
    EXPECT_EQ(inner(b, 1).name, "d");
    EXPECT_EQ(inner(b, 1).algorithm.recipe, Recipe::jacobi);
    ASSERT_TRUE(inner(b, 1).interface);
    EXPECT_TRUE(inner(b, 1).interface->outputs.empty());
    EXPECT_EQ(std::get<NestedScenario>(parsed.scenario.units.at(2).origin).file, "other.yaml");
}

TEST(NestedYaml, ReadsBackAsItWasWritten) {
    const Scenario scenario = parse(nested).scenario;
    const std::string text = write_yaml(scenario);
    const Parsed again = parse(text);
    EXPECT_EQ(again.said(), "") << text;
    EXPECT_EQ(write_yaml(again.scenario), text);
    // Locations apart, what is within is the same, too.
    EXPECT_EQ(write_yaml(inner(again.scenario, 1)), write_yaml(inner(scenario, 1)));
    EXPECT_EQ(write_yaml(inner(inner(again.scenario, 1), 1)),
              write_yaml(inner(inner(scenario, 1), 1)));
    EXPECT_EQ(inner(again.scenario, 1).interface->inputs.size(), 2u);
    EXPECT_EQ(inner(again.scenario, 1).interface->inputs.at(1).name, "odd: name");
    EXPECT_TRUE(inner(inner(again.scenario, 1), 1).interface);
}

Scenario overridden(const std::vector<Override>& overrides) {
    const Parsed parsed = parse(nested, overrides);
    EXPECT_EQ(parsed.said(), "");
    return parsed.scenario;
}

TEST(NestedYaml, SettingsReachIntoIt) {
    for (const char* path : {"units.b.scenario.experiment.step", "b/experiment.step"}) {
        const Scenario changed = overridden({{path, "0.5"}});
        EXPECT_EQ(inner(changed, 1).experiment.step, 0.5) << path;
        EXPECT_EQ(inner(changed, 1).name, "inner: one") << "the rest stays";
        EXPECT_EQ(inner(changed, 1).units.size(), 2u);
    }
    EXPECT_EQ(inner(inner(overridden({{"b/d/algorithm", "gauss-seidel"}}), 1), 1).algorithm.recipe,
              Recipe::gauss_seidel);
    for (const char* path :
         {"b/units.c.parameters.spring.c", "units.b.scenario.units.c.parameters.spring.c"}) {
        const Scenario changed = overridden({{path, "7"}});
        const auto& parameters = inner(changed, 1).units.at(0).parameters;
        ASSERT_EQ(parameters.size(), 1u) << path;
        EXPECT_EQ(parameters.at(0).variable, "spring.c");
        EXPECT_EQ(parameters.at(0).value, Value(std::int64_t{7}));
    }
    EXPECT_EQ(
        inner(overridden({{"b/interface.outputs", "{z: c.z}"}}), 1).interface->outputs.back().name,
        "z");
}

TEST(NestedYaml, ASharedScenarioChangesForOneUnitOnly) {
    Scenario scenario = parse(nested).scenario;
    Unit twin = scenario.units.at(1);
    twin.name = "twin";
    scenario.units.push_back(twin);
    Diagnostics diagnostics;
    const std::vector<Override> overrides = {{"twin/experiment.step", "0.125"}};
    apply(overrides, scenario, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_EQ(inner(scenario, 1).experiment.step, 0.25);
    EXPECT_EQ(inner(scenario, 3).experiment.step, 0.125);
}

TEST(NestedYaml, IsMadeFlat) {
    const Parsed parsed = parse(R"(rubato: 1
units:
  a: {model: m}
  b:
    parameters: {k: 5}
    start: {u: 1.5}
    scenario:
      units: {c: {model: n, parameters: {k: 1}}, d: {model: n}}
      connections: [c.y -> d.v: {factor: 2}]
      interface: {inputs: {u: [c.u, d.u]}, outputs: {y: d.y}, parameters: {k: [c.k, d.k]}}
connections: [a.y -> b.u: {factor: 3}, b.y -> a.u]
record: [a.x, b.y, b/c.x]
)");
    ASSERT_EQ(parsed.said(), "");
    Diagnostics diagnostics;
    const Scenario flat = flatten(parsed.scenario, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    std::string text;
    for (const Unit& unit : flat.units) text += unit.name + " ";
    EXPECT_EQ(text, "a b-c b-d ");
    EXPECT_EQ(flat.units.at(1).parameters.at(0).value, Value(std::int64_t{5}));
    EXPECT_EQ(flat.units.at(2).parameters.at(0).value, Value(std::int64_t{5}));
    EXPECT_EQ(flat.units.at(2).start.at(0).value, Value(1.5));
    text.clear();
    for (const Connection& each : flat.connections)
        text +=
            each.from_unit + "." + each.from_port + ">" + each.to_unit + "." + each.to_port + " ";
    EXPECT_EQ(text, "a.y>b-c.u a.y>b-d.u b-d.y>a.u b-c.y>b-d.v ");
    EXPECT_EQ(flat.recording.variables, (std::vector<std::string>{"a.x", "b-d.y", "b-c.x"}));
}

} // namespace
} // namespace rubato::scenario::testing
