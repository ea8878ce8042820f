// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <rubato/scenario/conf.hpp>

namespace rubato::scenario::testing {
namespace {

constexpr std::string_view base = R"(rubato: 1
units:
  a: {model: m, parameters: {m: 1, spring.c: 2}}
experiment: {step: 0.1}
algorithm: gauss-seidel
record: [a.x]
)";

Scenario with(const std::vector<Override>& overrides) {
    Parsed parsed = parse(base, overrides);
    EXPECT_EQ(parsed.said(), "");
    return parsed.scenario;
}

TEST(Override, ReplacesASetting) {
    EXPECT_EQ(with({{"experiment.step", "0.5"}}).experiment.step, 0.5);
    EXPECT_EQ(with({{"name", "other"}}).name, "other");
}

TEST(Override, AddsASettingThatTheFileLacks) {
    EXPECT_EQ(with({{"experiment.stop", "7"}}).experiment.stop, 7);
    EXPECT_EQ(with({{"units.a.start.x", "2.5"}}).units.at(0).start.at(0).value, Value(2.5));
}

TEST(Override, ReachesIntoShortForms) {
    const Scenario scenario =
        with({{"algorithm.recipe", "jacobi"}, {"algorithm.iteration-limit", "9"}});
    EXPECT_EQ(scenario.algorithm.recipe, Recipe::jacobi);
    EXPECT_EQ(scenario.algorithm.iteration_limit, 9);
    const Recording recording = with({{"record.every", "3"}}).recording;
    EXPECT_EQ(recording.every, 3);
    EXPECT_EQ(recording.variables, std::vector<std::string>{"a.x"});
}

TEST(Override, TakesShortForms) {
    EXPECT_EQ(with({{"algorithm", "jacobi"}, {"algorithm.iterations", "2"}}).algorithm.iterations,
              2);
    EXPECT_EQ(with({{"record", "[a.y, a.z]"}}).recording.variables.size(), 2u);
}

TEST(Override, ReachesParametersWhoseNamesHaveDots) {
    const auto parameters =
        with({{"units.a.parameters.spring.c", "5"}, {"units.a.parameters.spring.d", "6"}})
            .units.at(0)
            .parameters;
    ASSERT_EQ(parameters.size(), 3u);
    EXPECT_EQ(parameters[1].variable, "spring.c");
    EXPECT_EQ(parameters[1].value, Value(std::int64_t{5}));
    EXPECT_EQ(parameters[2].variable, "spring.d");
}

TEST(Override, ReachesSettingsOfInputsWhoseNamesHaveDots) {
    const auto inputs = with({{"units.a.inputs.flange.f.approximation", "linear"},
                              {"units.a.inputs.flange.g", "{mode: interpolate}"}})
                            .units.at(0)
                            .inputs;
    ASSERT_EQ(inputs.size(), 2u);
    EXPECT_EQ(inputs[0].name, "flange.f");
    EXPECT_EQ(inputs[0].approximation, Approximation::linear);
    EXPECT_EQ(inputs[1].name, "flange.g");
    EXPECT_EQ(inputs[1].mode, ApproximationMode::interpolate);
}

TEST(Override, CanReplaceListsAndAddUnits) {
    const Scenario scenario = with({{"units.b", "{model: n}"}, {"connections", "[a.y -> b.u]"}});
    EXPECT_EQ(scenario.units.at(1).origin, UnitOrigin(NativeModel{"n"}));
    EXPECT_EQ(scenario.connections.at(0).to_unit, "b");
}

TEST(Override, TheLastOneCounts) {
    EXPECT_EQ(with({{"experiment.step", "1"}, {"experiment.step", "2"}}).experiment.step, 2);
}

TEST(Override, IsNamedWhenItsPathIsUnknown) {
    EXPECT_EQ(parse(base, {{"experiment.stepp", "1"}}).said(),
              "--set experiment.stepp=1: unknown key \"experiment.stepp\"\n"
              "  did you mean \"step\"? the keys of experiment are: start, stop, step, "
              "minimum-step, maximum-step, after-partial-step, tolerance\n");
    EXPECT_EQ(parse(base, {{"units.b.parameters.m", "1"}}).said(),
              "--set units.b.parameters.m=1: the scenario has no unit \"b\"\n"
              "  did you mean \"a\"? its units are: a\n");
    EXPECT_EQ(parse(base, {{"rubato.x", "1"}}).said(),
              "--set rubato.x=1: \"rubato\" has no settings of its own\n"
              "  it is no map: set it as a whole\n");
}

TEST(Override, IsNamedWhenItsValueIsWrong) {
    EXPECT_EQ(parse(base, {{"experiment.step", "fast"}}).said(),
              "--set experiment.step=fast: experiment.step wants a number: \"fast\" is not a "
              "number\n");
    EXPECT_EQ(parse(base, {{"experiment.step", ""}}).said(),
              "--set experiment.step=: experiment.step wants a number, not nothing\n");
    EXPECT_NE(parse(base, {{"record", "[a"}}).said().find("--set record=[a: not valid YAML"),
              std::string::npos);
}

TEST(Override, AppliesToScenariosOfOtherFormats) {
    Parsed parsed;
    const Scenario conf = parse_conf("name = n\nscenario = {\n  fmus = {\n"
                                     "    a = {outputs = {y = {dependencies-init=[], "
                                     "dependencies=[]}}}\n"
                                     "    b = {inputs = {u = {reactivity=delayed}}}\n"
                                     "  }\n  connections = [a.y -> b.u]\n}\n",
                                     "s.conf", parsed.diagnostics);
    const std::vector<Override> overrides = {{"units.a.start.y", "2"}, {"experiment.stop", "7"}};
    Scenario changed = conf;
    apply(overrides, changed, parsed.diagnostics);
    EXPECT_EQ(parsed.said(), "");
    EXPECT_EQ(changed.experiment.stop, 7);
    EXPECT_EQ(changed.experiment.open, (Experiment::Open{true, false, true, true}));
    ASSERT_EQ(changed.units.at(0).start.size(), 1u);
    EXPECT_EQ(changed.units[0].start[0].where.file, "--set units.a.start.y=2");
    EXPECT_EQ(changed.units[1].where, conf.units[1].where) << "the lines are those of the file";
    EXPECT_EQ(changed.units[1].inputs.at(0).where, conf.units[1].inputs.at(0).where);
    EXPECT_EQ(changed.connections.at(0).where, conf.connections.at(0).where);
    EXPECT_EQ(changed.connections.at(0).where.line, 7);
}

TEST(Override, ChangesNothingButWhatItsPathLeadsTo) {
    constexpr std::string_view text = R"(rubato: 1
units:
  a:
    model: m
    solver: {method: adams, tolerance: 0.1}
    inputs: {u: {approximation: linear, contract: delayed}}
    outputs: {F: {nominal: 2}, v: {}}
  b: {model: n, inputs: {F: {}, u: {}}, outputs: {v: {}}}
connections: [a.F -> b.F, b.v -> a.u]
bonds: {spring: {effort: a.F -> b.F, flow: b.v -> a.u}}
configurations:
  first: {}
  second: {from: 2, connections: [a.F -> b.F]}
step-limits: {sampling: [{period: 0.5}], changes: [{of: a.F, absolute: 1}]}
)";
    const auto changed = [&](const std::string& path, const std::string& value) {
        Parsed parsed = parse(text, {{path, value}});
        EXPECT_EQ(parsed.said(), "") << path;
        return parsed.scenario;
    };
    Scenario expected = parse(text).scenario;
    expected.units[0].solver->tolerance = 0.2;
    EXPECT_EQ(changed("units.a.solver.tolerance", "0.2"), expected);
    expected = parse(text).scenario;
    expected.units[0].inputs[0].contract = Reactivity::reactive;
    EXPECT_EQ(changed("units.a.inputs.u.contract", "reactive"), expected);
    expected = parse(text).scenario;
    expected.configurations[1].from = 3;
    EXPECT_EQ(changed("configurations.second.from", "3"), expected);

    const BondSettings bond = changed("bonds.spring.effort", "b.v -> a.u").bonds.at(0);
    EXPECT_EQ(bond.effort.from_port, "v");
    EXPECT_EQ(bond.flow.from_port, "v");
    const StepLimitSettings limits = changed("step-limits.changes", "[]").step_limits;
    EXPECT_TRUE(limits.changes.empty());
    EXPECT_EQ(limits.sampling.size(), 1u);
    const Scenario connected = changed("connections", "[b.v -> a.u]");
    EXPECT_EQ(connected.configurations.at(0).connections.at(0).from_unit, "b")
        << "it has those of the scenario";
    EXPECT_EQ(connected.configurations.at(1).connections.at(0).from_unit, "a");
}

TEST(Override, OfAWholeSectionReplacesIt) {
    EXPECT_EQ(with({{"experiment", "{stop: 3}"}}).experiment.step, Experiment{}.step);
    EXPECT_TRUE(with({{"experiment", "{stop: 3}"}}).experiment.open.step);
    EXPECT_EQ(with({{"units.a.parameters", "{k: 1}"}}).units.at(0).parameters.size(), 1u);
    EXPECT_EQ(with({{"units.a", "{model: other}"}}).units.at(0).parameters.size(), 0u);
}

TEST(Override, IsNamedWhenItsPathIsNone) {
    for (const std::string path : {"", ".", "experiment.", ".step", "experiment..step"}) {
        EXPECT_EQ(parse(base, {{path, "1"}}).said(),
                  "--set " + path + "=1: \"" + path +
                      "\" is no path to a setting\n"
                      "  write keys joined by dots, such as experiment.step\n");
    }
}

} // namespace
} // namespace rubato::scenario::testing
