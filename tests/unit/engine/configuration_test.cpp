// SPDX-License-Identifier: Apache-2.0
#include "support/integrator_unit.hpp"
#include "support/system_builder.hpp"

#include <rubato/algorithm/verify.hpp>
#include <rubato/core/diagnostics.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/synthesis/synthesize.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rubato::engine {
namespace {

using scenario::Reactivity;
using scenario::Relation;
using ::testing::DoubleEq;
using ::testing::ElementsAre;

/// Two constant sources, slow.y = 1 and fast.y = 5, and an integrator fed by one of them.
struct Switched {
    scenario::System system;
    algorithm::Algorithm algorithm;

    explicit Switched(Reactivity under_fast = Reactivity::delayed) {
        test::SystemBuilder builder;
        for (const char* name : {"slow", "fast", "sum"}) {
            builder.unit(name).input("u").output("y").reference_last(1);
        }
        builder.link("slow.y", "sum.u");
        builder.configuration("first", "of-slow").configuration("then", "of-fast");
        builder.relink("fast.y", "sum.u").contract("sum.u", under_fast);
        system = builder.build();
        algorithm = synthesis::synthesize(system, {}).algorithm;
    }

    Simulation simulation() const {
        EXPECT_TRUE(algorithm::verify(system, algorithm).correct());
        std::vector<std::unique_ptr<unit::Unit>> units;
        const auto add = [&](const char* name, double initial) {
            test::IntegratorTraits traits;
            traits.initial = initial;
            units.push_back(std::make_unique<test::IntegratorUnit>(name, traits));
        };
        add("slow", 1);
        add("fast", 5);
        add("sum", 0);
        return Simulation(system, algorithm, std::move(units),
                          {.start = 0, .stop = 1, .step = 0.1, .tolerance = {}, .where = {}},
                          silent_log());
    }

    /// Of the integrator at the end.
    double final_value() const {
        Simulation simulation = this->simulation();
        simulation.initialize();
        for (int i = 0; i < 10; ++i) simulation.step();
        const ValueRef output = 1;
        double value = 0;
        simulation.unit(UnitId{2}).get({ValueType::float64, {&output, 1}, &value, 1});
        return value;
    }

    scenario::Configuration& second() { return system.configurations[1]; }
    PortId sum() const { return system.units[2].outputs.front(); }
};

TEST(Configurations, ComeIntoForceAtTheirTime) {
    Switched switched;
    switched.second().from = Time{0.5};
    EXPECT_THAT(switched.final_value(), DoubleEq(0.5 * 1 + 0.5 * 5));
}

TEST(Configurations, BringTheirContracts) {
    Switched switched(Reactivity::reactive);
    switched.second().from = Time{0.5};
    EXPECT_THAT(switched.final_value(), DoubleEq(0.5 * 1 + 0.5 * 5));
}

TEST(Configurations, ComeIntoForceWhenAnOutputSaysSo) {
    Switched switched(Reactivity::reactive);
    switched.second().when = {switched.sum(), Relation::exceeds, 0.35};
    EXPECT_THAT(switched.final_value(), DoubleEq(0.4 * 1 + 0.6 * 5));
}

TEST(Configurations, EndWhenTheirConditionDoes) {
    Switched switched(Reactivity::reactive);
    switched.second().when = {switched.sum(), Relation::falls_below, 1.2};
    Simulation simulation = switched.simulation();
    EXPECT_EQ(simulation.run({}).switches, 2u);
    EXPECT_THAT(switched.final_value(), DoubleEq(0.3 * 5 + 0.7 * 1));
}

TEST(Configurations, MayScaleTheSameConnectionDifferently) {
    Switched switched;
    scenario::Link& link = switched.second().links.front();
    link.from = switched.system.links.front().from;
    link.factor = 5;
    switched.second().from = Time{0.5};
    switched.algorithm = synthesis::synthesize(switched.system, {}).algorithm;
    EXPECT_THAT(switched.final_value(), DoubleEq(0.5 * 1 + 0.5 * 5));
}

/// What feeds through from an input whose source changes reaches others at once, too: a gain of 2,
/// that integrates nothing of its input, between the sources and the integrator.
TEST(Configurations, HandOnWhatFeedsThroughAtTheSwitch) {
    test::SystemBuilder builder;
    for (const char* name : {"slow", "fast"})
        builder.unit(name).input("u").output("y").reference_last(1);
    builder.unit("through").input("u").output("y", {"u"}).reference_last(1);
    builder.unit("sum").input("u").output("y").reference_last(1);
    builder.link("slow.y", "through.u").link("through.y", "sum.u");
    builder.configuration("first", "of-slow").configuration("then", "of-fast");
    builder.relink("fast.y", "through.u");
    scenario::System system = builder.build();
    system.configurations[1].from = Time{0.5};
    const algorithm::Algorithm algorithm = synthesis::synthesize(system, {}).algorithm;
    std::vector<std::unique_ptr<unit::Unit>> units;
    const auto add = [&](const char* name, test::IntegratorTraits traits) {
        units.push_back(std::make_unique<test::IntegratorUnit>(name, traits));
    };
    add("slow", {.initial = 1});
    add("fast", {.initial = 5});
    add("through", {.initial = 0, .feedthrough = 2});
    add("sum", {});
    Simulation simulation(system, algorithm, std::move(units),
                          {.start = 0, .stop = 0.6, .step = 0.1, .tolerance = {}, .where = {}},
                          silent_log());
    const auto value = [&](std::uint32_t unit) {
        const ValueRef output = 1;
        double result = 0;
        simulation.unit(UnitId{unit}).get({ValueType::float64, {&output, 1}, &result, 1});
        return result;
    };
    simulation.initialize();
    for (int i = 0; i < 5; ++i) simulation.step();
    const double before = value(3);
    const double integrated = 0.5; // by the unit that feeds through
    EXPECT_DOUBLE_EQ(value(2), integrated + 2 * 1);
    simulation.step();
    EXPECT_DOUBLE_EQ(value(3) - before, 0.1 * (integrated + 2 * 5));
}

TEST(Configurations, WithoutAConditionAreNeverEntered) {
    Switched switched;
    EXPECT_THAT(switched.final_value(), DoubleEq(1));
}

TEST(Ticks, AProcedureMayGoByPartOfTheStep) {
    test::SystemBuilder builder;
    builder.unit("a").output("y").unit("b").largest_step(4);
    const scenario::System system = builder.build();
    const UnitId a{0}, b{1};
    algorithm::Algorithm algorithm;
    algorithm.steps = {
        {"main", {algorithm::Step{.unit = a, .by = 1}, algorithm::Step{.unit = b, .same_as = a}}}};
    const auto run = [&] {
        std::vector<std::unique_ptr<unit::Unit>> units;
        units.push_back(std::make_unique<test::IntegratorUnit>("a", test::IntegratorTraits{}));
        units.push_back(std::make_unique<test::IntegratorUnit>("b", test::IntegratorTraits{}));
        Simulation simulation(system, algorithm, std::move(units),
                              {.start = 0, .stop = 0.25, .step = 0.2, .tolerance = {}, .where = {}},
                              silent_log());
        simulation.initialize();
        std::vector<double> times;
        while (simulation.time() < Time{0.25}) {
            simulation.step();
            times.push_back(simulation.unit(b).time().seconds);
        }
        return times;
    };
    ASSERT_TRUE(algorithm::verify(system, algorithm).correct());
    EXPECT_THAT(run(), ElementsAre(DoubleEq(0.05), DoubleEq(0.1), DoubleEq(0.15), 0.2, 0.25));

    algorithm.steps[0].body[1] = algorithm::Step{.unit = b, .by = 2};
    EXPECT_FALSE(algorithm::verify(system, algorithm).correct());
    EXPECT_THROW((void)run(), InputError);
}

} // namespace
} // namespace rubato::engine
