// SPDX-License-Identifier: Apache-2.0
#include "perturbation.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace rubato::probe {
namespace {

using scenario::Variable;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Variable of_type(ValueType type) {
    Variable variable;
    variable.type = type;
    return variable;
}

Value integer(std::int64_t value) { return value; }

std::vector<double> reals(const std::vector<Value>& values) {
    std::vector<double> result;
    for (const Value& value : values) result.push_back(std::get<double>(value));
    return result;
}

TEST(Perturbation, OfARealGoesBothWaysInProportionToItsMagnitude) {
    EXPECT_THAT(reals(perturbations(of_type(ValueType::float64), 0.0)),
                ElementsAre(1, -1, 0.1, -0.1, 1e-3, -1e-3, 1e-6, -1e-6, 10, -10));
    EXPECT_THAT(reals(perturbations(of_type(ValueType::float64), 100.0)), Contains(200));
    Variable pressure = of_type(ValueType::float64);
    pressure.nominal = 1e5;
    EXPECT_THAT(reals(perturbations(pressure, 2.0)), Contains(2 + 1e5));
}

TEST(Perturbation, StaysInTheRangeAndOffTheValue) {
    Variable fraction = of_type(ValueType::float64);
    fraction.minimum = 0;
    fraction.maximum = 1;
    EXPECT_THAT(reals(perturbations(fraction, 0.5)), Contains(1));
    EXPECT_THAT(reals(perturbations(fraction, 0.0)), ElementsAre(1, 0.1, 1e-3, 1e-6));
    EXPECT_THAT(reals(perturbations(fraction, 0.0)),
                Each(::testing::AllOf(::testing::Gt(0), ::testing::Le(1))));
}

TEST(Perturbation, OfIntegersStaysInTheirType) {
    EXPECT_THAT(
        perturbations(of_type(ValueType::int32), integer(5)),
        ElementsAre(integer(6), integer(4), integer(7), integer(3), integer(15), integer(-5)));
    EXPECT_THAT(perturbations(of_type(ValueType::uint8), integer(254)),
                ElementsAre(integer(255), integer(253), integer(252), integer(244)));
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    EXPECT_THAT(perturbations(of_type(ValueType::int64), integer(largest)),
                ElementsAre(integer(largest - 1), integer(largest - 2), integer(largest - 10)));
    EXPECT_THAT(perturbations(of_type(ValueType::uint64), integer(-1)), // the largest there is
                ElementsAre(integer(-2), integer(-3), integer(-11)));
    EXPECT_THAT(perturbations(of_type(ValueType::uint64), integer(0)),
                ElementsAre(integer(1), integer(2), integer(10)));
}

TEST(Perturbation, OfEnumerationsKeepsToTheirItems) {
    Variable gear = of_type(ValueType::enumeration);
    gear.minimum = 1;
    gear.maximum = 3;
    EXPECT_THAT(perturbations(gear, integer(1)), ElementsAre(integer(2), integer(3)));
}

TEST(Perturbation, FlipsBooleansAndLeavesTextsAlone) {
    EXPECT_THAT(perturbations(of_type(ValueType::boolean), true), ElementsAre(Value(false)));
    EXPECT_THAT(perturbations(of_type(ValueType::string), std::string("a")), IsEmpty());
    EXPECT_THAT(small_perturbations(of_type(ValueType::boolean), true), IsEmpty());
}

TEST(Perturbation, OfAValueThatIsNoNumberIsNone) {
    EXPECT_THAT(perturbations(of_type(ValueType::float64), std::nan("")), IsEmpty());
}

} // namespace
} // namespace rubato::probe
