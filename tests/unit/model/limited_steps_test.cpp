// SPDX-License-Identifier: Apache-2.0
#include "models.hpp"

#include <rubato/model/declare.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rubato::model {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// x' = 1, in steps that its parameter limits.
struct Walker {
    double longest = 1;
    double x = 0;

    static void declare(Declaration<Walker>& model) {
        model.parameter(&Walker::longest, "longest", "s", "longest step");
        model.state(&Walker::x, "x", "m", "").given_out();
    }
    void derivatives(Walker& der) const { der.x = 1; }
    double longest_step() const { return longest; }
};

/// Does not step across whole seconds.
struct Stepper : Walker {
    static void declare(Declaration<Stepper>&) {}
    double longest_step(double time) const { return std::floor(time) + 1 - time; }
};

struct WalkerOf : Named {
    explicit WalkerOf(const ModelType& type, double longest) : Named(type) {
        assign("longest", longest);
        initialize();
    }
};

const ModelType& walker() {
    static const ModelType type = make_model_type<Walker>("walker");
    return type;
}

TEST(LimitedSteps, AModelThatDoesNotSayAnythingAcceptsAnyStep) {
    EXPECT_EQ(Named(model_named("msd1")).longest_step(0), HUGE_VAL);
    EXPECT_EQ(model_named("msd1").longest_step, nullptr);
}

TEST(LimitedSteps, AreMadeAsFarAsTheModelAccepts) {
    WalkerOf model(walker(), 0.25);
    EXPECT_EQ(model.step(0, 1), 0.25);
    EXPECT_EQ(model.time(), 0.25);
    EXPECT_EQ(model.value("x"), 0.25);
    EXPECT_EQ(model.step(0.25, 0.25), 0.5);
    EXPECT_EQ(model.step(0.5, 0.125), 0.625);
    EXPECT_EQ(model.value("x"), 0.625);
}

TEST(LimitedSteps, MayBeRefusedAltogether) {
    for (const double none : {0.0, -1.0}) {
        WalkerOf model(walker(), none);
        EXPECT_EQ(model.step(0.5, 1), 0.5);
        EXPECT_EQ(model.time(), 0.5);
        EXPECT_EQ(model.value("x"), 0);
        EXPECT_EQ(model.phase(), Phase::stepping);
    }
}

TEST(LimitedSteps, MayBeOfAnyLength) {
    WalkerOf model(walker(), std::numeric_limits<double>::infinity());
    EXPECT_EQ(model.step(0, 1000), 1000);
}

TEST(LimitedSteps, ThatAreNoNumberFail) {
    WalkerOf model(walker(), std::nan(""));
    EXPECT_THAT([&] { model.step(2, 1); }, ThrowsMessage<std::runtime_error>(HasSubstr(
                                               "longest_step() gives no number at t = 2 s")));
    EXPECT_EQ(model.phase(), Phase::failed);
}

TEST(LimitedSteps, MustGoForward) {
    for (const double by : {0.0, -1.0, std::nan("")}) {
        WalkerOf model(walker(), 1);
        EXPECT_THAT([&] { model.step(0, by); },
                    ThrowsMessage<std::runtime_error>(HasSubstr("not a step forward")));
    }
}

TEST(LimitedSteps, MayDependOnTime) {
    const ModelType type = make_model_type<Stepper>("stepper");
    Named model(type);
    model.initialize(0.75);
    EXPECT_EQ(model.step(0.75, 1), 1);
    EXPECT_EQ(model.step(1, 1), 2);
}

/// Steps as long as the bumper accepts, until `stop`.
void swing(Named& bumper, double stop) {
    for (double time = 0; time < stop;) time = bumper.step(time, stop - time);
}

TEST(Bumper, KeepsItsEnergy) {
    Named bumper(model_named("bumper"));
    bumper.initialize();
    const auto energy = [&] {
        const double x = bumper.value("x"), v = bumper.value("v"), l = bumper.value("l");
        return v * v / 2 + x * x / 2 * (1 + x * x / (l * l) / 2);
    };
    const double before = energy();
    swing(bumper, 10);
    EXPECT_NEAR(energy(), before, 1e-3 * before);
}

TEST(Bumper, SwingsWithDuffingsPeriod) {
    const double stiffening = 4; // (x(0)/l)²
    const double period = 4 * std::comp_ellint_1(std::sqrt(stiffening / (2 * (1 + stiffening)))) /
                          std::sqrt(1 + stiffening);
    // Its solver is of order 4: half the step, at most a sixteenth of the error.
    double before = 0;
    for (const double resolution : {0.2, 0.1, 0.05}) {
        Named bumper(model_named("bumper"));
        bumper.assign("resolution", resolution);
        bumper.initialize();
        swing(bumper, 4.25 * period); // where it passes its rest
        const double error = std::abs(bumper.value("x"));
        if (before != 0) {
            EXPECT_GT(std::log2(before / error), 4);
        }
        before = error;
    }
    EXPECT_LT(before, 1e-5);
}

} // namespace
} // namespace rubato::model
