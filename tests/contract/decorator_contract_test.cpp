// SPDX-License-Identifier: Apache-2.0

/// What a unit around another must hand on: every optional ability, whatever is inside.

#include "driven.hpp"
#include "support/model_unit.hpp"

#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

#include <string>
#include <tuple>
#include <vector>

namespace rubato::unit {
namespace {

using scenario::Causality;

/// An ability that a unit may lack. A new one gets a row here; `direct_calls` are none: they are
/// the way past a decorator.
struct Ability {
    const char* name;
    bool (*has)(Unit& unit);
    bool comes_with_sub_steps; ///< sub-stepping has it, whatever is inside
};
constexpr Ability abilities[] = {
    {"snapshots", [](Unit& unit) { return unit.snapshots() != nullptr; }, false},
    {"input_derivatives", [](Unit& unit) { return unit.input_derivatives() != nullptr; }, true},
    {"event_mode", [](Unit& unit) { return unit.event_mode() != nullptr; }, false},
    {"intermediate_outputs", [](Unit& unit) { return unit.intermediate_outputs() != nullptr; },
     true},
    {"directional_derivatives",
     [](Unit& unit) { return unit.directional_derivatives() != nullptr; }, false},
    {"solver_statistics", [](Unit& unit) { return unit.solver_statistics() != nullptr; }, false},
};

/// Parameters: the form of the unit, and the model.
class DecoratorContract : public testing::TestWithParam<std::tuple<std::string, std::string>> {
protected:
    std::unique_ptr<Unit> make(bool isolated, std::optional<int> sub_steps) {
        const auto& [form, model] = GetParam();
        scenario::Unit unit;
        unit.name = "it";
        unit.origin = scenario::FmuFile{std::string(KIT_FMUS) + "/" + test::folder_of(form) + "/" +
                                        model + ".fmu"};
        unit.type = test::is_model_exchange(form) ? scenario::Interface::model_exchange
                                                  : scenario::Interface::co_simulation;
        if (isolated) unit.isolate.emplace();
        unit.sub_steps = sub_steps;
        return library_.instantiate(unit, "");
    }

    Library library_{silent_log()};
};

TEST_P(DecoratorContract, EveryAbilityIsHandedOn) {
    const auto bare = make(false, std::nullopt);
    const auto isolated = make(true, std::nullopt);
    const auto sub_stepped = make(false, 3);
    const auto both = make(true, 3);
    for (const Ability& ability : abilities) {
        const bool expected = ability.has(*bare);
        EXPECT_EQ(ability.has(*isolated), expected) << ability.name;
        const bool in_parts = expected || ability.comes_with_sub_steps;
        EXPECT_EQ(ability.has(*sub_stepped), in_parts) << ability.name;
        EXPECT_EQ(ability.has(*both), in_parts) << ability.name;
    }
}

/// ∂outputs/∂inputs · (1, 2, …), after ten steps: while it initializes, and between steps.
std::vector<double> derivatives_of(std::unique_ptr<Unit> made) {
    DirectionalDerivatives& told = *made->directional_derivatives();
    std::vector<ValueRef> inputs, outputs;
    for (const scenario::Variable& variable : made->description().variables) {
        if (variable.type != ValueType::float64 || variable.derivative_of) continue;
        if (variable.causality == Causality::input) inputs.push_back(variable.reference);
        if (variable.causality == Causality::output) outputs.push_back(variable.reference);
    }
    std::vector<double> seed;
    for (std::size_t i = 0; i < inputs.size(); ++i) seed.push_back(1. + static_cast<double>(i));
    std::vector<double> all;
    const auto ask = [&] {
        std::vector<double> result(outputs.size(), -1);
        EXPECT_EQ(told.directional_derivative(outputs, inputs, seed, result), Evaluation::done);
        all.insert(all.end(), result.begin(), result.end());
    };
    Driven unit(std::move(made));
    unit->enter_initialization({.start = {0}, .stop = Time{10}, .tolerance = {}});
    ask();
    unit->exit_initialization();
    EXPECT_EQ(unit.step(0).end, StepEnd::completed);
    ask();
    return all;
}

TEST_P(DecoratorContract, DirectionalDerivativesAreTheSameToTheLastBit) {
    if (make(false, std::nullopt)->directional_derivatives() == nullptr)
        GTEST_SKIP() << "the unit tells none";
    const std::vector<double> expected = derivatives_of(make(false, std::nullopt));
    EXPECT_EQ(derivatives_of(make(true, std::nullopt)), expected);
    // One sub-step is the whole step.
    EXPECT_EQ(derivatives_of(make(false, 1)), expected);
    EXPECT_EQ(derivatives_of(make(true, 1)), expected);
}

INSTANTIATE_TEST_SUITE_P(Forms, DecoratorContract,
                         testing::Combine(testing::Values("fmi1", "fmi2", "fmi3", "fmi1_me",
                                                          "fmi2_me", "fmi3_me"),
                                          testing::Values("msd1", "relay", "spring")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Clocked, DecoratorContract,
                         testing::Combine(testing::Values("fmi3"),
                                          testing::Values("timer_switch", "sampled_controller")),
                         name_of);

} // namespace
} // namespace rubato::unit
