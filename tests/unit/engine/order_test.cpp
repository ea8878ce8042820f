// SPDX-License-Identifier: Apache-2.0
#include "engine/approximation.hpp"
#include "pair.hpp"
#include "support/allocation_counter.hpp"

#include <gtest/gtest.h>

namespace rubato::engine::testing {
namespace {

using scenario::Approximation;
using scenario::OrderEstimator;
using scenario::Recipe;

/// a.y -> b.u and b.y -> a.u; the order is chosen from both.
struct AdaptivePair {
    test::IntegratorTraits a, b;
    OrderControl control{.settings = {.waiting = 0, .cool_down = 0, .window = 1},
                         .inputs = {{PortId{0}}, {PortId{2}}}};
    Approximation approximation = Approximation::linear;
    bool a_is_fed_one = false; ///< instead of b.y

    Simulation simulation() const {
        test::SystemBuilder builder;
        for (const char* name : {"a", "b"})
            builder.unit(name).input("u").output("y").reference_last(1);
        scenario::System system = builder.link("a.y", "b.u").link("b.y", "a.u").build();
        for (scenario::Port& port : system.ports) port.approximation = approximation;
        if (a_is_fed_one) {
            system.links[1].factor = 0;
            system.links[1].offset = 1;
        }
        Diagnostics diagnostics;
        const auto result = synthesis::orchestrate(
            system, {.recipe = Recipe::adaptive_gauss_seidel, .order = {"a", "b"}}, diagnostics);
        diagnostics.throw_if_errors();
        std::vector<std::unique_ptr<unit::Unit>> units;
        units.push_back(std::make_unique<test::IntegratorUnit>("a", a));
        units.push_back(std::make_unique<test::IntegratorUnit>("b", b));
        OrderControl complete = control;
        complete.orders = result.orders;
        return Simulation(result.system, result.algorithm, std::move(units),
                          {.start = 0, .stop = 1, .step = 0.1}, silent_log(), {.order = complete});
    }

    std::uint64_t switches() const {
        Simulation simulation = this->simulation();
        return simulation.run({}).switches;
    }
};

/// What a weight of 0 makes of an error is the smallest there is.
TEST(AdaptiveOrder, TheUnitWithTheSmallerErrorGoesFirst) {
    AdaptivePair pair;
    pair.approximation = Approximation::constant;
    pair.b.initial = 1;
    pair.control.inputs[1].weight = 0; // of b
    EXPECT_EQ(pair.switches(), 1u);    // to b, for good
    pair.control.inputs[1].weight = 1;
    pair.control.inputs[0].weight = 0; // of a, which goes first anyway
    EXPECT_EQ(pair.switches(), 0u);
}

TEST(AdaptiveOrder, InvertedIsTheOtherWayRound) {
    AdaptivePair pair;
    pair.approximation = Approximation::constant;
    pair.b.initial = 1;
    pair.control.inputs[1].weight = 0;
    pair.control.settings.inverted = true;
    EXPECT_EQ(pair.switches(), 0u);
}

TEST(AdaptiveOrder, TiesLeaveTheOrderAsItIs) {
    AdaptivePair pair; // nothing moves
    EXPECT_EQ(pair.switches(), 0u);
    pair.control.settings.inverted = true;
    EXPECT_EQ(pair.switches(), 0u);
}

TEST(AdaptiveOrder, WaitsAndCoolsDown) {
    AdaptivePair pair;
    pair.approximation = Approximation::constant;
    pair.a.initial = 1;
    pair.control.inputs[1].weight = 0;
    for (const int waiting : {0, 3, 8, 9, 20}) {
        pair.control.settings.waiting = waiting;
        // Of ten steps, a decision after the ninth is the last that matters.
        EXPECT_EQ(pair.switches(), waiting + 1 <= 9 ? 1u : 0u) << waiting;
    }
    pair.control.settings.waiting = 4;
    pair.control.settings.cool_down = 5;
    EXPECT_EQ(pair.switches(), 0u);
}

/// x_a = sinh t and x_b = cosh t: taken for energies, a gains more, as if b worked on it. If b's
/// gain is diminished by losses of x_b Δx_b, it is so only at first.
TEST(AdaptiveOrder, TheUnitThatDoesTheWorkGoesFirst) {
    AdaptivePair pair;
    pair.b.initial = 1;
    pair.control.settings.estimator = OrderEstimator::power;
    constexpr std::uint32_t y = 1;
    pair.control.energies = {{{y}, {}}, {{y}, {}}};
    EXPECT_EQ(pair.switches(), 1u); // to b
    pair.control.energies[1].losses = {{y, y}};
    EXPECT_EQ(pair.switches(), 2u); // and back to a
}

/// x_a = t, so that x_b = t²/2 is found without error as long as b knows how its input has moved:
/// interpolated while a goes first, extrapolated from then on.
TEST(AdaptiveOrder, KeepsTheHistoriesOfInputs) {
    AdaptivePair pair;
    pair.a_is_fed_one = true;
    pair.control.settings.estimator = OrderEstimator::power;
    pair.control.settings.waiting = 3;
    pair.control.energies = {{{1}, {}}, {{1}, {}}};
    Simulation simulation = pair.simulation();
    EXPECT_EQ(simulation.run({}).switches, 1u);
    const ValueRef output = 1;
    double value = 0;
    simulation.unit(UnitId{1}).get({ValueType::float64, {&output, 1}, &value, 1});
    EXPECT_NEAR(value, 0.5, 1e-12);
}

TEST(AdaptiveOrder, StepsDoNotAllocate) {
    for (const OrderEstimator estimator : {OrderEstimator::input, OrderEstimator::power}) {
        AdaptivePair pair;
        pair.a.initial = 1;
        pair.control.settings.estimator = estimator;
        pair.control.energies = {{{1}, {{1, 1}}}, {{1}, {}}};
        pair.control.settings.inverted = true;
        Simulation simulation = pair.simulation();
        simulation.initialize();
        const std::size_t before = test::allocations();
        while (!simulation.has_ended()) simulation.step();
        EXPECT_EQ(test::allocations(), before);
    }
}

TEST(InputHistory, GoesOnFromAcceptedSamplesAlone) {
    InputHistory history(2);
    for (const double t : {0.0, 1.0, 2.0}) {
        history.sample(Time{t}, t * t);
        history.commit();
    }
    const Taylor taylor = history.go_on();
    EXPECT_DOUBLE_EQ(taylor.value, 4);
    EXPECT_DOUBLE_EQ(taylor.first, 4);
    EXPECT_DOUBLE_EQ(taylor.second, 2);
    EXPECT_DOUBLE_EQ(history.predicted(Time{3}), 9);
}

TEST(InputHistory, JoinsPiecesContinuouslyWhereAsked) {
    InputHistory history(1, true);
    double end_of_last = 0;
    for (int n = 0; n < 6; ++n) {
        const double t = 0.5 * n;
        history.sample(Time{t}, t * t * t);
        const Taylor piece = history.extrapolated();
        if (n > 0) {
            EXPECT_DOUBLE_EQ(piece.value, end_of_last) << n;
        }
        end_of_last = piece.at(0.5);
        if (n > 0) {
            const double before = t - 0.5;
            EXPECT_DOUBLE_EQ(end_of_last, 2 * t * t * t - before * before * before) << n;
        }
        history.commit();
    }
}

} // namespace
} // namespace rubato::engine::testing
