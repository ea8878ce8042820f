// SPDX-License-Identifier: Apache-2.0
#include "execution/approximation.hpp"
#include "pair.hpp"
#include "support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <limits>

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
    /// Factor of the bond between them; the effort is a.y or b.y.
    std::optional<double> bond;
    bool a_gives_effort = true;

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
        if (bond) {
            system.bonds = {{.name = "bond",
                             .parts = {{.effort = system.links[a_gives_effort ? 0 : 1],
                                        .flow = system.links[a_gives_effort ? 1 : 0],
                                        .factor = *bond}}}};
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

/// The unit that gives the effort works on the other where effort and flow have the same sign:
/// x_a = sinh t, x_b = cosh t.
TEST(AdaptiveOrder, TheUnitThatDoesTheWorkOverABondGoesFirst) {
    AdaptivePair pair;
    pair.b.initial = 1;
    pair.control.settings.estimator = OrderEstimator::power;
    pair.bond = 1;
    EXPECT_EQ(pair.switches(), 0u); // a, which goes first anyway
    pair.bond = -1;
    EXPECT_EQ(pair.switches(), 1u); // to b
    pair.bond = 1;
    pair.a_gives_effort = false;
    EXPECT_EQ(pair.switches(), 1u);
}

struct Motion {
    std::vector<double> speeds;                                ///< of the elements of the output
    double jumps_at = std::numeric_limits<double>::infinity(); ///< all of them by 1, at an event
};

/// A unit whose input is ignored and whose output moves by itself, both arrays.
class MovingUnit final : public unit::Unit, private unit::EventMode {
public:
    MovingUnit(std::string name, const Motion& motion)
        : MovingUnit(std::move(name), motion,
                     std::make_unique<scenario::UnitDescription>(describe(motion))) {}

    unit::Abilities abilities() noexcept override {
        unit::Abilities all = unit::Abilities::none();
        all.event_mode = this;
        return all;
    }

    static scenario::UnitDescription describe(const Motion& motion) {
        scenario::UnitDescription result;
        result.capabilities.event_mode = true;
        for (const auto& [name, causality] : {std::pair("u", scenario::Causality::input),
                                              std::pair("y", scenario::Causality::output)}) {
            scenario::Variable variable;
            variable.name = name;
            variable.causality = causality;
            variable.reference = static_cast<ValueRef>(result.variables.size());
            variable.dimensions = {{.size = motion.speeds.size(), .parameter = {}}};
            result.variables.push_back(variable);
        }
        return result;
    }

private:
    MovingUnit(std::string name, Motion motion,
               std::unique_ptr<scenario::UnitDescription> description)
        : Unit(std::move(name), *description), description_(std::move(description)),
          motion_(std::move(motion)) {}

    void do_enter_initialization(const unit::Horizon&) override {}
    void do_exit_initialization() override { note_event_mode(true); }
    void do_terminate() override {}
    void do_set(const Bulk&) override {}
    void do_get(const Bulk& bulk) override {
        for (std::size_t i = 0; i < bulk.count; ++i)
            bulk.reals()[i] = motion_.speeds[i] * now_ + jumped_;
    }
    unit::StepResult do_step(Time from, Duration by) override {
        now_ = (from + by).seconds;
        return {from + by, unit::StepEnd::completed};
    }
    void enter() override { note_event_mode(true); }
    unit::EventUpdate update() override {
        if (now_ >= motion_.jumps_at) jumped_ = 1;
        unit::EventUpdate told;
        if (now_ < motion_.jumps_at) told.next_event = Time{motion_.jumps_at};
        return told;
    }
    void get_intervals(std::span<const ValueRef>, std::span<unit::ClockInterval>) override {}
    void get_shifts(std::span<const ValueRef>, std::span<Duration>) override {}
    void leave() override { note_event_mode(false); }

    std::unique_ptr<scenario::UnitDescription> description_;
    Motion motion_;
    double now_ = 0, jumped_ = 0;
};

/// a.y -> b.u and b.y -> a.u, b being first until the errors of its inputs tell otherwise.
std::uint64_t switches_of(const Motion& a, const Motion& b) {
    test::SystemBuilder builder;
    for (const char* name : {"a", "b"}) builder.unit(name).input("u").output("y").reference_last(1);
    scenario::System system = builder.link("a.y", "b.u").link("b.y", "a.u").build();
    const auto size = static_cast<std::uint32_t>(a.speeds.size());
    for (scenario::Port& port : system.ports) port.part = {0, size, size};
    for (scenario::SystemUnit& unit : system.units) unit.has_event_mode = true;
    Diagnostics diagnostics;
    const auto result = synthesis::orchestrate(
        system, {.recipe = Recipe::adaptive_gauss_seidel, .order = {"b", "a"}}, diagnostics);
    diagnostics.throw_if_errors();
    std::vector<std::unique_ptr<unit::Unit>> units;
    units.push_back(std::make_unique<MovingUnit>("a", a));
    units.push_back(std::make_unique<MovingUnit>("b", b));
    Simulation simulation(
        result.system, result.algorithm, std::move(units), {.start = 0, .stop = 1, .step = 0.125},
        silent_log(),
        {.order = OrderControl{.settings = {.waiting = 0, .cool_down = 0, .window = 1},
                               .orders = result.orders,
                               .inputs = {{PortId{0}}, {PortId{2}}}}});
    return simulation.run({}).switches;
}

TEST(AdaptiveOrder, EveryElementOfAnArrayCounts) {
    EXPECT_EQ(switches_of({{0, 0, 1}}, {{0, 0, 0}}), 1u);
    EXPECT_EQ(switches_of({{0, 0, 0}}, {{0, 0, 1}}), 0u);
}

TEST(AdaptiveOrder, WhatJumpsAtAnEventIsNoError) {
    EXPECT_EQ(switches_of({.speeds = {0}, .jumps_at = 0.5}, {{0}}), 0u);
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
