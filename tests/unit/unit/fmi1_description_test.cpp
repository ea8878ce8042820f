// SPDX-License-Identifier: Apache-2.0

#include "support/error_text.hpp"
#include "support/private_folder.hpp"
#include "support/zip_writer.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/unit/library.hpp>
#include <rubato/unit/validation.hpp>

#include <gmock/gmock.h>

namespace rubato::unit {
namespace {

using scenario::Causality;
using scenario::Initial;
using scenario::Interface;
using scenario::Variability;
using scenario::Variable;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

constexpr const char* slave = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="1.0" modelName="A crane" modelIdentifier="m" guid="{42}"
    generationTool="by hand" variableNamingConvention="structured"
    numberOfContinuousStates="1" numberOfEventIndicators="2">
  <UnitDefinitions>
    <BaseUnit unit="N"><DisplayUnitDefinition displayUnit="kN" gain="1e-3"/></BaseUnit>
  </UnitDefinitions>
  <TypeDefinitions>
    <Type name="Force"><!-- of the rope --><RealType unit="N" nominal="1e3" min="-1e4"/></Type>
    <Type name="Gear"><EnumerationType><Item name="low"/><Item name="high"/></EnumerationType></Type>
  </TypeDefinitions>
  <DefaultExperiment startTime="0.5" stopTime="2" tolerance="1e-6"/>
  <ModelVariables>
    <ScalarVariable name="x" valueReference="10" causality="output">
      <Real unit="m" start="1"/><DirectDependency/>
    </ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="11"><Real/></ScalarVariable>
    <ScalarVariable name="F" valueReference="12" causality="input"><Real declaredType="Force" start="-2.5e3"/></ScalarVariable>
    <ScalarVariable name="m" valueReference="13" variability="parameter"><Real start="3"/></ScalarVariable>
    <ScalarVariable name="weight" valueReference="14" variability="parameter"><Real/></ScalarVariable>
    <ScalarVariable name="guess" valueReference="15" variability="parameter"><Real start="1" fixed="false"/></ScalarVariable>
    <ScalarVariable name="pull" valueReference="12" alias="negatedAlias" causality="output">
      <Real/><DirectDependency><Name>F</Name></DirectDependency>
    </ScalarVariable>
    <ScalarVariable name="same" valueReference="10" alias="alias"><Real/></ScalarVariable>
    <ScalarVariable name="g" valueReference="16" variability="constant"><Real start="9.81"/></ScalarVariable>
    <ScalarVariable name="gear" valueReference="1" causality="output" variability="discrete">
      <Enumeration declaredType="Gear"/>
    </ScalarVariable>
    <ScalarVariable name="on" valueReference="0" causality="input"><Boolean start="true"/></ScalarVariable>
    <ScalarVariable name="verbose" valueReference="1" causality="none" variability="discrete"><Boolean start="true"/></ScalarVariable>
  </ModelVariables>
  <Implementation>
    <CoSimulation_StandAlone>
      <Capabilities canHandleVariableCommunicationStepSize="true" canRejectSteps="true"
        canInterpolateInputs="true" maxOutputDerivativeOrder="1" canBeInstantiatedOnlyOncePerProcess="1"/>
    </CoSimulation_StandAlone>
  </Implementation>
</fmiModelDescription>
)xml";

class Fmi1Description : public testing::Test {
protected:
    std::filesystem::path pack(const std::string& xml) {
        auto file = folder_ / "m.fmu";
        test::ZipWriter()
            .add("modelDescription.xml", xml)
            .add("binaries/linux64/m.so", "")
            .save(file);
        return file;
    }
    const scenario::UnitDescription& describe(const std::string& xml) {
        return library_.describe(pack(xml));
    }
    static std::string without(std::string text, const std::string& from, const std::string& to) {
        const auto begin = text.find(from), end = text.find(to);
        return text.erase(begin, end + to.size() - begin);
    }

    test::PrivateFolder folder_;
    Library library_{silent_log()};
};

TEST_F(Fmi1Description, TellsWhatTheSlaveCanDo) {
    const auto& unit = describe(slave);
    EXPECT_EQ(unit.kind, "FMI 1.0 co-simulation");
    EXPECT_EQ(unit.model, "A crane");
    EXPECT_EQ(unit.identifier, "{42}");
    EXPECT_EQ(unit.generation_tool, "by hand");
    EXPECT_THAT(unit.interfaces, ElementsAre(Interface::co_simulation));
    EXPECT_TRUE(unit.capabilities.variable_step);
    EXPECT_FALSE(unit.capabilities.snapshots); // canRejectSteps is not that
    EXPECT_EQ(unit.capabilities.input_derivatives, 2u);
    EXPECT_EQ(unit.capabilities.output_derivatives, 1u);
    EXPECT_TRUE(unit.capabilities.one_instance_per_process);
    EXPECT_THAT(unit.default_experiment.start, Optional(0.5));
    EXPECT_THAT(unit.default_experiment.tolerance, Optional(1e-6));
}

TEST_F(Fmi1Description, WithoutAnImplementationIsOfAModel) {
    const auto& unit = describe(without(slave, "<Implementation>", "</Implementation>"));
    EXPECT_EQ(unit.kind, "FMI 1.0 model exchange");
    EXPECT_THAT(unit.interfaces, ElementsAre(Interface::model_exchange));
}

TEST_F(Fmi1Description, TellsWhatVariablesAreInTheWordsOfLaterVersions) {
    const auto& unit = describe(slave);
    struct Role {
        const char* name;
        Causality causality;
        Variability variability;
        Initial initial;
    };
    constexpr Role roles[] = {
        {"x", Causality::output, Variability::continuous, Initial::exact},
        {"der(x)", Causality::local, Variability::continuous, Initial::calculated},
        {"F", Causality::input, Variability::continuous, Initial::unspecified},
        {"m", Causality::parameter, Variability::fixed, Initial::exact},
        {"weight", Causality::calculated_parameter, Variability::fixed, Initial::calculated},
        {"guess", Causality::calculated_parameter, Variability::fixed, Initial::approx},
        {"g", Causality::local, Variability::constant, Initial::exact},
        {"gear", Causality::output, Variability::discrete, Initial::calculated},
        {"on", Causality::input, Variability::discrete, Initial::unspecified},
        {"verbose", Causality::local, Variability::discrete, Initial::exact},
    };
    for (const Role& role : roles) {
        const Variable& variable = unit.variables.at(unit.find_variable(role.name).value());
        EXPECT_EQ(variable.causality, role.causality) << role.name;
        EXPECT_EQ(variable.variability, role.variability) << role.name;
        EXPECT_EQ(variable.initial, role.initial) << role.name;
    }
    EXPECT_THAT(unit.variables[1].derivative_of, Optional(0u));
}

TEST_F(Fmi1Description, TakesFromTypesWhatVariablesDoNotSay) {
    const auto& unit = describe(slave);
    const Variable& force = unit.variables[unit.find_variable("F").value()];
    EXPECT_EQ(force.unit, "N");
    EXPECT_TRUE(force.measure.has_value());
    EXPECT_THAT(force.nominal, Optional(1e3));
    EXPECT_THAT(force.minimum, Optional(-1e4));
    EXPECT_EQ(force.start, Value(-2.5e3));
    const Variable& gear = unit.variables[unit.find_variable("gear").value()];
    EXPECT_THAT(gear.minimum, Optional(1.0)); // items are numbered from 1
    EXPECT_THAT(gear.maximum, Optional(2.0));
}

TEST_F(Fmi1Description, GivesNegatedAliasesReferencesOfTheirOwn) {
    const auto& unit = describe(slave);
    const auto reference = [&](const char* name) {
        return unit.variables[unit.find_variable(name).value()].reference;
    };
    EXPECT_EQ(reference("same"), reference("x"));
    for (const Variable& variable : unit.variables)
        EXPECT_TRUE(variable.name == "pull" || variable.reference != reference("pull"));
}

TEST_F(Fmi1Description, TellsDirectDependencies) {
    const auto& unit = describe(slave);
    ASSERT_EQ(unit.dependencies.size(), 3u);
    EXPECT_THAT(unit.dependencies[0].step, Optional(IsEmpty())); // x
    EXPECT_THAT(unit.dependencies[1].step, Optional(ElementsAre(unit.find_variable("F").value())));
    EXPECT_EQ(unit.dependencies[1].initial, unit.dependencies[1].step);
    EXPECT_EQ(unit.dependencies[2].step, std::nullopt); // gear: on all, for all one knows
}

TEST_F(Fmi1Description, ThatIsCleanKeepsTheStandard) {
    EXPECT_THAT(validate(pack(slave), {}), IsEmpty());
}

TEST_F(Fmi1Description, ThatIsNotIsReadAndComplainedOf) {
    std::string text = slave;
    for (const auto& [from, to] : {std::pair{"causality=\"none\"", "causality=\"nix\""},
                                   {"guid=\"{42}\"", "guid=\"{42}\" colour=\"red\""}})
        text.replace(text.find(from), std::string(from).size(), to);
    std::vector<std::string_view> rules;
    for (const Finding& finding : validate(pack(text), {}))
        rules.push_back(text_of(finding.rule).id);
    EXPECT_THAT(rules, testing::UnorderedElementsAre("unknown-attribute", "unknown-word"));
    EXPECT_NO_THROW(describe(text));
}

TEST_F(Fmi1Description, OfALinkToAToolIsRefused) {
    std::string text = slave;
    for (const std::string name : {"<CoSimulation_StandAlone>", "</CoSimulation_StandAlone>"})
        text.replace(text.find(name), name.size(),
                     name[1] == '/' ? "</CoSimulation_Tool>" : "<CoSimulation_Tool>");
    EXPECT_THAT(test::error_of<InputError>([&] { describe(text); }),
                AllOf(HasSubstr("the FMU is a link to a tool (<CoSimulation_Tool>)"),
                      HasSubstr("export it as stand-alone")));
}

} // namespace
} // namespace rubato::unit
