// SPDX-License-Identifier: Apache-2.0
#include "pipeline/order_setup.hpp"
#include "support/system_builder.hpp"

#include <gtest/gtest.h>

namespace rubato::pipeline {
namespace {

scenario::UnitDescription with_output(const std::string& name) {
    scenario::UnitDescription description;
    description.variables.push_back({.name = name, .causality = scenario::Causality::output});
    return description;
}

/// The scenario is as read; of its system only what the order is chosen by matters.
TEST(OrderSetup, TakesInputsOfRealsAndEnergiesOfAllUnits) {
    Assembly assembly;
    assembly.scenario.units.resize(2);
    assembly.scenario.units[0].energy = {"y"};
    assembly.descriptions = {with_output("y"), with_output("y")};
    test::SystemBuilder builder;
    for (const char* name : {"a", "b"}) builder.unit(name).input("u").output("y");
    scenario::System& system = assembly.orchestration.system;
    system = builder.link("a.y", "b.u").link("b.y", "a.u").build();
    system.ports[2].part = {0, 2, 2};
    system.ports[0].type = ValueType::int64;
    assembly.orchestration.orders = {{UnitId{0}, UnitId{1}}, {UnitId{1}, UnitId{0}}};
    auto control = order_control(assembly);
    ASSERT_TRUE(control);
    ASSERT_EQ(control->inputs.size(), 1u);
    EXPECT_EQ(control->inputs[0].input, PortId{2});
    EXPECT_TRUE(control->energies.empty());
    assembly.scenario.units[1].energy = {"y"};
    EXPECT_EQ(order_control(assembly)->energies.size(), 2u);
}

} // namespace
} // namespace rubato::pipeline
