// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"
#include "support/run_scenario.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace rubato::test::conversions {
namespace {

using testing::HasSubstr;

std::string file(const char* name) { return std::string(CASES "/conversions/") + name; }

/// The models give out what goes in at once, of types that only native and FMI 3.0 forms have.
class Types : public testing::TestWithParam<std::tuple<Form, const char*>> {
protected:
    static Trajectories run(const std::vector<scenario::Override>& overrides = {}) {
        std::vector<scenario::Override> all = {{"algorithm", std::get<1>(GetParam())}};
        all.insert(all.end(), overrides.begin(), overrides.end());
        return run_scenario(file("types.yaml"), all, [](scenario::Scenario& scenario) {
            use(std::get<0>(GetParam()), scenario);
        });
    }
};

TEST_P(Types, AreConvertedAtEachInstant) {
    const Trajectories result = run();
    const auto& xs = result.at("x.y");
    ASSERT_EQ(xs.size(), 33u);
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const double x = xs[i];
        const auto at = [&](const char* name) { return result.at(name)[i]; };
        EXPECT_EQ(at("f.int8_out"), std::round(x));
        EXPECT_EQ(at("f.uint8_out"), std::floor(10 * x + 100));
        EXPECT_EQ(at("f.int16_out"), std::ceil(x));
        EXPECT_EQ(at("f.int32_out"), std::trunc(x));
        EXPECT_EQ(at("f.uint64_out"), std::round(1e15 * x + 1e16));
        EXPECT_EQ(at("f.boolean_out"), x > 0.25);
        EXPECT_EQ(at("g.float64_out"), 0.5 * std::round(x));
        EXPECT_EQ(at("g.float32_out"), std::floor(10 * x + 100));
        EXPECT_EQ(at("g.int16_out"), x > 0.25 ? 2 : -1);
        EXPECT_EQ(at("g.boolean_out"), std::trunc(x) != 0);
        EXPECT_EQ(at("g.int64_out"), std::round(1e15 * x + 1e16));
        EXPECT_EQ(at("g.uint8_out"), 2) << "an enumeration by its number";
    }
}

TEST_P(Types, OutOfRangeAreRefusedWithUnitAndTime) {
    try {
        run({{"units.x.start.y", "110"}, {"units.x.parameters", "{k: 2}"}});
        FAIL() << "it went on";
    } catch (const Error& error) {
        // 110 + 20 t is more than 127 at the first communication point after t = 0.85.
        EXPECT_THAT(error.what(), HasSubstr("unit \"f\": x.y = "));
        EXPECT_THAT(error.what(), HasSubstr("does not fit into input"));
        EXPECT_THAT(error.what(), HasSubstr("at t = "));
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Types,
                         testing::Combine(testing::Values(Form::native, Form::fmi3, Form::isolated),
                                          testing::Values("synthesized", "jacobi", "gauss-seidel",
                                                          "iterated-gauss-seidel")),
                         [](const auto& test) {
                             std::string recipe = std::get<1>(test.param);
                             std::erase(recipe, '-');
                             return name_of(std::get<0>(test.param)) + recipe;
                         });

class OnOff : public testing::TestWithParam<Form> {
protected:
    static Trajectories run(const char* recipe, bool as_real) {
        return run_scenario(file("on-off.yaml"), {{"algorithm", recipe}},
                            [&](scenario::Scenario& scenario) {
                                scenario::Connection& valve = scenario.connections[1];
                                if (as_real) {
                                    valve.from_port = "y";
                                    valve.factor = 1;
                                }
                                use(GetParam(), scenario);
                            });
    }
};

TEST_P(OnOff, BooleansThatFeedRealsActAsZeroAndOne) {
    for (const char* recipe : {"jacobi", "gauss-seidel", "waveform-gauss-seidel"}) {
        const Trajectories converted = run(recipe, false);
        EXPECT_EQ(converted.at("tank.level"), run(recipe, true).at("tank.level")) << recipe;
        EXPECT_GT(std::ranges::count(converted.at("valve.closed"), 1.0), 10) << recipe;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, OnOff,
                         testing::Values(Form::native, Form::fmi2, Form::fmi3, Form::solved,
                                         Form::isolated),
                         [](const auto& test) { return name_of(test.param); });

class Beats : public testing::TestWithParam<Form> {};

TEST_P(Beats, AreConvertedAtEvents) {
    const Trajectories result = run_scenario(
        file("beats.yaml"), {}, [](scenario::Scenario& scenario) { use(GetParam(), scenario); });
    const auto& time = result.at("time");
    const auto& thirds = result.at("metronome.thirds");
    const auto& sum = result.at("sum.y");
    for (std::size_t i = 0; i + 1 < time.size(); ++i)
        EXPECT_NEAR(sum[i + 1], sum[i] + thirds[i] * (time[i + 1] - time[i]), 1e-12) << time[i];
    EXPECT_EQ(thirds.back(), 7);
    for (std::size_t i = 0; i < time.size(); ++i) {
        const bool is_last_of_instant = i + 1 == time.size() || time[i + 1] > time[i];
        if (!is_last_of_instant) continue;
        EXPECT_EQ(result.at("metronome.tempo")[i], std::floor(0.1 * result.at("slow.y")[i]));
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Beats, testing::Values(Form::native, Form::fmi3, Form::isolated),
                         [](const auto& test) { return name_of(test.param); });

} // namespace
} // namespace rubato::test::conversions
