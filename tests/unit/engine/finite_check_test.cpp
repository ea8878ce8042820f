// SPDX-License-Identifier: Apache-2.0
#include "pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rubato::engine::testing {
namespace {

using ::testing::HasSubstr;

struct Messages final : Log {
    void write(LogLevel, std::string_view, std::string_view message) override {
        texts.emplace_back(message);
    }
    std::vector<std::string> texts;
};

Pair with_open_output() {
    Pair pair;
    pair.b.not_a_number_at = 0.35;
    pair.adjust = [](scenario::System& system) {
        system.links.pop_back();
        system.observed[1].name = "y";
    };
    return pair;
}

TEST(NotFinite, ValuesThatNothingIsConnectedToAreTold) {
    Messages log;
    Rows rows;
    const Summary summary = with_open_output().simulation(log).run({.recorder = &rows});
    ASSERT_EQ(summary.not_finite.size(), 1u);
    EXPECT_EQ(summary.not_finite[0].variable, "b.y");
    EXPECT_NEAR(summary.not_finite[0].first.seconds, 0.4, 1e-12);
    EXPECT_TRUE(std::isnan(summary.not_finite[0].value));
    ASSERT_EQ(log.texts.size(), 1u) << "only once";
    EXPECT_THAT(log.texts[0], HasSubstr("b.y is nan at t = 0.4"));
    EXPECT_EQ(rows.times.size(), 11u);
}

TEST(NotFinite, ValuesStopARunThatIsStrict) {
    Pair pair = with_open_output();
    pair.options.stop_at_not_finite = true;
    Rows rows;
    EXPECT_THAT(failure(pair, rows), HasSubstr("b.y is nan at t = 0.4"));
    EXPECT_EQ(rows.times.size(), 4u);
    EXPECT_TRUE(rows.ended);
}

} // namespace
} // namespace rubato::engine::testing
