// SPDX-License-Identifier: Apache-2.0
#include "models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace rubato::model {
namespace {

using testing::HasSubstr;

std::vector<std::byte> saved(const Instance& instance) {
    std::vector<std::byte> state(instance.saved_size());
    instance.save(state.data());
    return state;
}

TEST(Instance, StartsWithTheDefaultsOfTheClass) {
    Named mass(model_named("msd1"));
    EXPECT_EQ(mass.value("x1"), 1);
    EXPECT_EQ(mass.value("m1"), 1);
    EXPECT_EQ(mass.phase(), Phase::instantiated);
}

TEST(Instance, RestoredStepsRepeatBitForBit) {
    for (const Solver solver : {Solver::euler, Solver::rk4, Solver::exact}) {
        Named mass(model_named("msd2"));
        mass.solve_with(solver);
        mass.initialize();
        mass.assign("x1", 0.3);
        mass.derive("x1", 1, 0.7);
        mass.step(0, 0.1);
        const auto before = saved(mass);
        mass.step(0.1, 0.1);
        const auto after = saved(mass);
        mass.assign("v1", 5);
        mass.derive("x1", 2, -3);
        mass.step(0.2, 0.3);
        mass.restore(before.data());
        mass.step(0.1, 0.1);
        EXPECT_EQ(saved(mass), after);
    }
}

TEST(Instance, RestoringBringsBackThePhaseAndTheSolver) {
    Named mass(model_named("msd1"));
    const auto fresh = saved(mass);
    mass.solve_with(Solver::exact);
    mass.initialize();
    mass.step(0, 1);
    mass.restore(fresh.data());
    EXPECT_EQ(mass.phase(), Phase::instantiated);
    mass.initialize();
    mass.step(0, 0.5);
    EXPECT_EQ(mass.value("v1"), -0.5); // Euler
}

TEST(Instance, AnotherInstanceContinuesFromSerializedBytes) {
    Named first(model_named("msd2")), second(model_named("msd2"));
    first.solve_with(Solver::exact);
    first.assign("m2", 3);
    first.initialize();
    first.assign("x1", 1);
    first.step(0, 0.1);
    const auto state = saved(first);
    std::vector<std::byte> bytes(first.serialized_size());
    first.serialize(state.data(), bytes.data());

    second.solve_with(Solver::exact);
    second.initialize(); // prepares for another mass
    std::vector<std::byte> read(second.saved_size());
    ASSERT_EQ(second.deserialize(bytes, read.data()), "");
    second.restore(read.data());
    first.step(0.1, 0.1);
    second.step(0.1, 0.1);
    EXPECT_EQ(first.value("x2"), second.value("x2"));
    EXPECT_EQ(first.value("v2"), second.value("v2"));
}

TEST(Instance, RefusesBytesThatAreNoStateOfItsModel) {
    Named mass(model_named("msd1")), car(model_named("car"));
    std::vector<std::byte> bytes(mass.serialized_size());
    const auto state = saved(mass);
    mass.serialize(state.data(), bytes.data());
    std::vector<std::byte> read(mass.saved_size());

    EXPECT_THAT(mass.deserialize(std::span(bytes).first(10), read.data()), HasSubstr("not 10"));
    auto other = bytes;
    other[0] = std::byte{0};
    EXPECT_THAT(mass.deserialize(other, read.data()), HasSubstr("not the bytes"));
    other = bytes;
    other[10] = std::byte{0};
    EXPECT_THAT(mass.deserialize(other, read.data()), HasSubstr("another model"));
    EXPECT_EQ(mass.deserialize(bytes, read.data()), "");
}

TEST(Instance, OutputsFollowTheApproximatedInputAtTheEndOfAStep) {
    Named mass(model_named("msd2"));
    mass.initialize();
    mass.assign("x1", 1);
    mass.derive("x1", 1, 2);
    mass.derive("x1", 2, 4);
    mass.step(0, 0.5);
    EXPECT_DOUBLE_EQ(mass.value("x1"), 1 + 2 * 0.5 + 4 * 0.5 * 0.5 / 2);
    EXPECT_DOUBLE_EQ(mass.value("Fc"), mass.value("x2") - mass.value("x1") + mass.value("v2"));
    mass.assign("x1", 0);
    EXPECT_DOUBLE_EQ(mass.value("Fc"), mass.value("x2") + mass.value("v2"));
}

TEST(Instance, InputDerivativesStayUntilSetAgain) {
    Named mass(model_named("msd2"));
    mass.initialize();
    mass.derive("x1", 1, 2);
    mass.run(0.5, 2);
    EXPECT_DOUBLE_EQ(mass.value("x1"), 2);
    mass.derive("x1", 1, 0);
    mass.step(1, 0.5);
    EXPECT_DOUBLE_EQ(mass.value("x1"), 2);
}

TEST(Instance, InputDerivativesAreVariablesToo) {
    Named by_call(model_named("msd2")), by_variable(model_named("msd2"));
    by_call.initialize();
    by_variable.initialize();
    by_call.derive("x1", 1, 2);
    by_call.derive("x1", 2, -1);
    by_variable.assign("der(x1)", 2);
    by_variable.assign("der(x1,2)", -1);
    by_call.step(0, 0.5);
    by_variable.step(0, 0.5);
    EXPECT_EQ(saved(by_call), saved(by_variable));
}

TEST(Instance, GivesDerivativesOfStates) {
    Named mass(model_named("msd1"));
    mass.initialize();
    EXPECT_EQ(mass.value("der(v1)"), -1);
    mass.assign("Fc", 3);
    EXPECT_EQ(mass.value("der(v1)"), 2);
}

TEST(Instance, ParametersAndStatesAreFixedBetweenSteps) {
    Named mass(model_named("msd1"));
    mass.initialize();
    for (const char* name : {"m1", "x1", "inner_step", "time"}) {
        const ValueRef variable = reference(mass.type(), name);
        const double value = 2;
        const AccessResult result = mass.set<double>({&variable, 1}, &value);
        EXPECT_EQ(result.access, Access::not_settable) << name;
        EXPECT_THAT(mass.explain(result), HasSubstr(name));
    }
}

TEST(Instance, RefusesUnknownReferencesAndWrongTypes) {
    Named node(model_named("node"));
    const ValueRef work = reference(node.type(), "work");
    const ValueRef beyond = 1000;
    double real = 0;
    EXPECT_EQ(node.get<double>({&work, 1}, &real).access, Access::wrong_type);
    const AccessResult result = node.get<double>({&beyond, 1}, &real);
    EXPECT_EQ(result.access, Access::unknown_reference);
    EXPECT_THAT(node.explain(result), HasSubstr("1000"));
    EXPECT_EQ(node.set_input_derivative(work, 1, 0).access, Access::wrong_type);
    EXPECT_EQ(node.set_input_derivative(reference(node.type(), "a"), 3, 0).access,
              Access::out_of_range);
}

TEST(Instance, RefusesIntegersOutOfRange) {
    Named node(model_named("node"));
    const ValueRef work = reference(node.type(), "work");
    const std::int64_t large = std::int64_t{1} << 40;
    EXPECT_EQ(node.set_integers({&work, 1}, &large).access, Access::out_of_range);
}

TEST(Instance, WorkDoesNotChangeWhatANodeComputes) {
    Named idle(model_named("node")), busy(model_named("node"));
    const ValueRef work = reference(busy.type(), "work");
    const std::int32_t rounds = 1000;
    must(busy.set<std::int32_t>({&work, 1}, &rounds));
    for (Named* node : {&idle, &busy}) {
        node->initialize();
        node->assign("a", 1);
        node->run(0.1, 10);
    }
    EXPECT_EQ(idle.value("y"), busy.value("y"));
}

TEST(Instance, RefusesStepsThatDoNotGoForward) {
    for (const double by : {0.0, -0.1, std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity()}) {
        Named mass(model_named("msd1"));
        mass.initialize();
        EXPECT_THROW(mass.step(0, by), std::runtime_error) << by;
        EXPECT_EQ(mass.phase(), Phase::failed);
    }
}

TEST(Instance, RefusesMeaninglessSettings) {
    Named mass(model_named("msd1"));
    mass.solve_with(static_cast<Solver>(7));
    EXPECT_THROW(mass.initialize(), std::runtime_error);
    mass.reset();
    mass.solve_with(Solver::euler, -1);
    EXPECT_THROW(mass.initialize(), std::runtime_error);
    mass.reset();
    mass.solve_with(Solver::euler, 1e-300);
    mass.initialize();
    EXPECT_THROW(mass.step(0, 1), std::runtime_error);
}

} // namespace
} // namespace rubato::model
