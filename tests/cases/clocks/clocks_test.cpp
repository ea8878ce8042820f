// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"
#include "support/run_scenario.hpp"

#include <gmock/gmock.h>

namespace rubato::test::clocks {
namespace {

using testing::ElementsAre;

constexpr auto file = CASES "/clocks/scenario.yaml";
constexpr auto switched_file = CASES "/clocks/switched.yaml";
constexpr auto tempo_file = CASES "/clocks/tempo.yaml";

/// When a value changed: the times of rows that differ from the one before.
std::vector<double> changes(const Trajectories& results, const std::string& name) {
    std::vector<double> times;
    const auto& values = results.at(name);
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values[i] != values[i - 1]) times.push_back(results.at("time")[i]);
    return times;
}

class Clocks : public testing::TestWithParam<Form> {
protected:
    static Trajectories run() {
        return run_scenario(file, {}, [](scenario::Scenario& s) { use(GetParam(), s); });
    }
};

TEST_P(Clocks, AnOutputClockTicksWhatIsConnectedToIt) {
    const Trajectories results = run();
    const auto tips = changes(results, "wheel.count");
    ASSERT_EQ(tips.size(), 7);
    for (std::size_t n = 0; n < tips.size(); ++n)
        EXPECT_NEAR(tips[n], 0.7 * static_cast<double>(n + 1), 1e-9);
    EXPECT_EQ(tips, changes(results, "bucket.tips"));
}

TEST_P(Clocks, TicksGoThroughAChainInOneInstant) {
    const Trajectories results = run();
    const auto carries = changes(results, "dial.count");
    ASSERT_EQ(carries.size(), 2);
    EXPECT_NEAR(carries[0], 2.1, 1e-9);
    EXPECT_NEAR(carries[1], 4.2, 1e-9);
    EXPECT_EQ(results.at("dial.last").back(), carries[1]);
}

TEST_P(Clocks, ACountdownEndsWhenItShould) {
    const auto switches = changes(run(), "light.on");
    ASSERT_EQ(switches.size(), 3);
    EXPECT_NEAR(switches[0], 2.1, 1e-9);
    EXPECT_NEAR(switches[1], 3.1, 1e-9);
    EXPECT_NEAR(switches[2], 4.2, 1e-9);
}

TEST_P(Clocks, IntervalsMayChangeFromTickToTick) {
    EXPECT_THAT(changes(run(), "chirp.count"), ElementsAre(0.125, 0.375, 0.875, 1.875, 3.875));
}

TEST_P(Clocks, ANewIntervalCountsFromTheChange) {
    const Trajectories results =
        run_scenario(tempo_file, {}, [](scenario::Scenario& s) { use(GetParam(), s); });
    std::vector<double> expected; // the first beat is at the start
    for (const int n : {1, 2, 3}) expected.push_back(n * 2.0 / 3);
    for (const int n : {1, 2, 3, 4, 5}) expected.push_back(2.25 + n / 3.0);
    EXPECT_THAT(changes(results, "metronome.beats"),
                testing::Pointwise(testing::DoubleNear(1e-12), expected));
}

TEST_P(Clocks, FractionsOfASecondAreNotRounded) {
    const Trajectories results =
        run_scenario(tempo_file, {}, [](scenario::Scenario& s) { use(GetParam(), s); });
    const auto thirds = changes(results, "metronome.thirds");
    ASSERT_EQ(thirds.size(), 12);
    for (std::size_t n = 0; n < thirds.size(); ++n)
        EXPECT_EQ(thirds[n], static_cast<double>(n + 1) / 3) << n;
    const auto beats = changes(results, "metronome.beats");
    for (const std::size_t n : {0u, 1u, 2u}) EXPECT_EQ(beats[n], thirds[2 * n + 1]); // at once
}

TEST_P(Clocks, TicksThatNeverEndAreNamed) {
    const auto never_ending = [](scenario::Scenario& s) {
        use(GetParam(), s);
        s.units[4].parameters[0].value = 0.5; // ticks pile up at t = 0.25
    };
    EXPECT_THAT([&] { run_scenario(file, {}, never_ending); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("at t = 0.25 s does not end")));
}

/// The configuration comes into force at t = 1, where the bucket tips for the second time and the
/// metronome beats: the tick and the tempo of that instant are those of its connections.
TEST_P(Clocks, OfAConfigurationTickFromItsFirstInstantOn) {
    const Trajectories results =
        run_scenario(switched_file, {}, [](scenario::Scenario& s) { use(GetParam(), s); });
    const auto near = [](const std::vector<double>& times) {
        return testing::Pointwise(testing::DoubleNear(1e-9), times);
    };
    EXPECT_THAT(changes(results, "first.count"), near({0.5}));
    EXPECT_THAT(changes(results, "second.count"), near({1, 1.5, 2}));
    EXPECT_THAT(changes(results, "metronome.beats"), near({1, 1.25, 1.5, 1.75, 2}));
}

INSTANTIATE_TEST_SUITE_P(Forms, Clocks, testing::Values(Form::native, Form::fmi3, Form::solved),
                         [](const auto& test) { return name_of(test.param); });

} // namespace
} // namespace rubato::test::clocks
