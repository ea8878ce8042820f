// SPDX-License-Identifier: Apache-2.0

/// Systems of SSP, built from our own FMUs, compared with the same systems as scenarios.

#include "system_folder.hpp"

namespace rubato::test {
namespace {

class Ssp : public SystemFolder {
protected:
    void SetUp() override {
        copy_fmu("fmi2/msd1.fmu", "resources/msd1.fmu");
        copy_fmu("fmi2/msd2.fmu", "resources/msd2.fmu");
    }

    /// Two masses, as a scenario.
    Trajectories masses(const std::string& connections, const std::string& settings = {}) const {
        const auto file =
            write("masses.yaml", "rubato: 1\nunits:\n"
                                 "  msd1: {fmu: resources/msd1.fmu}\n"
                                 "  msd2: {fmu: resources/msd2.fmu}\n"
                                 "connections:\n" +
                                     connections + "experiment: {start: 0, stop: 2}\n" + settings);
        return run_scenario(file);
    }

    static std::string const_connections() {
        return "  - msd1.x1 -> msd2.x1\n  - msd1.v1 -> msd2.v1\n  - msd2.Fc -> msd1.Fc\n";
    }
    static std::string all_connections() {
        // The ends of the last one are the other way round: kinds say where values go.
        return connections(connection("msd1.x1", "msd2.x1") + connection("msd1.v1", "msd2.v1") +
                           connection("msd1.Fc", "msd2.Fc"));
    }
};

TEST_F(Ssp, FolderDescriptionAndArchiveGiveTheTrajectoriesOfTheScenario) {
    const Trajectories expected = masses(const_connections());
    const auto file =
        write("SystemStructure.ssd", ssd(elements(msd1() + msd2()) + all_connections()));
    EXPECT_EQ(said(file), "");
    EXPECT_EQ(run_scenario(file), expected);
    EXPECT_EQ(run_scenario(folder()), expected);
    EXPECT_EQ(run_scenario(pack("masses.ssp")), expected);
}

TEST_F(Ssp, NestedSystemsAreScenariosWithinTheScenario) {
    const std::string right =
        R"(<ssd:System name="right"><ssd:Connectors>)" + connector("position", "input") +
        connector("speed", "input") + connector("force", "output") + "</ssd:Connectors>" +
        elements(msd2()) +
        connections(connection("position", "msd2.x1") + connection("speed", "msd2.v1") +
                    connection("msd2.Fc", "force")) +
        "</ssd:System>";
    const auto file =
        write("SystemStructure.ssd",
              ssd(elements(msd1() + right) + connections(connection("msd1.x1", "right.position") +
                                                         connection("msd1.v1", "right.speed") +
                                                         connection("right.force", "msd1.Fc"))));
    EXPECT_EQ(said(file), "");
    const scenario::Scenario scenario = read(file);
    ASSERT_EQ(scenario.units.size(), 2u);
    const auto& nested = std::get<scenario::NestedScenario>(scenario.units[1].origin);
    ASSERT_TRUE(nested.scenario && nested.scenario->interface);
    EXPECT_EQ(nested.scenario->interface->inputs.size(), 2u);
    EXPECT_EQ(nested.scenario->interface->inputs[0].name, "position");
    Trajectories run = run_scenario(file);
    const Trajectories expected = masses(const_connections());
    EXPECT_EQ(run["msd1.x1"], expected.at("msd1.x1"));
    EXPECT_EQ(run["right/msd2.x2"], expected.at("msd2.x2"));
}

TEST_F(Ssp, OnePackageIsAComponentOfAnother) {
    write("SystemStructure.ssd",
          ssd("<ssd:Connectors>" + connector("x", "input") + connector("v", "input") +
              connector("F", "output") + "</ssd:Connectors>" + elements(msd2()) +
              connections(connection("x", "msd2.x1") + connection("v", "msd2.v1") +
                          connection("msd2.Fc", "F"))));
    const auto inner = pack("inner.ssp");
    std::filesystem::copy_file(inner, folder() / "resources/inner.ssp");
    write("SystemStructure.ssd",
          ssd(elements(msd1() +
                       R"(<ssd:Component name="right" type="application/x-ssp-package"
                          source="resources/inner.ssp"/>)") +
              connections(connection("msd1.x1", "right.x") + connection("msd1.v1", "right.v") +
                          connection("right.F", "msd1.Fc"))));
    Trajectories run = run_scenario(pack("outer.ssp"));
    EXPECT_EQ(run["right/msd2.x2"], masses(const_connections()).at("msd2.x2"));
}

TEST_F(Ssp, ConnectionsScaleAfterUnitsOfMeasureAreConverted) {
    // The file says that the FMU's speed is in mm/s, which goes before what the FMU says.
    const std::string fast = component("msd1", "resources/msd1.fmu",
                                       connector("x1", "output") +
                                           connector("v1", "output", R"(<ssc:Real unit="mm/s"/>)") +
                                           connector("Fc", "input"));
    const std::string units =
        R"(<ssd:Units><ssc:Unit name="mm/s"><ssc:BaseUnit m="1" s="-1" factor="0.001"/></ssc:Unit>
           </ssd:Units>)";
    const std::string scale = R"(<ssc:LinearTransformation factor="3" offset="0.5"/>)";
    const auto file = write(
        "SystemStructure.ssd",
        ssd(elements(fast + msd2()) + connections(connection("msd1.x1", "msd2.x1", scale) +
                                                  connection("msd1.v1", "msd2.v1", scale) +
                                                  connection("msd2.Fc", "msd1.Fc", "",
                                                             R"(suppressUnitConversion="true")")),
            units));
    EXPECT_EQ(said(file), "");
    EXPECT_EQ(run_scenario(file),
              masses("  - msd1.x1 -> msd2.x1: {factor: 3, offset: 0.5}\n"
                     "  - msd1.v1 -> msd2.v1: {factor: 0.003, offset: 0.5, convert: false}\n"
                     "  - msd2.Fc -> msd1.Fc\n"));
}

TEST_F(Ssp, SystemsOnTheWayTransformToo) {
    const std::string right =
        R"(<ssd:System name="right"><ssd:Connectors>)" + connector("x", "input") +
        connector("v", "input") + connector("F", "output") + "</ssd:Connectors>" +
        elements(msd2()) +
        connections(connection("x", "msd2.x1", R"(<ssc:LinearTransformation factor="2"/>)") +
                    connection("v", "msd2.v1") +
                    connection("msd2.Fc", "F", R"(<ssc:LinearTransformation offset="1"/>)")) +
        "</ssd:System>";
    const auto file =
        write("SystemStructure.ssd",
              ssd(elements(msd1() + right) +
                  connections(connection("msd1.x1", "right.x",
                                         R"(<ssc:LinearTransformation factor="5" offset="1"/>)") +
                              connection("msd1.v1", "right.v") +
                              connection("right.F", "msd1.Fc",
                                         R"(<ssc:LinearTransformation factor="2"/>)"))));
    EXPECT_EQ(said(file), "");
    Trajectories run = run_scenario(file);
    const Trajectories expected = masses("  - msd1.x1 -> msd2.x1: {factor: 10, offset: 2}\n"
                                         "  - msd1.v1 -> msd2.v1\n"
                                         "  - msd2.Fc -> msd1.Fc: {factor: 2, offset: 2}\n");
    EXPECT_EQ(run["right/msd2.x2"], expected.at("msd2.x2"));
}

TEST_F(Ssp, SignalDictionariesConnectWhatIsFarApart) {
    const std::string entry = R"(<ssd:Connector name="sx" kind="inout"/>)"
                              R"(<ssd:Connector name="sv" kind="inout"/>)"
                              R"(<ssd:Connector name="sF" kind="inout"/>)";
    const auto reference = [&](const std::string& name) {
        return R"(<ssd:SignalDictionaryReference name=")" + name +
               R"(" dictionary="bus"><ssd:Connectors>)" + entry +
               "</ssd:Connectors></ssd:SignalDictionaryReference>";
    };
    const std::string left =
        R"(<ssd:System name="left">)" + elements(msd1() + reference("bus")) +
        connections(connection("msd1.x1", "bus.sx") + connection("msd1.v1", "bus.sv") +
                    connection("msd1.Fc", "bus.sF")) +
        "</ssd:System>";
    const auto file =
        write("SystemStructure.ssd",
              ssd(elements(left + msd2() + reference("bus2")) +
                  connections(connection("bus2.sx", "msd2.x1") + connection("bus2.sv", "msd2.v1") +
                              connection("msd2.Fc", "bus2.sF")) +
                  R"(<ssd:SignalDictionaries><ssd:SignalDictionary name="bus"/>
                     </ssd:SignalDictionaries>)"));
    EXPECT_EQ(said(file), "");
    Trajectories run = run_scenario(file);
    EXPECT_EQ(run["msd2.x2"], masses(const_connections()).at("msd2.x2"));
}

TEST_F(Ssp, SettingsOfOmSimulatorAreUnderstood) {
    const std::string annotation = R"(<ssd:Annotations><ssc:Annotation type="org.openmodelica">
        <oms:Annotations><oms:SimulationInformation>
        <oms:FixedStepMaster description="oms-ma" stepSize="0.05" relativeTolerance="1e-4"/>
        </oms:SimulationInformation></oms:Annotations></ssc:Annotation></ssd:Annotations>)";
    const auto file = write("SystemStructure.ssd",
                            ssd(elements(msd1() + msd2()) + all_connections() + annotation));
    const scenario::Scenario scenario = read(file);
    EXPECT_EQ(scenario.experiment.step, 0.05);
    EXPECT_EQ(scenario.experiment.tolerance, 1e-4);
    EXPECT_EQ(scenario.algorithm.recipe, scenario::Recipe::jacobi);
    EXPECT_EQ(scenario.experiment.stop, 2);
}

TEST_F(Ssp, StepSizeHintsOfOspAreStepsOfTheUnits) {
    const auto hint = [](const std::string& content) {
        return R"(<ssd:Annotations><ssc:Annotation type="com.opensimulationplatform">)" + content +
               "</ssc:Annotation></ssd:Annotations>";
    };
    const std::string base =
        hint(R"(<osp:Algorithm><osp:FixedStepAlgorithm baseStepSize="0.05"/></osp:Algorithm>)");
    const auto units = [&](const std::string& value) {
        const auto file =
            write("SystemStructure.ssd",
                  ssd(elements(msd1(hint(R"(<osp:StepSizeHint value="0.05"/>)")) +
                               msd2(hint(R"(<osp:StepSizeHint value=")" + value + R"("/>)"))) +
                      all_connections() + base));
        return std::pair(said(file), file);
    };
    const auto [messages, file] = units("0.2");
    EXPECT_EQ(messages, "");
    const scenario::Scenario scenario = read(file);
    EXPECT_EQ(scenario.units[1].step, 0.2);
    EXPECT_EQ(scenario.experiment.step, 0.05);
    EXPECT_NE(units("-1").first.find("the step size hint of \"msd2\" must be positive"),
              std::string::npos);
}

TEST_F(Ssp, VariantsAreChosenByName) {
    const auto file =
        write("SystemStructure.ssd", ssd(elements(msd1() + msd2()) + all_connections()));
    write("Alone.ssd", ssd(elements(msd1())));
    EXPECT_EQ(read(folder()).units.size(), 2u);
    EXPECT_EQ(read(folder(), "Alone").units.size(), 1u);
    const auto archive = pack("masses.ssp");
    EXPECT_EQ(read(archive, "Alone.ssd").units.size(), 1u);
    EXPECT_EQ(said(archive, "Aloen"),
              "masses.ssp: the package has no variant \"Aloen\"\n  did you mean "
              "\"Alone\"? its variants are: Alone, SystemStructure\n");
}

/// Values that a feed-through of every type gives out after a transformation.
TEST_F(Ssp, TablesMapBooleansIntegersAndEnumerations) {
    copy_fmu("fmi3/feedthrough.fmu", "resources/feedthrough.fmu");
    const auto ports = [](const std::string& name, const std::string& type) {
        return connector(name + "_in", "input", type) + connector(name + "_out", "output", type);
    };
    const std::string all = ports("boolean", "<ssc:Boolean/>") + ports("int32", "<ssc:Integer/>") +
                            ports("mode", R"(<ssc:Enumeration name="Mode"/>)");
    const std::string enumerations =
        R"(<ssd:Enumerations><ssc:Enumeration name="Mode"><ssc:Item name="halt" value="1"/>
           <ssc:Item name="run" value="2"/></ssc:Enumeration></ssd:Enumerations>)";
    const auto map = [](const std::string& kind, const std::string& entries) {
        return "<ssc:" + kind + "MappingTransformation>" + entries + "</ssc:" + kind +
               "MappingTransformation>";
    };
    const auto entry = [](const std::string& from, const std::string& to) {
        return R"(<ssc:MapEntry source=")" + from + R"(" target=")" + to + R"("/>)";
    };
    const auto file = write(
        "SystemStructure.ssd",
        ssd(elements(component("a", "resources/feedthrough.fmu", all) +
                     component("b", "resources/feedthrough.fmu", all)) +
                connections(
                    connection("a.boolean_out", "b.boolean_in",
                               map("Boolean", entry("true", "false") + entry("false", "true"))) +
                    connection("a.int32_out", "b.int32_in",
                               map("Integer", entry("-32", "7") + entry("1", "2"))) +
                    connection("a.mode_out", "b.mode_in",
                               map("Enumeration", entry("run", "coast") + entry("halt", "run")))),
            enumerations));
    EXPECT_EQ(said(file), "");
    Trajectories run = run_scenario(file);
    EXPECT_EQ(run["b.boolean_out"].back(), 0);
    EXPECT_EQ(run["b.int32_out"].back(), 7);
    EXPECT_EQ(run["b.mode_out"].back(), 3);
}

} // namespace
} // namespace rubato::test
