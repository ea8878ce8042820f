// SPDX-License-Identifier: Apache-2.0

#include "support/private_folder.hpp"
#include "support/zip_writer.hpp"

#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

namespace rubato::unit {
namespace {

using scenario::Causality;
using scenario::Initial;
using scenario::Variability;
using scenario::Variable;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

class Description : public testing::Test {
protected:
    const scenario::UnitDescription& describe(const std::string& xml) {
        const auto file = folder_ / "m.fmu";
        test::ZipWriter()
            .add("modelDescription.xml", xml)
            .add("binaries/win64/m.dll", "")
            .add("binaries/linux64/m.so", "")
            .save(file);
        return library_.describe(file);
    }

    static const Variable& variable(const scenario::UnitDescription& description,
                                    const std::string& name) {
        return description.variables.at(description.find_variable(name).value());
    }

    test::PrivateFolder folder_;
    Library library_{silent_log()};
};

constexpr const char* described_fmi2 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="crane" guid="{42}" description="a crane"
                     generationTool="by hand">
  <CoSimulation modelIdentifier="crane" canHandleVariableCommunicationStepSize="true"
      canInterpolateInputs="true" maxOutputDerivativeOrder="1" canGetAndSetFMUstate="1"
      canSerializeFMUstate="true" canBeInstantiatedOnlyOncePerProcess="true"/>
  <TypeDefinitions>
    <SimpleType name="Force"><Real unit="kN" nominal="1e3" min="-1e4"/></SimpleType>
    <SimpleType name="Gear"><Enumeration><Item name="low" value="1"/><Item name="high" value="3"/></Enumeration></SimpleType>
  </TypeDefinitions>
  <DefaultExperiment startTime="0.5" stopTime="2" tolerance="1e-6"/>
  <ModelVariables>
    <ScalarVariable name="x" valueReference="10" causality="output"><Real unit="m"/></ScalarVariable>
    <ScalarVariable name="v" valueReference="11"><Real derivative="1"/></ScalarVariable>
    <ScalarVariable name="F" valueReference="12" causality="input"><Real declaredType="Force" start="-2.5e3"/></ScalarVariable>
    <ScalarVariable name="m" valueReference="13" causality="parameter" variability="tunable"><Real start="+3"/></ScalarVariable>
    <ScalarVariable name="n" valueReference="0" causality="input"><Integer start="-7"/></ScalarVariable>
    <ScalarVariable name="gear" valueReference="1" causality="output"><Enumeration declaredType="Gear"/></ScalarVariable>
    <ScalarVariable name="on" valueReference="0" causality="input"><Boolean start="true"/></ScalarVariable>
    <ScalarVariable name="label" valueReference="0" causality="parameter"><String start="a &lt; b"/></ScalarVariable>
    <ScalarVariable name="z" valueReference="14" causality="output" initial="exact"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="w" valueReference="15" causality="output" variability="constant"><Real start="1"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs>
      <Unknown index="1" dependencies=""/>
      <Unknown index="6" dependencies="3 4 7"/>
      <Unknown index="9"/>
    </Outputs>
    <InitialUnknowns>
      <Unknown index="1" dependencies="3 4"/>
      <Unknown index="6"/>
    </InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>)xml";

TEST_F(Description, OfFmi2TellsWhatTheModelIs) {
    const auto& d = describe(described_fmi2);
    EXPECT_EQ(d.model, "crane");
    EXPECT_EQ(d.kind, "FMI 2.0 co-simulation");
    EXPECT_EQ(d.source, (folder_ / "m.fmu").string());
    EXPECT_EQ(d.description, "a crane");
    EXPECT_EQ(d.generation_tool, "by hand");
    EXPECT_EQ(d.identifier, "{42}");
    EXPECT_THAT(d.platforms, ElementsAre("linux64", "win64"));
    EXPECT_THAT(d.default_experiment.start, Optional(0.5));
    EXPECT_THAT(d.default_experiment.stop, Optional(2.0));
    EXPECT_FALSE(d.default_experiment.step);
    EXPECT_THAT(d.default_experiment.tolerance, Optional(1e-6));
}

TEST_F(Description, OfFmi2TellsCapabilities) {
    const auto& can = describe(described_fmi2).capabilities;
    EXPECT_TRUE(can.variable_step);
    EXPECT_TRUE(can.snapshots);
    EXPECT_TRUE(can.serialization);
    EXPECT_FALSE(can.directional_derivatives);
    EXPECT_TRUE(can.one_instance_per_process);
    EXPECT_FALSE(can.needs_execution_tool);
    EXPECT_EQ(can.input_derivatives, 2u);
    EXPECT_EQ(can.output_derivatives, 1u);
}

TEST_F(Description, OfFmi2HasAllTypesWithStartValues) {
    const auto& d = describe(described_fmi2);
    EXPECT_EQ(variable(d, "F").start, Value(-2500.0));
    EXPECT_EQ(variable(d, "m").start, Value(3.0));
    EXPECT_EQ(variable(d, "n").type, ValueType::int32);
    EXPECT_EQ(variable(d, "n").start, Value(std::int64_t{-7}));
    EXPECT_EQ(variable(d, "gear").type, ValueType::enumeration);
    EXPECT_EQ(variable(d, "on").start, Value(true));
    EXPECT_EQ(variable(d, "label").start, Value(std::string("a < b")));
    EXPECT_EQ(variable(d, "x").reference, 10u);
    EXPECT_FALSE(variable(d, "x").start);
    EXPECT_EQ(variable(d, "v").derivative_of, 0u);
}

TEST_F(Description, UnitsComeFromTheVariableOrItsType) {
    const auto& d = describe(described_fmi2);
    EXPECT_EQ(variable(d, "x").unit, "m");
    EXPECT_EQ(variable(d, "F").unit, "kN");
    EXPECT_EQ(variable(d, "m").unit, "");
}

TEST_F(Description, MagnitudeAndRangeComeFromTheVariableOrItsType) {
    const auto& d = describe(described_fmi2);
    EXPECT_EQ(variable(d, "F").nominal, 1e3);
    EXPECT_EQ(variable(d, "F").minimum, -1e4);
    EXPECT_EQ(variable(d, "F").maximum, std::nullopt);
    EXPECT_EQ(variable(d, "gear").minimum, 1);
    EXPECT_EQ(variable(d, "gear").maximum, 3);
    EXPECT_EQ(variable(d, "x").nominal, std::nullopt);
}

TEST_F(Description, DefaultsAreThoseOfTheStandard) {
    const auto& d = describe(described_fmi2);
    EXPECT_EQ(variable(d, "v").causality, Causality::local);
    EXPECT_EQ(variable(d, "v").variability, Variability::continuous);
    EXPECT_EQ(variable(d, "v").initial, Initial::calculated);
    EXPECT_EQ(variable(d, "F").initial, Initial::unspecified);
    EXPECT_EQ(variable(d, "n").variability, Variability::discrete);
    EXPECT_EQ(variable(d, "m").variability, Variability::tunable);
    EXPECT_EQ(variable(d, "m").initial, Initial::exact);
    EXPECT_EQ(variable(d, "label").variability, Variability::fixed);
    EXPECT_EQ(variable(d, "w").initial, Initial::exact);
}

TEST_F(Description, DependenciesAreOnInputsOnly) {
    const auto& all = describe(described_fmi2).dependencies;
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0].output, 0u); // x
    EXPECT_THAT(all[0].step, Optional(IsEmpty()));
    EXPECT_THAT(all[0].initial, Optional(ElementsAre(2u)));
    EXPECT_EQ(all[1].output, 5u); // gear, on F and on; the parameter m is no input
    EXPECT_THAT(all[1].step, Optional(ElementsAre(2u, 6u)));
    EXPECT_EQ(all[1].initial, std::nullopt) << "no attribute: not told";
    EXPECT_EQ(all[2].output, 8u); // z
    EXPECT_EQ(all[2].step, std::nullopt);
    EXPECT_THAT(all[2].initial, Optional(IsEmpty())) << "an exact start value depends on nothing";
    EXPECT_EQ(all[3].step, std::nullopt) << "not listed: not told";
}

constexpr const char* described_fmi3 = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="crane" instantiationToken="{42}">
  <CoSimulation modelIdentifier="crane" mightReturnEarlyFromDoStep="true" canGetAndSetFMUState="true"/>
  <TypeDefinitions><Float64Type name="Force" unit="kN" nominal="1e3" max="5e3"/></TypeDefinitions>
  <ModelVariables>
    <Float64 name="F" valueReference="100" causality="input" declaredType="Force" max="2e3" start="1"/>
    <Float64 name="der(F)" valueReference="101" causality="input" derivative="100" start="0"/>
    <Float64 name="der(F,2)" valueReference="102" causality="input" derivative="101" start="0"/>
    <Float64 name="G" valueReference="103" causality="input" start="1"/>
    <Float64 name="der(G)" valueReference="104" causality="input" derivative="103" start="0"/>
    <Float64 name="x" valueReference="105" causality="output"><Alias name="position"/></Float64>
    <UInt64 name="size" valueReference="106" causality="structuralParameter" start="3"/>
    <Float64 name="table" valueReference="107" causality="parameter" start="1 2 3 4 5 6">
      <Dimension valueReference="106"/><Dimension start="2"/>
    </Float64>
    <Int8 name="i8" valueReference="108" causality="input" start="-128"/>
    <UInt64 name="u64" valueReference="109" causality="input" start="18446744073709551615"/>
    <String name="s" valueReference="110" causality="input"><Start value="hello"/></String>
    <Binary name="bytes" valueReference="111" causality="input"><Start value="00Ff"/></Binary>
    <Clock name="tick" valueReference="112" causality="input" intervalVariability="triggered"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="105" dependencies="100 106"/>
    <InitialUnknown valueReference="105" dependencies=""/>
  </ModelStructure>
</fmiModelDescription>)xml";

TEST_F(Description, OfFmi3HasTheQuantityOfDeclaredTypesAndItsOwn) {
    const auto& d = describe(described_fmi3);
    EXPECT_EQ(variable(d, "F").unit, "kN");
    EXPECT_EQ(variable(d, "F").nominal, 1e3);
    EXPECT_EQ(variable(d, "F").minimum, std::nullopt);
    EXPECT_EQ(variable(d, "F").maximum, 2e3) << "its own goes before its type's";
}

TEST_F(Description, OfFmi3TellsCapabilitiesAndDependencies) {
    const auto& d = describe(described_fmi3);
    EXPECT_EQ(d.kind, "FMI 3.0 co-simulation");
    EXPECT_EQ(d.identifier, "{42}");
    EXPECT_TRUE(d.capabilities.may_return_early);
    EXPECT_TRUE(d.capabilities.snapshots);
    EXPECT_FALSE(d.capabilities.variable_step);
    ASSERT_EQ(d.dependencies.size(), 1u);
    EXPECT_THAT(d.dependencies[0].step, Optional(ElementsAre(0u)));
    EXPECT_THAT(d.dependencies[0].initial, Optional(IsEmpty()));
}

TEST_F(Description, OfFmi3OffersTheDerivativesThatAllInputsWithAnyHave) {
    const auto& d = describe(described_fmi3);
    EXPECT_EQ(d.capabilities.input_derivatives, 1u);
    EXPECT_EQ(variable(d, "der(F)").derivative_of, 0u);
    EXPECT_EQ(variable(d, "der(F,2)").derivative_of, 1u);
}

TEST_F(Description, OfFmi3HasArraysWithTheirDimensions) {
    const auto& d = describe(described_fmi3);
    const auto& table = variable(d, "table");
    ASSERT_EQ(table.dimensions.size(), 2u);
    EXPECT_EQ(table.dimensions[0].size, 3u);
    EXPECT_EQ(d.variables.at(table.dimensions[0].parameter.value()).reference, 106u);
    EXPECT_EQ(table.dimensions[1], (scenario::Dimension{2, {}}));
    EXPECT_FALSE(table.start);
    EXPECT_EQ(table.start_elements.size(), 6u);
    EXPECT_EQ(table.start_elements[4], Value(5.0));
    EXPECT_TRUE(d.capabilities.structural_parameters);
}

TEST_F(Description, OfFmi3HasAllTypesWithStartValues) {
    const auto& d = describe(described_fmi3);
    EXPECT_EQ(variable(d, "F").unit, "kN");
    EXPECT_EQ(variable(d, "i8").start, Value(std::int64_t{-128}));
    EXPECT_EQ(variable(d, "u64").start, Value(std::int64_t{-1})) << "keeps its bits";
    EXPECT_EQ(variable(d, "s").start, Value(std::string("hello")));
    EXPECT_EQ(variable(d, "bytes").start, Value(std::string("\0\xff", 2)));
    EXPECT_EQ(variable(d, "tick").type, ValueType::clock);
}

TEST_F(Description, OfFmi3HasAliasesAsLocalVariables) {
    const auto& d = describe(described_fmi3);
    EXPECT_EQ(variable(d, "position").reference, variable(d, "x").reference);
    EXPECT_EQ(variable(d, "position").causality, Causality::local);
}

} // namespace
} // namespace rubato::unit
