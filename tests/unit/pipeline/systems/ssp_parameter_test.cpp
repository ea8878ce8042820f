// SPDX-License-Identifier: Apache-2.0

/// Parameters of SSP systems: which binding counts, and what becomes of its values.

#include "system_folder.hpp"

#include <algorithm>

namespace rubato::test {
namespace {

class SspParameters : public SystemFolder {
protected:
    void SetUp() override {
        copy_fmu("fmi2/msd1.fmu", "resources/msd1.fmu");
        copy_fmu("fmi2/msd2.fmu", "resources/msd2.fmu");
    }

    /// The value that the scenario gives a variable of a unit; NaN: none.
    static double value_of(const scenario::Scenario& scenario, const std::string& unit,
                           const std::string& variable) {
        for (const scenario::Unit& each : scenario.units) {
            if (each.name != unit) continue;
            for (const auto* list : {&each.parameters, &each.start})
                for (const scenario::Assignment& assignment : *list)
                    if (assignment.variable == variable) return std::get<double>(assignment.value);
        }
        return std::numeric_limits<double>::quiet_NaN();
    }
};

TEST_F(SspParameters, LaterBindingsAndOuterSystemsGoFirst) {
    const std::string own =
        bindings(binding(parameter_set(parameter("m1", "2"))) +
                 binding(parameter_set(parameter("m1", "3") + parameter("c1", "3"))));
    const std::string outer =
        bindings(binding(parameter_set(parameter("msd1.c1", "4") + parameter("nobody.x", "1"))) +
                 binding(parameter_set(parameter("x1", "0.25")), "", R"(prefix="msd1.")"));
    const auto file = write("SystemStructure.ssd", ssd(outer + elements(msd1(own))));
    EXPECT_EQ(said(file), "");
    const scenario::Scenario scenario = read(file);
    EXPECT_EQ(value_of(scenario, "msd1", "m1"), 3) << "the later one on the same level";
    EXPECT_EQ(value_of(scenario, "msd1", "c1"), 4) << "the system around it";
    EXPECT_EQ(value_of(scenario, "msd1", "x1"), 0.25) << "a start value, by a prefix";
    ASSERT_EQ(scenario.units[0].start.size(), 1u);
    EXPECT_EQ(scenario.units[0].parameters.size(), 2u);
}

TEST_F(SspParameters, NamesMayBeginWithThatOfTheElement) {
    const auto file =
        write("SystemStructure.ssd",
              ssd(bindings(binding(parameter_set(parameter("root.msd1.c1", "5")))) +
                  elements(msd1(bindings(binding(parameter_set(parameter("msd1.m1", "2"))))))));
    EXPECT_EQ(said(file), "");
    const scenario::Scenario scenario = read(file);
    EXPECT_EQ(value_of(scenario, "msd1", "m1"), 2) << "as OMSimulator writes it";
    EXPECT_EQ(value_of(scenario, "msd1", "c1"), 5);
}

TEST_F(SspParameters, FilesAndMappingsTransformValues) {
    write("resources/values.ssv",
          parameter_set(parameter("mass", "1500", "Real", R"(unit="g")") +
                            parameter("stiffness", "2") + parameter("unused", "9"),
                        R"(<ssv:Units><ssc:Unit name="g"><ssc:BaseUnit kg="1" factor="0.001"/>
                           </ssc:Unit></ssv:Units>)"));
    write("resources/names.ssm",
          R"(<ssm:ParameterMapping xmlns:ssm="m" xmlns:ssc="c" version="1.0">
             <ssm:MappingEntry source="mass" target="msd1.m1"/>
             <ssm:MappingEntry source="mass" target="msd1.d1" suppressUnitConversion="true"/>
             <ssm:MappingEntry source="stiffness" target="msd1.c1">
             <ssc:LinearTransformation factor="10" offset="1"/></ssm:MappingEntry>
             </ssm:ParameterMapping>)");
    const std::string bound = bindings(R"(<ssd:ParameterBinding source="resources/values.ssv">
                    <ssd:ParameterMapping source="resources/names.ssm"/></ssd:ParameterBinding>)");
    const auto file = write("SystemStructure.ssd", ssd(bound + elements(msd1())));
    EXPECT_EQ(said(file), "");
    const scenario::Scenario scenario = read(pack("system.ssp"));
    EXPECT_EQ(value_of(scenario, "msd1", "m1"), 1.5);
    EXPECT_EQ(value_of(scenario, "msd1", "d1"), 1500);
    EXPECT_EQ(value_of(scenario, "msd1", "c1"), 21);
}

/// Tools write templates of mappings, and define units of measure carelessly.
TEST_F(SspParameters, TemplatesAndCarelessUnitsAreNamed) {
    write("resources/names.ssm", R"(<ssm:ParameterMapping xmlns:ssm="m" version="1.0">
             <ssm:MappingEntry source="" target="msd1.c1"/>
             <ssm:MappingEntry source="mass" target="msd1.m1"/></ssm:ParameterMapping>)");
    const std::string values =
        parameter_set(parameter("mass", "2", "Real", R"(unit="kg")"),
                      R"(<ssv:Units><ssc:Unit name="kg"><ssc:BaseUnit kg="1" m="-2"/></ssc:Unit>
                         </ssv:Units>)");
    const auto file = write(
        "SystemStructure.ssd",
        ssd(bindings(binding(values, R"(<ssd:ParameterMapping source="resources/names.ssm"/>)")) +
            elements(msd1())));
    EXPECT_NE(said(file).find("warning: parameter \"m1\" is taken as it is: \"kg\" is defined as "
                              "different things"),
              std::string::npos)
        << said(file);
    EXPECT_EQ(value_of(read(file), "msd1", "m1"), 2);
}

TEST_F(SspParameters, ConnectorsOfSystemsPassValuesOn) {
    const std::string inner =
        R"(<ssd:System name="inner"><ssd:Connectors>)" + connector("mass", "parameter") +
        connector("force", "input") + "</ssd:Connectors>" +
        elements(component("msd1", "resources/msd1.fmu",
                           connector("m1", "parameter") + connector("Fc", "input"))) +
        connections(connection("mass", "msd1.m1", R"(<ssc:LinearTransformation factor="2"/>)") +
                    connection("force", "msd1.Fc")) +
        bindings(binding(parameter_set(parameter("force", "5")))) + "</ssd:System>";
    const auto file =
        write("SystemStructure.ssd",
              ssd("<ssd:Connectors>" + connector("m", "parameter") + "</ssd:Connectors>" +
                  bindings(binding(parameter_set(parameter("m", "4")))) + elements(inner) +
                  connections(connection("m", "inner.mass"))));
    EXPECT_EQ(said(file), "");
    const scenario::Scenario scenario = read(file);
    const auto& nested = std::get<scenario::NestedScenario>(scenario.units[0].origin);
    EXPECT_EQ(value_of(*nested.scenario, "msd1", "m1"), 8);
    EXPECT_EQ(value_of(*nested.scenario, "msd1", "Fc"), 5);
}

} // namespace
} // namespace rubato::test
