// SPDX-License-Identifier: Apache-2.0
// Scenarios within scenarios that are wrong: one message each, exit code 2, no files.
#include "program.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;
using ::testing::StartsWith;

constexpr auto inner = R"(rubato: 1
units: {m: {model: msd2}}
interface: {inputs: {x: m.x1, v: m.v1}, outputs: {force: m.Fc}, parameters: {mass: m.m2}}
)";
constexpr auto outer = R"(rubato: 1
units:
  left: {model: msd1}
  right: {scenario: inner.yaml}
connections: [left.x1 -> right.x, left.v1 -> right.v, right.force -> left.Fc]
experiment: {stop: 1, step: 0.1}
)";

class NestedMisuse : public testing::Program {
protected:
    NestedMisuse() {
        write("inner.yaml", inner);
        write("outer.yaml", outer);
    }

    /// What `rubato run` says; it must not write anything.
    std::string refused(std::vector<std::string> arguments) {
        const auto sorted = [&] {
            std::vector<std::string> names = files();
            std::ranges::sort(names);
            return names;
        };
        const std::vector<std::string> before = sorted();
        arguments.insert(arguments.begin(), "run");
        const Outcome outcome = rubato(arguments);
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(sorted(), before);
        EXPECT_THAT(outcome.err, Not(HasSubstr("internal error")));
        return outcome.err;
    }

    std::string refused_text(const std::string& text) {
        write("bad.yaml", text);
        return refused({"bad.yaml"});
    }

    /// An inner scenario with three units and this interface.
    std::string refused_interface(const std::string& interface) {
        return refused_text(R"(rubato: 1
units:
  a:
    scenario:
      units: {m: {model: msd2}, n: {model: msd1}, f: {model: feedthrough}}
      connections: [n.x1 -> m.x1]
      interface: )" + interface +
                            "\n");
    }
};

TEST_F(NestedMisuse, TheScenariosThemselvesRun) {
    EXPECT_EQ(rubato({"run", "outer.yaml"}).code, 0);
}

TEST_F(NestedMisuse, APatternStandsForAllUnitsWithin) {
    const Outcome outcome = rubato({"run", "outer.yaml", "--record", "right/*", "-o", "-"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, StartsWith("time"));
    EXPECT_THAT(outcome.out, HasSubstr("right/m.Fc"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("left.x1")));
}

TEST_F(NestedMisuse, ProbingConfirmsDerivedContracts) {
    const Outcome outcome = rubato({"check", "outer.yaml", "--probe"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("feeds through: x → right/m.x1 → right/m.Fc → force"),
                      HasSubstr("right.x  force            force\n"),
                      HasSubstr("of 3 inputs: 3 as declared, 0 different, 0 not probed")));
}

TEST_F(NestedMisuse, InterfaceNamesThatDoNotExist) {
    EXPECT_THAT(refused_interface("{inputs: {v: m.v9, w: k.v1}, outputs: {y: m.zz}}"),
                AllOf(HasSubstr("3 problems"),
                      HasSubstr("bad.yaml:7: interface: unit \"m\" has no variable \"v9\"\n"
                                "  did you mean \"v1\"?"),
                      HasSubstr("\"w\" is an input of unit \"k\", which does not exist"),
                      HasSubstr("unit \"m\" has no variable \"zz\"")));
}

TEST_F(NestedMisuse, InterfaceNamesThatClash) {
    EXPECT_THAT(refused_interface("{inputs: {x: m.v1}, outputs: {x: n.x1}}"),
                HasSubstr("bad.yaml:7: the interface has two variables \"x\""));
    EXPECT_THAT(refused_interface("{inputs: {x: n.Fc, y: n.Fc}}"),
                HasSubstr("n.Fc is already set by another variable of the interface"));
    EXPECT_THAT(refused_interface("{inputs: {x: m.v1, x: n.Fc}}"),
                HasSubstr("interface.inputs.x occurs twice"));
}

TEST_F(NestedMisuse, InterfaceInputsThatAreConnectedWithin) {
    EXPECT_THAT(refused_interface("{inputs: {x: m.x1}}"),
                HasSubstr("m.x1 is connected to a/n.x1 within the inner scenario"));
}

TEST_F(NestedMisuse, InterfaceVariablesThatDoNotFitTogether) {
    EXPECT_THAT(refused_interface("{inputs: {x: [m.v1, n.Fc]}}"),
                HasSubstr("\"x\" stands for m.v1 and n.Fc, which are in \"m/s\" and \"N\""));
    EXPECT_THAT(refused_interface("{inputs: {x: [f.float64_in, f.int32_in]}}"),
                HasSubstr("which are of types float64 and int32"));
    EXPECT_THAT(refused_interface("{outputs: {x: [m.Fc, m.x2]}}"),
                HasSubstr("interface.outputs.x stands for 2 variables"));
}

TEST_F(NestedMisuse, InterfaceVariablesOfTheWrongKind) {
    EXPECT_THAT(refused_interface("{inputs: {x: m.Fc}}"), HasSubstr("m.Fc is not an input"));
    EXPECT_THAT(refused_interface("{parameters: {x: m.v1}}"), HasSubstr("m.v1 is not a parameter"));
    EXPECT_THAT(refused_interface("{parameter: {}}"),
                HasSubstr("unknown key \"interface.parameter\"\n  did you mean \"parameters\"?"));
    EXPECT_THAT(refused_interface("{inputs: {x: }}"),
                HasSubstr("bad.yaml:7: interface.inputs.x wants a text, not nothing"));
    EXPECT_THAT(refused_interface("{inputs: {x: []}}"),
                HasSubstr("bad.yaml:7: interface.inputs.x stands for no variable"));
    EXPECT_THAT(refused_interface("{inputs: {x: m}}"),
                HasSubstr("\"m\" names no variable of a unit"));
}

TEST_F(NestedMisuse, AnInterfaceThatShowsNothingCannotBeConnected) {
    write("inner.yaml", "rubato: 1\nunits: {m: {model: msd2}}\ninterface: {}\n");
    EXPECT_THAT(refused({"outer.yaml"}),
                AllOf(HasSubstr("unit \"right\" has no input \"x\""),
                      HasSubstr("unit \"right\" has no output \"force\"")));
}

TEST_F(NestedMisuse, AScenarioThatContainsItself) {
    write("self.yaml", "rubato: 1\nunits: {a: {scenario: self.yaml}}\n");
    EXPECT_THAT(refused({"self.yaml"}),
                StartsWith("rubato: self.yaml:2: unit \"a\": the scenario contains itself: "
                           "self.yaml → self.yaml\n"));
    write("one.yaml", "rubato: 1\nunits: {a: {scenario: two.yaml}}\n");
    write("two.yaml", "rubato: 1\nunits: {b: {scenario: {units: {c: {scenario: ./one.yaml}}}}}\n");
    EXPECT_THAT(refused({"one.yaml"}),
                StartsWith("rubato: two.yaml:2: unit \"c\": the scenario contains itself: "
                           "one.yaml → two.yaml → one.yaml\n"));
    EXPECT_THAT(refused({"outer.yaml", "--set", "units.right.scenario=outer.yaml"}),
                HasSubstr("the scenario contains itself: outer.yaml → outer.yaml"));
}

TEST_F(NestedMisuse, AllErrorsOfInnerScenariosWithTheirOwnLines) {
    write("inner.yaml", "rubato: 1\nunits:\n  m: {modell: msd2}\n  n: {model: msd2, start: 5}\n");
    EXPECT_THAT(refused({"outer.yaml"}),
                AllOf(HasSubstr("inner.yaml:3: unit \"m\" has neither fmu, model"),
                      HasSubstr("inner.yaml:3: unknown key \"units.m.modell\""),
                      HasSubstr("inner.yaml:4: units.n.start wants")));
    write("inner.yaml", "rubato: 1\nunits:\n  m: {model: msd2, parameters: {zz: 1}}\n"
                        "connections:\n  - m.x9 -> m.x1\n  - m.Fc -> m.u9\n");
    EXPECT_THAT(refused({"outer.yaml"}),
                AllOf(HasSubstr("inner.yaml:3: unit \"m\" has no parameter \"zz\""),
                      HasSubstr("inner.yaml:5: unit \"m\" has no output \"x9\""),
                      HasSubstr("inner.yaml:6: unit \"m\" has no input \"u9\"")));
}

TEST_F(NestedMisuse, FilesThatAreNoScenarios) {
    EXPECT_THAT(refused({"outer.yaml", "--set", "units.right.scenario=none.yaml"}),
                HasSubstr("unit \"right\": there is no file none.yaml"));
    EXPECT_THAT(refused_text("rubato: 1\nunits: {a: {scenario: none.yaml}}\n"),
                StartsWith("rubato: bad.yaml:2: unit \"a\": there is no file none.yaml\n"));
    EXPECT_THAT(refused_text("rubato: 1\nunits: {a: {scenario: .}}\n"),
                StartsWith("rubato: bad.yaml:2: unit \"a\": . is a folder, not a scenario file"));
    const std::string fmu = std::string(RUBATO_FMUS) + "/fmi2/msd1.fmu";
    EXPECT_THAT(
        refused_text("rubato: 1\nunits: {a: {scenario: " + fmu + "}}\n"),
        AllOf(StartsWith("rubato: bad.yaml:2: unit \"a\": " + fmu + " is an FMU, not a scenario\n"),
              HasSubstr("in a scenario it is a unit: units: {msd1: {fmu: msd1.fmu}}")));
    EXPECT_THAT(refused_text("rubato: 1\nunits: {a: {scenario: {}}}\n"),
                StartsWith("rubato: bad.yaml:2: the key \"units\" is missing"));
    EXPECT_THAT(refused_text("rubato: 1\nunits: {a: {scenario: inner.yaml, model: msd1}}\n"),
                HasSubstr("unit \"a\" has model and scenario"));
}

TEST_F(NestedMisuse, SettingsOfUnitsThatDoNotExist) {
    const auto set = [&](const std::string& setting) {
        return refused({"outer.yaml", "--set", setting});
    };
    EXPECT_THAT(set("rigth/m.d2=1"),
                StartsWith("rubato: --set rigth/m.d2=1: the scenario has no unit \"rigth\"\n"
                           "  did you mean \"right\"?"));
    EXPECT_THAT(set("right/k.d2=1"),
                StartsWith("rubato: --set right/units.k.parameters.d2=1: the scenario has no unit "
                           "\"k\"\n  did you mean \"m\"?"));
    EXPECT_THAT(set("right/m.zz=1"),
                StartsWith("rubato: --set right/units.m.parameters.zz=1: unit \"m\" has no "
                           "parameter \"zz\""));
    EXPECT_THAT(set("right/m/k.zz=1"), HasSubstr("unit \"m\" is no scenario"));
    EXPECT_THAT(set("left/m.d2=1"), HasSubstr("unit \"left\" is no scenario"));
    EXPECT_THAT(set("right.zz=1"), HasSubstr("unit \"right\" has no parameter \"zz\""));
    EXPECT_THAT(set("right/=1"), HasSubstr("--set right/=1: \"\" is no path to a setting"));
    EXPECT_THAT(set("right/experiment.step=-1"),
                StartsWith("rubato: --set right/experiment.step=-1: experiment.step is -1"));
    EXPECT_THAT(refused({"outer.yaml", "--record", "right/k.x"}),
                HasSubstr("unit \"right\" has no variable \"/k.x\""));
}

TEST_F(NestedMisuse, SettingsThatALevelAboveSetsToo) {
    const std::string expected = "--set right/m.m2=7.0 has no effect: unit \"right\" is given a "
                                 "value for \"mass\", which stands for it";
    EXPECT_THAT(refused({"outer.yaml", "--set", "right.mass=2.0", "--set", "right/m.m2=7.0"}),
                HasSubstr(expected));
    write("given.yaml", std::string(outer).replace(std::string(outer).find("inner.yaml"), 10,
                                                   "inner.yaml, parameters: {mass: 2.0}"));
    EXPECT_THAT(refused({"given.yaml", "--set", "right/m.m2=7.0"}), HasSubstr(expected));
    EXPECT_EQ(rubato({"run", "given.yaml", "--set", "right/m.d2=7.0"}).code, 0);
    EXPECT_EQ(rubato({"run", "outer.yaml", "--set", "right/m.m2=7.0"}).code, 0);
}

TEST_F(NestedMisuse, NamesOfUnitsWithASlash) {
    EXPECT_THAT(refused_text("rubato: 1\nunits: {a/b: {model: msd1}}\n"),
                AllOf(StartsWith("rubato: bad.yaml:2: "), HasSubstr("\"a/b\"")));
}

TEST_F(NestedMisuse, TooManyAndTooDeepScenarios) {
    constexpr int levels = 20;
    for (int i = 0; i < levels; ++i) {
        const std::string next = "{scenario: " + std::to_string(i + 1) + ".yaml}";
        write(std::to_string(i) + ".yaml",
              "rubato: 1\nunits: {a: " + next + ", b: " + next + "}\n");
    }
    write(std::to_string(levels) + ".yaml", inner);
    EXPECT_THAT(refused({"0.yaml"}), HasSubstr("more than 10000 scenarios are within each other"));
    constexpr int deep = 2000;
    for (int i = 0; i < deep; ++i)
        write(std::to_string(i) + ".yaml",
              "rubato: 1\nunits: {a: {scenario: " + std::to_string(i + 1) + ".yaml}}\n");
    write(std::to_string(deep) + ".yaml", inner);
    EXPECT_THAT(refused({"0.yaml"}),
                StartsWith("rubato: 100.yaml:2: scenarios are within each other more than 100 "
                           "levels deep"));
    std::string text = "{units: {m: {model: msd2}}}";
    for (int i = 0; i < deep; ++i) text = "{units: {a: {scenario: " + text + "}}}";
    EXPECT_THAT(refused_text("rubato: 1\nunits: {a: {scenario: " + text + "}}\n"),
                HasSubstr("nested too deeply"));
}

TEST_F(NestedMisuse, WhatCannotBeMadeFlat) {
    const auto flatten = [&](const std::string& setting) {
        return refused({"outer.yaml", "--flatten", "--set", setting});
    };
    EXPECT_EQ(rubato({"check", "outer.yaml", "--flatten"}).code, 0);
    EXPECT_THAT(flatten("right/experiment.step=0.01"),
                StartsWith("rubato: outer.yaml:4: unit \"right\" cannot be made flat: its own step "
                           "is 0.01 s"));
    EXPECT_THAT(flatten("right/algorithm.recipe=gauss-seidel"),
                HasSubstr("its algorithm is gauss-seidel, that of the whole synthesized"));
    EXPECT_THAT(flatten("right/step-control.controller=predictor"),
                HasSubstr("it adapts its own step"));
    EXPECT_THAT(flatten("right/events.locate=always"),
                HasSubstr("it has its own settings of events"));
}

} // namespace
} // namespace rubato::cli
