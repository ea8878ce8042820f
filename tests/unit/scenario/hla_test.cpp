// SPDX-License-Identifier: Apache-2.0

/// The section `hla`: attributes that federates of other tools see and feed.

#include "support.hpp"

#include <gmock/gmock.h>

namespace rubato::scenario::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Hla, IsReadAndWritten) {
    const Parsed parsed = parse(R"(rubato: 1
units: {a: {model: m}}
hla:
  outputs:
    a.y: Plant
    a.z: {class: Vehicle.Car, instance: car 7, attribute: height, encoding: HLAfloat32LE}
  inputs:
    a.u: {class: Controller, instance: controller}
)");
    EXPECT_EQ(parsed.said(), "");
    const HlaSettings& hla = parsed.scenario.hla;
    ASSERT_EQ(hla.outputs.size(), 2u);
    EXPECT_EQ(hla.outputs[0].object_class, "Plant");
    EXPECT_EQ(hla.outputs[0].instance, std::nullopt);
    EXPECT_EQ(hla.outputs[1].instance, "car 7");
    EXPECT_EQ(hla.outputs[1].encoding, HlaEncoding::float32_le);
    EXPECT_EQ(hla.inputs[0].where.line, 8);
    const std::string text = write_yaml(parsed.scenario);
    const Parsed again = parse(text);
    EXPECT_EQ(again.said(), "");
    EXPECT_EQ(write_yaml(again.scenario), text);
    EXPECT_EQ(again.scenario.hla.outputs[1].attribute, "height");
}

TEST(Hla, ReportsWhatItCannotRead) {
    const std::string said = said_of(R"(hla:
  outputs:
    a: Plant
    a.x: {instance: plant}
    a.y: {class: Plant, encoding: HLAfloat16BE}
    a.z: {klass: Plant}
  input: {}
)");
    EXPECT_THAT(said, HasSubstr("s.yaml:5: \"a\" names no variable of a unit"));
    EXPECT_THAT(said, HasSubstr("s.yaml:6: hla.outputs.a.x has no class"));
    EXPECT_THAT(said, HasSubstr("HLAfloat16BE"));
    EXPECT_THAT(said, HasSubstr("klass"));
    EXPECT_THAT(said, HasSubstr("s.yaml:9"));
}

TEST(Hla, NamesAttributesByUnitAndVariableUnlessTheScenarioDoes) {
    const Resolved resolved = resolve_two(R"(hla:
  outputs: {a.y: HLAobjectRoot.Vehicle.Car}
  inputs: {b.u: {class: C, instance: i, attribute: f, encoding: HLAfloat64LE}}
)");
    EXPECT_EQ(resolved.problems(), "");
    ASSERT_EQ(resolved.system.hla_outputs.size(), 1u);
    const HlaPort& output = resolved.system.hla_outputs[0];
    EXPECT_EQ(resolved.system.name_of(output.port), "a.y");
    EXPECT_EQ(output.object_class, "Vehicle.Car");
    EXPECT_EQ(output.instance, "a");
    EXPECT_EQ(output.attribute, "y");
    EXPECT_EQ(output.encoding, HlaEncoding::float64_be);
    ASSERT_EQ(resolved.system.hla_inputs.size(), 1u);
    const HlaPort& input = resolved.system.hla_inputs[0];
    EXPECT_EQ(input.instance + "." + input.attribute, "i.f");
    EXPECT_EQ(input.encoding, HlaEncoding::float64_le);
    EXPECT_THAT(resolved.said(), Not(HasSubstr("b.u is not connected")));
}

/// What is said of one line of the section.
std::string mapping_problems(const std::string& section, const std::string& rest = {}) {
    return resolve_two("hla:\n  " + section + "\n" + rest).problems();
}

TEST(Hla, RefusesWhatCannotBeExchanged) {
    EXPECT_THAT(mapping_problems("outputs: {c.y: P}"), HasSubstr("\"c\""));
    EXPECT_THAT(mapping_problems("outputs: {a.u: P}"), HasSubstr("unit \"a\" has no output \"u\""));
    EXPECT_THAT(mapping_problems("inputs: {a.m: P}"), HasSubstr("unit \"a\" has no input \"m\""));
    EXPECT_THAT(mapping_problems("outputs: {a.y: {class: P, encoding: HLAinteger32BE}}"),
                HasSubstr("a.y is of type float64, which HLAinteger32BE cannot hold\n"
                          "  encodings that can: HLAfloat64BE, HLAfloat64LE, HLAfloat32BE"));
    EXPECT_THAT(mapping_problems("inputs: {a.u: P}", "connections: [b.y -> a.u]\n"),
                HasSubstr("a.u is connected to an output already"));
    EXPECT_THAT(mapping_problems("outputs: {a.y: {class: P, attribute: f, instance: i}, "
                                 "a.z: {class: P, attribute: f, instance: i}}"),
                HasSubstr("a.z is attribute f of instance \"i\", as another output is"));
    EXPECT_THAT(mapping_problems("outputs: {a.y: {class: P, attribute: f}, "
                                 "b.y: {class: P, attribute: f, encoding: HLAfloat64LE}}"),
                HasSubstr("makes attribute P.f HLAfloat64LE, which is HLAfloat64BE elsewhere"));
    EXPECT_THAT(mapping_problems("{outputs: {a.y: P}, inputs: {b.u: {class: P, instance: a}}}"),
                HasSubstr("instance \"a\" is of this scenario"));
    EXPECT_THAT(mapping_problems("outputs: {a.y: P, a.z: Q}"),
                HasSubstr("instance \"a\" has two classes"));
}

TEST(Hla, RefusesNamesThatAnObjectModelCannotHave) {
    EXPECT_THAT(mapping_problems("outputs: {a.y: P..Q}"), HasSubstr("has the class \"P..Q\""));
    EXPECT_THAT(mapping_problems("outputs: {a.y: 'P<Q'}"), HasSubstr("has the class \"P<Q\""));
    EXPECT_THAT(mapping_problems("outputs: {a.y: HLAmanager}"), HasSubstr("not with HLA"));
    EXPECT_THAT(mapping_problems("outputs: {a.y: {class: P, attribute: a.b}}"),
                HasSubstr("has the attribute \"a.b\""));
    EXPECT_THAT(mapping_problems("outputs: {a.y: {class: P, instance: HLAx}}"),
                HasSubstr("has the instance \"HLAx\""));
}

UnitDescription with(ValueType type, bool has_event_mode = false) {
    UnitDescription description = two_port();
    for (Variable& each : description.variables) {
        each.type = type;
        each.variability = Variability::discrete;
        each.start.reset();
    }
    description.capabilities.event_mode = has_event_mode;
    return description;
}

TEST(Hla, ChoosesTheEncodingByTheType) {
    const auto encoding_of = [](ValueType type) {
        const Resolved resolved = resolve_text(
            "rubato: 1\nunits: {a: {model: m}}\nhla: {outputs: {a.y: P}}\n", {with(type)});
        return resolved.system.hla_outputs.empty()
                   ? resolved.problems()
                   : std::string(to_string(resolved.system.hla_outputs[0].encoding));
    };
    EXPECT_EQ(encoding_of(ValueType::float32), "HLAfloat32BE");
    EXPECT_EQ(encoding_of(ValueType::uint8), "HLAinteger16BE");
    EXPECT_EQ(encoding_of(ValueType::int32), "HLAinteger32BE");
    EXPECT_EQ(encoding_of(ValueType::uint32), "HLAinteger64BE");
    EXPECT_EQ(encoding_of(ValueType::boolean), "HLAboolean");
    EXPECT_EQ(encoding_of(ValueType::string), "HLAunicodeString");
    EXPECT_THAT(encoding_of(ValueType::binary), HasSubstr("a.y is of type binary"));
}

TEST(Hla, RefusesDiscreteInputsThatTakeAnEvent) {
    const auto problems = [](bool has_event_mode) {
        return resolve_text("rubato: 1\nunits: {a: {model: m}}\nhla: {inputs: {a.u: P}}\n",
                            {with(ValueType::int32, has_event_mode)})
            .problems();
    };
    EXPECT_THAT(problems(true), HasSubstr("a.u is a discrete input of a unit with event mode"));
    EXPECT_THAT(problems(false), Not(HasSubstr("a.u")));
}

} // namespace
} // namespace rubato::scenario::testing
