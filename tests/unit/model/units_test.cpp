// SPDX-License-Identifier: Apache-2.0
#include "units.hpp"

#include <gtest/gtest.h>

namespace rubato::model {
namespace {

TEST(Units, AreReadAsModelicaWritesThem) {
    EXPECT_EQ(find_dimension("N.s/m"), (Dimension{1, 0, -1}));
    EXPECT_EQ(find_dimension("kg/(m.s2)"), find_dimension("Pa"));
    EXPECT_EQ(find_dimension("1/s"), find_dimension("Hz"));
    EXPECT_EQ(find_dimension("J/s"), find_dimension("V.A"));
    EXPECT_EQ(find_dimension("m2"), (Dimension{0, 2}));
}

TEST(Units, ThatAreUnknownHaveNoDimension) {
    EXPECT_EQ(find_dimension("km/h"), std::nullopt);
    EXPECT_EQ(find_dimension("m/furlong"), std::nullopt);
    EXPECT_EQ(find_dimension(""), std::nullopt);
}

} // namespace
} // namespace rubato::model
