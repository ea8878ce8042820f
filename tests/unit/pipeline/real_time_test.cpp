// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/real_time.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace rubato::pipeline {
namespace {

/// Time passes when someone waits, and when a test says so.
class ManualClock final : public WallClock {
public:
    double now() override { return now_; }
    void wait_until(double then) override {
        EXPECT_GT(then, now_) << "there is nothing to wait for";
        now_ = then;
        ++waits;
        if (on_wait) on_wait();
    }
    void pass(double seconds) { now_ += seconds; }

    int waits = 0;
    std::function<void()> on_wait;

private:
    double now_ = 1000; // of no meaning
};

TEST(RealTime, StepsWaitForTheWallClock) {
    ManualClock clock;
    RealTime pacing(1, clock);
    pacing.begin({5});
    for (int i = 1; i <= 10; ++i) {
        clock.pass(0.02); // what the step takes
        pacing.reached({5 + i * 0.1});
        EXPECT_DOUBLE_EQ(clock.now(), 1000 + i * 0.1);
    }
    EXPECT_EQ(pacing.lateness().steps, 10u);
    EXPECT_EQ(pacing.lateness().late, 0u);
}

TEST(RealTime, AFactorMakesSimulatedTimePassFaster) {
    for (const double factor : {0.5, 10.0}) {
        ManualClock clock;
        RealTime pacing(factor, clock);
        pacing.begin({0});
        pacing.reached({2});
        EXPECT_DOUBLE_EQ(clock.now(), 1000 + 2 / factor);
    }
}

/// Steps of any size: what counts is where they end.
TEST(RealTime, LateStepsAreCountedAndCaughtUp) {
    ManualClock clock;
    RealTime pacing(1, clock);
    pacing.begin({0});
    clock.pass(0.3);
    pacing.reached({0.1}); // 0.2 late
    clock.pass(0.1);
    pacing.reached({0.35}); // 0.05 late
    EXPECT_DOUBLE_EQ(clock.now(), 1000.4) << "late steps do not wait";
    clock.pass(0.1);
    pacing.reached({1});
    EXPECT_DOUBLE_EQ(clock.now(), 1001) << "nothing of it is left";
    const Lateness& lateness = pacing.lateness();
    EXPECT_EQ(lateness.steps, 3u);
    EXPECT_EQ(lateness.late, 2u);
    EXPECT_NEAR(lateness.largest, 0.2, 1e-9);
    EXPECT_EQ(lateness.largest_at, Time{0.1});
    EXPECT_NEAR(lateness.mean(), 0.125, 1e-9);
}

TEST(RealTime, AStopEndsAWaitAtOnce) {
    ManualClock clock;
    RealTime pacing(1, clock);
    std::atomic<bool> stop = false;
    pacing.stop_at(&stop);
    clock.on_wait = [&] { stop = true; };
    pacing.begin({0});
    pacing.reached({3600});
    EXPECT_EQ(clock.waits, 1);
    EXPECT_LT(clock.now(), 1000.1);
}

TEST(RealTime, BeginsAgainWithARunThatStartsOver) {
    ManualClock clock;
    RealTime pacing(1, clock);
    pacing.begin({0});
    clock.pass(10);
    pacing.reached({1});
    pacing.begin({0});
    EXPECT_EQ(pacing.lateness().late, 0u);
    pacing.reached({1});
    EXPECT_DOUBLE_EQ(clock.now(), 1011);
}

} // namespace
} // namespace rubato::pipeline
