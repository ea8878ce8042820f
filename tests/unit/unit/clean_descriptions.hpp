// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <string>

namespace rubato::test {

/// The text with the first `from` in it, which there must be, replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// Descriptions that keep every rule, with a bit of everything that rules are about.

constexpr const char* clean_fmi2 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="crane" guid="{42}" generationDateAndTime="2026-01-31T12:00:00Z" variableNamingConvention="structured" numberOfEventIndicators="0">
  <ModelExchange modelIdentifier="crane"/>
  <CoSimulation modelIdentifier="crane" canGetAndSetFMUstate="true" canSerializeFMUstate="true">
    <SourceFiles>
      <File name="crane.c"/>
    </SourceFiles>
  </CoSimulation>
  <UnitDefinitions>
    <Unit name="m">
      <BaseUnit m="1"/>
      <DisplayUnit name="mm" factor="1000"/>
      <DisplayUnit name="km" factor="0.001"/>
    </Unit>
    <Unit name="kN"><BaseUnit kg="1" m="1" s="-2" factor="1000"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <SimpleType name="Force"><Real unit="kN" nominal="10"/></SimpleType>
    <SimpleType name="Gear">
      <Enumeration>
        <Item name="low" value="1"/>
        <Item name="high" value="2"/>
      </Enumeration>
    </SimpleType>
  </TypeDefinitions>
  <LogCategories>
    <Category name="logAll"/>
    <Category name="logNone"/>
  </LogCategories>
  <DefaultExperiment startTime="0" stopTime="2" tolerance="1e-6" stepSize="0.1"/>
  <VendorAnnotations><Tool name="any"><whatever deep="yes"><it/></whatever></Tool></VendorAnnotations>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent"><Real/></ScalarVariable>
    <ScalarVariable name="x" valueReference="1" causality="output" initial="exact"><Real unit="m" displayUnit="mm" start="1"/></ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="2"><Real derivative="2"/></ScalarVariable>
    <ScalarVariable name="F" valueReference="3" causality="input"><Real declaredType="Force" start="5" min="0" max="10"/></ScalarVariable>
    <ScalarVariable name="k" valueReference="4" causality="parameter" variability="fixed"><Real start="3"/></ScalarVariable>
    <ScalarVariable name="n" valueReference="5" causality="input" variability="discrete" canHandleMultipleSetPerTimeInstant="true"><Integer start="-7"/></ScalarVariable>
    <ScalarVariable name="gear" valueReference="6" causality="input" variability="discrete"><Enumeration declaredType="Gear" start="2"/></ScalarVariable>
    <ScalarVariable name="rope[1].'load cell'" valueReference="7" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="x_alias" valueReference="1"><Real unit="m"/></ScalarVariable>
    <ScalarVariable name="c" valueReference="8" causality="calculatedParameter" variability="fixed"><Real/></ScalarVariable>
    <ScalarVariable name="pi" valueReference="9" variability="constant"><Real start="3.14"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs>
      <Unknown index="2" dependencies=""/>
      <Unknown index="8" dependencies="4 6" dependenciesKind="fixed dependent"/>
    </Outputs>
    <Derivatives>
      <Unknown index="3" dependencies="4"/>
    </Derivatives>
    <InitialUnknowns>
      <Unknown index="3"/>
      <Unknown index="8" dependencies="4" dependenciesKind="constant"/>
      <Unknown index="10"/>
    </InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
)xml";

constexpr const char* clean_fmi3 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="crane" instantiationToken="{42}" variableNamingConvention="structured">
  <CoSimulation modelIdentifier="crane" canGetAndSetFMUState="true" canSerializeFMUState="true" providesIntermediateUpdate="true" canReturnEarlyAfterIntermediateUpdate="true"/>
  <UnitDefinitions>
    <Unit name="m"><BaseUnit m="1"/><DisplayUnit name="mm" factor="1000"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <Float64Type name="Length" unit="m" nominal="10"/>
    <EnumerationType name="Gear">
      <Item name="low" value="1"/>
      <Item name="high" value="2"/>
    </EnumerationType>
  </TypeDefinitions>
  <LogCategories><Category name="logAll"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="2"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent"/>
    <UInt64 name="size" valueReference="1" causality="structuralParameter" variability="fixed" start="3"/>
    <Float64 name="x" valueReference="2" causality="output" initial="exact" declaredType="Length" displayUnit="mm" start="1 2 3">
      <Dimension valueReference="1"/>
      <Alias name="another_x"/>
    </Float64>
    <Float64 name="der(x)" valueReference="3" derivative="2"><Dimension valueReference="1"/></Float64>
    <Float64 name="u" valueReference="4" causality="input" start="5" min="0" max="10"/>
    <Enumeration name="gear" valueReference="5" causality="parameter" declaredType="Gear" start="2"/>
    <String name="label" valueReference="6" causality="input" initial="exact"><Start value="a"/></String>
    <Clock name="tick" valueReference="7" causality="input" intervalVariability="triggered"/>
    <Int32 name="count" valueReference="8" causality="output" clocks="7"/>
    <Float64 name="y" valueReference="9" causality="output"/>
    <Float64 name="z" valueReference="10"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="2" dependencies=""/>
    <Output valueReference="8" dependencies="7"/>
    <Output valueReference="9" dependencies="4" dependenciesKind="constant"/>
    <ContinuousStateDerivative valueReference="3" dependencies="4"/>
    <InitialUnknown valueReference="3"/>
    <InitialUnknown valueReference="9" dependencies="4"/>
    <EventIndicator valueReference="10"/>
  </ModelStructure>
</fmiModelDescription>
)xml";

} // namespace rubato::test
