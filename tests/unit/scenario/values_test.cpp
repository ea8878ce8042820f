// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <cmath>
#include <cstdint>

namespace rubato::scenario::testing {
namespace {

std::string problems_with(const std::string& assignments, const UnitDescription& description) {
    return resolve_one("    " + assignments + "\n", description).problems();
}

UnitDescription with_parameter(ValueType type) {
    UnitDescription description = two_port();
    description.variables[4].type = type;
    return description;
}

TEST(Values, IntegersFitReals) {
    EXPECT_EQ(problems_with("parameters: {m: 2}", two_port()), "");
    EXPECT_EQ(convert(std::int64_t{2}, ValueType::float64), Value(2.0));
}

TEST(Values, RealsDoNotFitIntegers) {
    EXPECT_EQ(problems_with("parameters: {m: 2.0}", with_parameter(ValueType::int32)),
              "s.yaml:5: the real 2 does not fit a.m, which is of type int32\n"
              "  write a whole number, without point or exponent\n");
}

TEST(Values, KindsMustFit) {
    EXPECT_EQ(problems_with("parameters: {m: \"x\"}", two_port()),
              "s.yaml:5: the string x does not fit a.m, which is of type float64\n"
              "  write a number\n");
    EXPECT_EQ(problems_with("parameters: {m: 1..5}", two_port()),
              "s.yaml:5: the string 1..5 does not fit a.m, which is of type float64\n"
              "  write a number\n");
    EXPECT_EQ(problems_with("parameters: {m: 1}", with_parameter(ValueType::boolean)),
              "s.yaml:5: the integer 1 does not fit a.m, which is of type boolean\n"
              "  write true or false\n");
    EXPECT_EQ(problems_with("parameters: {m: 1.5}", with_parameter(ValueType::string)),
              "s.yaml:5: the real 1.5 does not fit a.m, which is of type string\n"
              "  put texts in quotes\n");
    EXPECT_EQ(problems_with("parameters: {m: 2}", with_parameter(ValueType::enumeration)), "");
}

TEST(Values, EnumerationsTakeTheNamesOfTheirItems) {
    UnitDescription description = with_parameter(ValueType::enumeration);
    EXPECT_EQ(problems_with("parameters: {m: high}", description),
              "s.yaml:5: the string high does not fit a.m, which is of type enumeration\n")
        << "nothing declares the items";
    description.variables[4].items = std::make_shared<const std::vector<EnumerationItem>>(
        std::vector<EnumerationItem>{{"low", 1}, {"high", 7}});
    EXPECT_EQ(problems_with("parameters: {m: high}", description), "");
    EXPECT_EQ(problems_with("parameters: {m: \"low\"}", description), "");
    EXPECT_EQ(convert(std::string("high"), description.variables[4]), Value(std::int64_t{7}));
    EXPECT_EQ(problems_with("parameters: {m: hihg}", description),
              "s.yaml:5: the string hihg does not fit a.m, which is of type enumeration\n"
              "  did you mean \"high\"? its items are: low, high\n");
}

TEST(Values, IntegersStayWithinTheirType) {
    EXPECT_EQ(problems_with("parameters: {m: 128}", with_parameter(ValueType::int8)),
              "s.yaml:5: 128 is out of the range of a.m, which is of type int8\n");
    EXPECT_TRUE(convert(std::int64_t{127}, ValueType::int8));
    EXPECT_TRUE(convert(std::int64_t{-128}, ValueType::int8));
    EXPECT_FALSE(convert(std::int64_t{-129}, ValueType::int8));
    EXPECT_FALSE(convert(std::int64_t{-1}, ValueType::uint8));
    EXPECT_FALSE(convert(std::int64_t{32'768}, ValueType::int16));
    EXPECT_FALSE(convert(std::int64_t{65'536}, ValueType::uint16));
    EXPECT_FALSE(convert(std::int64_t{1} << 31, ValueType::int32));
    EXPECT_FALSE(convert(std::int64_t{1} << 32, ValueType::uint32));
    EXPECT_FALSE(convert(std::int64_t{-1}, ValueType::uint64));
    EXPECT_TRUE(convert(INT64_MIN, ValueType::int64));
}

TEST(Values, AnUint64TakesWhatIsBeyondTheRangeOfAnInt64) {
    const auto assigned = [](const std::string& number, ValueType type) {
        const UnitDescription description = with_parameter(type);
        const std::string assignments = "parameters: {m: " + number + "}";
        EXPECT_EQ(problems_with(assignments, description), "") << number;
        const Parsed parsed = parse("rubato: 1\nunits: {a: {model: m, " + assignments + "}}\n");
        return assigned_variables(description, parsed.scenario.units.at(0).parameters)
            .at(0)
            .values.at(0);
    };
    EXPECT_EQ(assigned("18446744073709551615", ValueType::uint64), Value(std::int64_t{-1}));
    EXPECT_EQ(assigned("9223372036854775808", ValueType::uint64), Value(INT64_MIN));
    EXPECT_EQ(assigned("9223372036854775808", ValueType::float64), Value(9223372036854775808.0));
    EXPECT_EQ(
        problems_with("parameters: {m: 9223372036854775808}", with_parameter(ValueType::int64)),
        "s.yaml:5: 9223372036854775808 is out of the range of a.m, which is of type int64\n");
    EXPECT_EQ(
        problems_with("parameters: {m: 18446744073709551616}", with_parameter(ValueType::uint64)),
        "s.yaml:5: 18446744073709551616 is out of the range of a.m, which is of type uint64\n");
}

TEST(Values, RealsStayWithinTheirType) {
    EXPECT_FALSE(convert(1e39, ValueType::float32));
    EXPECT_TRUE(convert(1e38, ValueType::float32));
    EXPECT_FALSE(convert(std::nan(""), ValueType::float64));
}

TEST(Values, ParametersMustExist) {
    EXPECT_EQ(problems_with("parameters: {mm: 1}", two_port()),
              "s.yaml:5: unit \"a\" has no parameter \"mm\"\n"
              "  did you mean \"m\"? its parameters are: m\n");
}

TEST(Values, ParametersMustBeParameters) {
    EXPECT_EQ(problems_with("parameters: {u: 1}", two_port()),
              "s.yaml:5: u of unit \"a\" is an input, not a parameter\n  set it under start\n");
    UnitDescription description = two_port();
    description.variables[4].causality = Causality::calculated_parameter;
    EXPECT_EQ(problems_with("parameters: {m: 1}", description),
              "s.yaml:5: m of unit \"a\" is a calculated parameter, not a parameter\n"
              "  remove it\n");
}

TEST(Values, StructuralParametersAreParameters) {
    UnitDescription description = with_parameter(ValueType::uint64);
    description.variables[4].causality = Causality::structural_parameter;
    EXPECT_EQ(problems_with("parameters: {m: 3}", description), "");
}

TEST(Values, StartValuesAreForVariablesThatTakeThem) {
    EXPECT_EQ(problems_with("start: {u: 1, y: 2, x: 3}", two_port()), "");
    EXPECT_EQ(problems_with("start: {m: 1}", two_port()),
              "s.yaml:5: m of unit \"a\" is a parameter and takes no start value\n"
              "  set it under parameters\n");
    UnitDescription description = two_port();
    description.variables[5].variability = Variability::constant;
    EXPECT_EQ(problems_with("start: {x: 1}", description),
              "s.yaml:5: x of unit \"a\" is a constant and takes no start value\n  remove it\n");
    description = two_port();
    description.variables[2].initial = Initial::calculated;
    EXPECT_EQ(problems_with("start: {y: 1}", description),
              "s.yaml:5: y of unit \"a\" is an output that the unit calculates and takes no start "
              "value\n  remove it\n");
    description.variables[5].causality = Causality::independent;
    EXPECT_EQ(problems_with("start: {x: 1}", description),
              "s.yaml:5: x of unit \"a\" is the independent variable and takes no start value\n"
              "  remove it\n");
}

TEST(Values, UnknownStartValuesGetASuggestion) {
    EXPECT_EQ(problems_with("start: {xx: 1}", two_port()),
              "s.yaml:5: unit \"a\" has no variable \"xx\"\n"
              "  did you mean \"x\"? its variables are: u, w, y, z, x\n");
}

TEST(Values, AVariableIsSetOnce) {
    Scenario scenario;
    Unit& unit = scenario.units.emplace_back();
    unit.name = "a";
    unit.parameters = {{"m", 1.0, {"f", 1, 0}}, {"m", 2.0, {"f", 2, 0}}};
    const std::vector<UnitDescription> descriptions = {two_port()};
    Diagnostics diagnostics;
    resolve(scenario, descriptions, diagnostics);
    EXPECT_NE(text_of(diagnostics).find("f:2: a.m is set twice\n  also at f:1\n"),
              std::string::npos)
        << text_of(diagnostics);
}

} // namespace
} // namespace rubato::scenario::testing
