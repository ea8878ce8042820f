// SPDX-License-Identifier: Apache-2.0

/// What every unit must do that lets others look into its steps, or set inputs there.

#include "support/model_unit.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace rubato::unit {
namespace {

using test::ModelUnit;
using testing::Each;
using testing::Lt;

const InnerSamples& sample(const ModelUnit& unit, const std::string& output, std::size_t most) {
    const ValueRef reference = unit.reference(output);
    unit->intermediate_outputs()->sample({&reference, 1}, most);
    return unit->intermediate_outputs()->samples();
}

std::vector<double> times_of(const InnerSamples& samples) {
    std::vector<double> times;
    for (std::size_t i = 0; i < samples.count(); ++i) times.push_back(samples.time(i).seconds);
    return times;
}

std::vector<double> values_of(const InnerSamples& samples) {
    std::vector<double> values;
    for (std::size_t i = 0; i < samples.count(); ++i) values.push_back(samples.values(i)[0]);
    return values;
}

// -- outputs --------------------------------------------------------------------------------------

/// Units that solve by themselves make steps of `inner_step`.
class SampledUnit : public testing::TestWithParam<std::string> {
protected:
    static bool is_solved() { return test::is_model_exchange(test::shared_form(GetParam())); }

    static ModelUnit make(const std::string& model, double inner_step) {
        ModelUnit unit(model, GetParam(), FMUS);
        if (!is_solved()) {
            unit.set("solver", std::int64_t{2}); // Runge-Kutta
            unit.set("inner_step", inner_step);
        }
        unit.initialize();
        return unit;
    }
};

TEST_P(SampledUnit, SamplesLieOnTheSolutionWithinTheStep) {
    const ModelUnit decay = make("dahlquist", 0.1);
    const InnerSamples& samples = sample(decay, "x", 9);
    for (const double from : {0.0, 1.0}) {
        (void)decay->step({from}, {1});
        ASSERT_EQ(samples.count(), 9u);
        for (std::size_t i = 0; i < 9; ++i) {
            const double time = samples.time(i).seconds;
            EXPECT_NEAR(time, from + 0.1 * static_cast<double>(i + 1), 1e-12);
            EXPECT_NEAR(samples.values(i)[0], std::exp(-time), 1e-5);
        }
    }
}

TEST_P(SampledUnit, ThereAreNoMoreSamplesThanWereAskedFor) {
    const ModelUnit decay = make("dahlquist", 0.01);
    const InnerSamples& samples = sample(decay, "x", 3);
    (void)decay->step({0}, {1});
    EXPECT_EQ(samples.count(), 3u);
    EXPECT_NEAR(samples.time(1).seconds, 0.5, 1e-12);
    sample(decay, "x", 0);
    (void)decay->step({1}, {1});
    EXPECT_EQ(samples.count(), 0u);
}

TEST_P(SampledUnit, BeingSampledChangesNothing) {
    ModelUnit sampled = make("bouncing_ball", 0.05), unsampled = make("bouncing_ball", 0.05);
    sample(sampled, "h", 7);
    for (int i = 0; i < 10; ++i) {
        (void)sampled->step({0.25 * i}, {0.25});
        (void)unsampled->step({0.25 * i}, {0.25});
        EXPECT_EQ(sampled.real("h"), unsampled.real("h"));
        EXPECT_EQ(sampled.real("v"), unsampled.real("v"));
    }
}

TEST_P(SampledUnit, AJumpHasTwoSides) {
    const ModelUnit ball = make("bouncing_ball", 0.01);
    const InnerSamples& samples = sample(ball, "v", 1000);
    (void)ball->step({0}, {0.6});
    const auto times = times_of(samples);
    const auto values = values_of(samples);
    const auto jump = std::adjacent_find(times.begin(), times.end());
    ASSERT_NE(jump, times.end());
    EXPECT_NEAR(*jump, std::sqrt(2 / 9.81), 1e-6);
    const auto index = static_cast<std::size_t>(jump - times.begin());
    EXPECT_LT(values[index], 0);
    EXPECT_GT(values[index + 1], 0);
}

TEST_P(SampledUnit, AStepMadeAgainHasTheSameSamples) {
    const ModelUnit decay = make("dahlquist", 0.1);
    const InnerSamples& samples = sample(decay, "x", 4);
    (void)decay->step({0}, {1});
    if (decay->snapshots() == nullptr) GTEST_SKIP() << "it cannot go back";
    decay->snapshots()->save(0);
    (void)decay->step({1}, {1});
    const auto first = values_of(samples);
    decay->snapshots()->restore(0);
    (void)decay->step({1}, {1});
    EXPECT_EQ(values_of(samples), first);
}

INSTANTIATE_TEST_SUITE_P(Forms, SampledUnit,
                         testing::Values("native", "fmi3", "fmi1_me", "fmi2_me", "fmi3_me",
                                         "fmi3_isolated", "fmi3_me_isolated"),
                         [](const auto& test) { return test.param; });

TEST(SampledSteps, ThatEndEarlyHaveNoLaterSamples) {
    for (const char* form : {"native", "fmi3", "fmi3_me", "fmi3_isolated", "fmi3_me_isolated"}) {
        ModelUnit bucket("bucket", form, FMUS);
        if (std::string(form).find("_me") == std::string::npos) bucket.set("inner_step", 0.1);
        bucket.initialize();
        (void)bucket->event_mode()->update();
        bucket->event_mode()->leave();
        const InnerSamples& samples = sample(bucket, "level", 10);
        EXPECT_NEAR(bucket->step({0}, {3}).reached.seconds, 1, 1e-9) << form;
        EXPECT_GT(samples.count(), 0u) << form;
        EXPECT_THAT(times_of(samples), Each(Lt(1))) << form;
    }
}

TEST(SampledSteps, OfEveryFormOfAModelAreTheSameToTheLastBit) {
    std::vector<double> expected;
    for (const char* form : {"native", "fmi3", "fmi3_isolated"}) {
        ModelUnit ball("bouncing_ball", form, FMUS);
        ball.set("inner_step", 0.03);
        ball.initialize();
        const InnerSamples& samples = sample(ball, "h", 20);
        (void)ball->step({0}, {0.7});
        if (expected.empty()) expected = values_of(samples);
        EXPECT_EQ(values_of(samples), expected) << form;
    }
}

TEST(SampledSteps, OfOtherUnitsAreNotSeen) {
    for (const char* form : {"fmi1", "fmi2"})
        EXPECT_EQ(ModelUnit("dahlquist", form, FMUS)->intermediate_outputs(), nullptr) << form;
}

// -- inputs ---------------------------------------------------------------------------------------

/// FMUs whose inputs are moved by setting them within steps, against native models, whose inputs
/// move by themselves.
class UpdatedInputs : public testing::TestWithParam<std::int64_t> {
protected:
    static ModelUnit make(const std::string& form, const std::string& fmus) {
        ModelUnit unit("node", form, fmus);
        unit.set("solver", GetParam());
        unit.set("inner_step", 0.05);
        unit.initialize();
        return unit;
    }
    static void move(ModelUnit& unit, int step) {
        const ValueRef input = unit.reference("a");
        unit.set("a", std::sin(0.3 * step));
        for (const unsigned order : {1u, 2u}) {
            const double derivative = std::cos(0.7 * step * order);
            unit->input_derivatives()->set({&input, 1}, order, {&derivative, 1});
        }
    }
};

TEST_P(UpdatedInputs, AreDescribedAsTakingDerivatives) {
    const ModelUnit unit = make("fmi3", FMUS "/updates");
    EXPECT_EQ(unit->description().capabilities.input_derivatives, 2u);
    ASSERT_NE(unit->input_derivatives(), nullptr);
    EXPECT_EQ(unit->input_derivatives()->max_order(), 2u);
}

TEST_P(UpdatedInputs, MoveAsTheirDerivativesSay) {
    ModelUnit updated = make("fmi3", FMUS "/updates"), native = make("native", FMUS);
    for (int step = 0; step < 20; ++step) {
        for (ModelUnit* unit : {&updated, &native}) {
            move(*unit, step);
            (void)(*unit)->step({0.2 * step}, {0.2});
        }
        EXPECT_NEAR(updated.real("y"), native.real("y"), 1e-12);
        EXPECT_NEAR(updated.real("a"), native.real("a"), 1e-12) << "at the end of the step";
    }
}

TEST_P(UpdatedInputs, GoBackWithTheirUnit) {
    ModelUnit unit = make("fmi3", FMUS "/updates");
    move(unit, 1);
    (void)unit->step({0}, {0.2});
    unit->snapshots()->save(0);
    (void)unit->step({0.2}, {0.2});
    const double first = unit.real("y");
    move(unit, 5);
    (void)unit->step({0.4}, {0.2});
    unit->snapshots()->restore(0);
    (void)unit->step({0.2}, {0.2});
    EXPECT_EQ(unit.real("y"), first);
}

constexpr const char* solver_names[] = {"", "Euler", "RungeKutta", "Exact"};
INSTANTIATE_TEST_SUITE_P(Solvers, UpdatedInputs, testing::Values(1, 2, 3),
                         [](const auto& test) { return std::string(solver_names[test.param]); });

} // namespace
} // namespace rubato::unit
