// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/id.hpp>
#include <rubato/core/log.hpp>
#include <rubato/core/time.hpp>

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_set>

namespace rubato {
namespace {

TEST(Id, KindsDoNotMix) {
    static_assert(!std::is_convertible_v<UnitId, PortId>);
    static_assert(!std::is_convertible_v<int, UnitId>);
    EXPECT_EQ(nth<UnitId>(3).value, 3u);
    EXPECT_LT(nth<PortId>(1), nth<PortId>(2));
}

TEST(Id, IsAKeyOfHashMaps) {
    const std::unordered_set<PortId> ports = {nth<PortId>(1), nth<PortId>(2), nth<PortId>(1)};
    EXPECT_EQ(ports.size(), 2u);
}

TEST(Time, DifferenceOfTimesIsADuration) {
    const Time start{1.5};
    const Duration step{0.25};
    EXPECT_EQ((start + 4 * step).seconds, 2.5);
    EXPECT_EQ((Time{2.5} - start).seconds, 1.0);
}

TEST(Log, SilentLogTakesEverything) { silent_log().write(LogLevel::error, "msd1", "lost"); }

} // namespace
} // namespace rubato
