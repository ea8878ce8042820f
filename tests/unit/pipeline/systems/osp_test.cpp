// SPDX-License-Identifier: Apache-2.0

/// Systems of the Open Simulation Platform, built from our own FMUs.

#include "system_folder.hpp"

namespace rubato::test {
namespace {

std::string variable(const std::string& simulator, const std::string& name,
                     const std::string& more = {}) {
    return R"(<Variable simulator=")" + simulator + R"(" name=")" + name + R"(" )" + more + "/>";
}
std::string signal(const std::string& function, const std::string& name) {
    return R"(<Signal function=")" + function + R"(" name=")" + name + R"("/>)";
}
std::string wire(const std::string& kind, const std::string& ends, const std::string& more = {}) {
    return "<" + kind + "Connection " + more + ">" + ends + "</" + kind + "Connection>\n";
}
std::string osp(const std::string& connections, const std::string& functions = {},
                const std::string& more = "<BaseStepSize>0.05</BaseStepSize>") {
    return R"(<?xml version="1.0"?>
<OspSystemStructure xmlns="http://opensimulationplatform.com/MSMI/OSPSystemStructure" version="0.1">
<StartTime>0</StartTime><EndTime>2</EndTime>)" +
           more + R"(
<Simulators><Simulator name="msd 1" source="msd1.fmu"><InitialValues>
<InitialValue variable="m1"><Real value="2"/></InitialValue>
<InitialValue variable="x1"><Real value="0.5"/></InitialValue></InitialValues></Simulator>
<Simulator name="msd2" source="msd2.fmu" stepSize="0.05"/></Simulators>
<Functions>)" +
           functions + "</Functions>\n<Connections>" + connections +
           "</Connections></OspSystemStructure>";
}

class Osp : public SystemFolder {
protected:
    void SetUp() override {
        copy_fmu("fmi2/msd1.fmu", "msd1.fmu");
        copy_fmu("fmi2/msd2.fmu", "msd2.fmu");
    }

    Trajectories masses(const std::string& connections, const std::string& units = {}) const {
        return run_scenario(write(
            "masses.yaml", "rubato: 1\nunits:\n"
                           "  msd_1: {fmu: msd1.fmu, parameters: {m1: 2.0}, start: {x1: 0.5}}\n"
                           "  msd2: {fmu: msd2.fmu}\n" +
                               units + "connections:\n" + connections +
                               "experiment: {start: 0, stop: 2, step: 0.05}\n"
                               "algorithm: jacobi\n"));
    }

    static std::string motion() {
        // The second has its ends the other way round: the FMUs say where values go.
        return wire("Variable", variable("msd 1", "x1") + variable("msd2", "x1")) +
               wire("Variable", variable("msd2", "v1") + variable("msd 1", "v1"));
    }
    static constexpr auto motion_of_scenario = "  - msd_1.x1 -> msd2.x1\n  - msd_1.v1 -> msd2.v1\n";
};

TEST_F(Osp, VariablesAndInitialValuesGiveTheTrajectoriesOfTheScenario) {
    const auto file =
        write("OspSystemStructure.xml",
              osp(motion() + wire("Variable", variable("msd2", "Fc") + variable("msd 1", "Fc"))));
    EXPECT_EQ(said(file), "");
    const Trajectories expected =
        masses(motion_of_scenario + std::string("  - msd2.Fc -> msd_1.Fc\n"));
    EXPECT_EQ(run_scenario(file), expected);
    EXPECT_EQ(run_scenario(folder()), expected) << "the folder stands for the file";
}

TEST_F(Osp, FunctionsScaleAndSum) {
    const auto file =
        write("OspSystemStructure.xml",
              osp(motion() + wire("Signal", variable("msd2", "Fc") + signal("half", "in")) +
                      wire("Signal", variable("msd2", "v2") + signal("sum", "in[0]")) +
                      wire("Signal", variable("msd2", "x2") + signal("sum", "in[1]")) +
                      wire("Signal", signal("half", "out") + variable("msd 1", "Fc")),
                  R"(<LinearTransformation name="half" factor="0.5" offset="0.1"/>)"
                  R"(<Sum name="sum" inputCount="2"/>)"));
    EXPECT_EQ(said(file), "");
    Trajectories run = run_scenario(file);
    const Trajectories expected = masses(
        motion_of_scenario + std::string("  - msd2.Fc -> msd_1.Fc: {factor: 0.5, offset: 0.1}\n"));
    EXPECT_EQ(run["msd2.x2"], expected.at("msd2.x2"));
    for (std::size_t i = 0; i < run["time"].size(); ++i)
        EXPECT_EQ(run["sum.y[1]"][i], expected.at("msd2.v2")[i] + expected.at("msd2.x2")[i]);
}

TEST_F(Osp, GroupsAreConnectedValueByValue) {
    write("msd1_OspModelDescription.xml",
          R"(<OspModelDescription><VariableGroups><Generic name="port">
             <LinearVelocity name="v"><Variable ref="v1"/></LinearVelocity>
             <Force name="f"><Variable ref="Fc"/></Force></Generic></VariableGroups>
             </OspModelDescription>)");
    write("msd2_OspModelDescription.xml",
          R"(<OspModelDescription><VariableGroups><LinearMechanicalPort name="port">
             <LinearVelocity name="v"><Variable ref="v1"/></LinearVelocity>
             <Force name="f"><Variable ref="Fc"/></Force></LinearMechanicalPort></VariableGroups>
             </OspModelDescription>)");
    const auto group = [](const std::string& simulator, const std::string& name) {
        return R"(<VariableGroup simulator=")" + simulator + R"(" name=")" + name + R"("/>)";
    };
    const std::string position = wire("Variable", variable("msd 1", "x1") + variable("msd2", "x1"));
    const auto file = write(
        "OspSystemStructure.xml",
        osp(position + wire("VariableGroup", group("msd 1", "port") + group("msd2", "port"))));
    EXPECT_EQ(said(file), "");
    EXPECT_EQ(run_scenario(file),
              masses(motion_of_scenario + std::string("  - msd2.Fc -> msd_1.Fc\n")));
    const std::string what =
        said(write("OspSystemStructure.xml",
                   osp(wire("VariableGroup", group("msd 1", "door") + group("msd2", "port")))));
    EXPECT_NE(what.find("msd1_OspModelDescription.xml has no variable group \"door\""),
              std::string::npos)
        << what;
}

TEST_F(Osp, BondsAndEccoBecomeStepControlByEnergy) {
    const auto bond = [](const std::string& ends) {
        return wire("Variable", ends, R"(powerBond="joint")");
    };
    const auto file =
        write("OspSystemStructure.xml",
              osp(wire("Variable", variable("msd 1", "x1") + variable("msd2", "x1")) +
                      bond(variable("msd 1", "v1", R"(causality="output")") +
                           variable("msd2", "v1", R"(causality="input")")) +
                      bond(variable("msd2", "Fc", R"(causality="output")") +
                           variable("msd 1", "Fc", R"(causality="input")")),
                  {},
                  R"(<BaseStepSize>0.05</BaseStepSize><Algorithm>Ecco</Algorithm><EccoConfiguration>
            <SafetyFactor>0.99</SafetyFactor><StepSize>0.01</StepSize>
            <MinimumStepSize>0.0001</MinimumStepSize><MaximumStepSize>0.02</MaximumStepSize>
            <MinimumChangeRate>0.5</MinimumChangeRate><MaximumChangeRate>1.5</MaximumChangeRate>
            <ProportionalGain>0.2</ProportionalGain><IntegralGain>0.15</IntegralGain>
            <RelativeTolerance>1e-6</RelativeTolerance><AbsoluteTolerance>1e-6</AbsoluteTolerance>
            </EccoConfiguration>)"));
    const scenario::Scenario scenario = read(file);
    ASSERT_EQ(scenario.bonds.size(), 1u);
    EXPECT_EQ(scenario.step_control.controller, scenario::StepController::energy);
    EXPECT_EQ(scenario.step_control.maximum, 0.02);
    EXPECT_EQ(scenario.step_control.growth, 1.5);
    EXPECT_EQ(scenario.experiment.step, 0.01);
    const std::string what = said(file);
    for (const char* name : {"ProportionalGain", "IntegralGain", "AbsoluteTolerance"})
        EXPECT_NE(what.find(std::string("<") + name + "> "), std::string::npos) << what;
}

/// Exporters that say nothing of variability declare every real discrete.
TEST_F(Osp, WhatCrossesABondIsContinuous) {
    copy_changed_fmu("fmi2/msd1.fmu", "msd1.fmu", R"(variability="continuous")",
                     R"(variability="discrete")");
    copy_changed_fmu("fmi2/msd2.fmu", "msd2.fmu", R"(variability="continuous")",
                     R"(variability="discrete")");
    const auto bond = [](const std::string& ends, const std::string& name) {
        return wire("Variable", ends, R"(powerBond=")" + name + R"(")");
    };
    const std::string force = variable("msd2", "Fc") + variable("msd 1", "Fc");
    const auto file =
        write("OspSystemStructure.xml",
              osp(wire("Variable", variable("msd 1", "x1") + variable("msd2", "x1")) +
                      bond(variable("msd 1", "v1") + variable("msd2", "v1"), "joint") +
                      bond(force, "joint"),
                  {}, R"(<BaseStepSize>0.05</BaseStepSize><Algorithm>ecco</Algorithm>
            <EccoConfiguration><StepSize>0.01</StepSize><MinimumStepSize>0.0001</MinimumStepSize>
            <MaximumStepSize>0.02</MaximumStepSize></EccoConfiguration>)"));
    const scenario::Scenario scenario = read(file);
    ASSERT_EQ(scenario.units[0].outputs.size(), 1u);
    EXPECT_EQ(scenario.units[0].outputs[0].name, "v1");
    EXPECT_EQ(scenario.units[0].outputs[0].variability, scenario::Variability::continuous);
    ASSERT_EQ(scenario.units[0].inputs.size(), 1u);
    EXPECT_EQ(scenario.units[0].inputs[0].name, "Fc");
    EXPECT_GT(run_scenario(file).at("time").size(), 2 / 0.02) << "the step is controlled";
}

TEST_F(Osp, ProxiesOnThisMachineAreIsolated) {
    const std::string plain = osp(motion());
    const auto with_source = [&](const std::string& uri) {
        std::string text = plain;
        const std::string source = R"(source="msd1.fmu")";
        return text.replace(text.find(source), source.size(), "source=\"" + uri + "\"");
    };
    const auto file =
        write("OspSystemStructure.xml", with_source("proxyfmu://localhost?file=msd1.fmu"));
    EXPECT_EQ(said(file), "");
    const scenario::Scenario scenario = read(file);
    EXPECT_TRUE(scenario.units[0].isolate);
    EXPECT_FALSE(scenario.units[1].isolate);
    EXPECT_EQ(std::get<scenario::FmuFile>(scenario.units[0].origin).file, "msd1.fmu");
    EXPECT_NE(said(write("OspSystemStructure.xml", with_source("proxyfmu://host:9?file=msd1.fmu")))
                  .find("is on another machine, \"host:9\""),
              std::string::npos);
}

TEST_F(Osp, WhatIsWrongIsReportedAllAtOnce) {
    const std::string what =
        said(write("OspSystemStructure.xml",
                   osp(wire("Variable", variable("msd3", "x1") + variable("msd2", "x1")) +
                           wire("Signal", variable("msd2", "Fc") + signal("none", "in")) +
                           wire("Variable", variable("msd 1", "x1")),
                       R"(<Cube name="c"/><Sum name="s" inputCount="0"/>)")));
    for (const char* expected :
         {"there is no simulator \"msd3\"\n  did you mean \"msd2\"?",
          "there is no function \"none\"", "<VariableConnection> has 1 ends instead of two",
          "<Cube> is no function that Rubato knows", "function \"s\" has to have 1 to 256 inputs"})
        EXPECT_NE(what.find(expected), std::string::npos) << expected << "\n" << what;
}

TEST_F(Osp, SlowerSimulatorsMakeTheirOwnSteps) {
    std::string text = osp(motion());
    text.replace(text.find("stepSize=\"0.05\""), 15, "stepSize=\"0.2\"");
    const auto file = write("OspSystemStructure.xml", text);
    EXPECT_EQ(said(file).find("warning"), std::string::npos) << said(file);
    const Trajectories expected = run_scenario(write(
        "masses.yaml", "rubato: 1\nunits:\n"
                       "  msd_1: {fmu: msd1.fmu, parameters: {m1: 2.0}, start: {x1: 0.5}}\n"
                       "  msd2: {fmu: msd2.fmu, step: 0.2}\nconnections:\n" +
                           std::string(motion_of_scenario) +
                           "experiment: {start: 0, stop: 2, step: 0.05}\nalgorithm: jacobi\n"));
    EXPECT_EQ(run_scenario(file), expected);
    EXPECT_NE(expected, masses(motion_of_scenario));
}

TEST_F(Osp, StepsAreRoundedDownToMultiplesOfTheBaseStep) {
    for (const auto& [given, made] : {std::pair("0.14", "0.1"), std::pair("0.01", "0.05")}) {
        std::string text = osp("");
        text.replace(text.find("stepSize=\"0.05\""), 15, "stepSize=\"" + std::string(given) + "\"");
        EXPECT_NE(said(write("OspSystemStructure.xml", text))
                      .find("warning: simulator \"msd2\" makes steps of " + std::string(made) +
                            " s instead of stepSize=\"" + given + "\", as in OSP"),
                  std::string::npos);
    }
    std::string text = osp("");
    text.replace(text.find("stepSize=\"0.05\""), 15, "stepSize=\"-1\"");
    EXPECT_NE(said(write("OspSystemStructure.xml", text)).find("stepSize=\"-1\" must be positive"),
              std::string::npos);
}

} // namespace
} // namespace rubato::test
