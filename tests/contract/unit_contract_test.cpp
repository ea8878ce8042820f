// SPDX-License-Identifier: Apache-2.0

/// What every unit must do, whatever it is: run over the models in each of their forms.

#include "unit_contract.hpp"

#include <rubato/core/diagnostics.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace rubato::unit {
namespace {

using scenario::Causality;
using scenario::Variable;
using testing::Combine;
using testing::Values;

constexpr int solvers = 3;

TEST_P(UnitContract, GoesThroughItsPhases) {
    Driven unit = instantiate();
    EXPECT_EQ(unit->phase(), Phase::instantiated);
    unit->enter_initialization({});
    EXPECT_EQ(unit->phase(), Phase::initializing);
    unit->exit_initialization();
    EXPECT_EQ(unit->phase(), Phase::stepping);
    unit->terminate();
    EXPECT_EQ(unit->phase(), Phase::terminated);
}

TEST_P(UnitContract, ACallOutOfOrderIsRefusedAndChangesNothing) {
    Driven unit = instantiate();
    EXPECT_THROW((void)unit->step({0}, {1}), std::logic_error);
    EXPECT_THROW(unit.outputs(), std::logic_error);
    EXPECT_THROW(unit->exit_initialization(), std::logic_error);
    EXPECT_THROW(unit->terminate(), std::logic_error);
    if (unit->snapshots() != nullptr) {
        EXPECT_THROW(unit->snapshots()->save(0), std::logic_error);
    }
    EXPECT_EQ(unit->phase(), Phase::instantiated);

    unit->enter_initialization({});
    EXPECT_THROW(unit->enter_initialization({}), std::logic_error);
    EXPECT_THROW((void)unit->step({0}, {1}), std::logic_error);

    unit->exit_initialization();
    EXPECT_THROW(unit->enter_initialization({}), std::logic_error);
    EXPECT_THROW(unit->exit_initialization(), std::logic_error);

    unit->terminate();
    EXPECT_THROW((void)unit->step({0}, {1}), std::logic_error);
    EXPECT_THROW(unit.set_inputs(0), std::logic_error);
    if (unit->input_derivatives() != nullptr) {
        EXPECT_THROW(unit.set_input_derivatives(0), std::logic_error);
    }
    EXPECT_THROW(unit->terminate(), std::logic_error);
}

TEST_P(UnitContract, OutputsCanBeReadAfterTheEnd) {
    Driven unit = initialize();
    const auto before = unit.outputs();
    unit->terminate();
    EXPECT_EQ(unit.outputs(), before);
}

TEST_P(UnitContract, CanBeLeftInAnyPhase) {
    instantiate();
    instantiate()->enter_initialization({});
    initialize();
    Driven unit = initialize();
    if (unit->snapshots() != nullptr) unit->snapshots()->save(0);
}

TEST_P(UnitContract, HasTheStartValuesThatItsDescriptionTells) {
    Driven unit = instantiate();
    unit->enter_initialization({});
    for (const Variable& variable : unit->description().variables) {
        if (variable.type != ValueType::float64 || !variable.start) continue;
        double value = 0;
        unit->get({variable.type, {&variable.reference, 1}, &value, 1});
        EXPECT_EQ(Value(value), variable.start) << variable.name;
    }
}

TEST_P(UnitContract, AStepGoesAllTheWay) {
    Driven unit = initialize();
    const StepResult result = unit->step({0}, {step_size});
    EXPECT_EQ(result.end, StepEnd::completed);
    EXPECT_EQ(result.reached, Time{step_size});
    EXPECT_EQ(unit->time(), Time{step_size});
}

TEST_P(UnitContract, ARunRepeatedIsTheSameToTheLastBit) {
    EXPECT_EQ(initialize().run(0, 50), initialize().run(0, 50));
}

TEST_P(UnitContract, InstancesDoNotDisturbEachOther) {
    const auto alone = initialize().run(0, 20);
    Driven one = initialize(), other = initialize();
    other.run(0, 1);
    std::vector<double> together;
    for (int number = 0; number < 20; ++number) {
        for (const double value : one.run(number, 1)) together.push_back(value);
        other.run(number + 1, 1);
    }
    EXPECT_EQ(together, alone);
}

TEST_P(UnitContract, AFaultIsNamedAndNothingElseIsAllowedAfterIt) {
    Driven unit = initialize();
    EXPECT_THAT([&] { unit.fail(); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("unit \"it\" failed in")));
    EXPECT_EQ(unit->phase(), Phase::failed);
    EXPECT_THROW((void)unit->step({0}, {step_size}), std::logic_error);
    EXPECT_THROW(unit.outputs(), std::logic_error);
    EXPECT_THROW(unit->terminate(), std::logic_error);
}

/// Units that can save their state.
class RestorableUnitContract : public UnitContract {};

TEST_P(RestorableUnitContract, GoesBackToASavedStateToTheLastBit) {
    Driven unit = initialize();
    ASSERT_NE(unit->snapshots(), nullptr);
    unit.run(0, 10);
    unit->snapshots()->save(0);
    const auto before = unit.outputs();
    const auto first = unit.run(10, 10);
    unit->snapshots()->save(1);

    unit->snapshots()->restore(0);
    EXPECT_EQ(unit.outputs(), before);
    EXPECT_EQ(unit.run(10, 10), first);

    unit->snapshots()->restore(1);
    const auto later = unit.run(20, 10);
    unit->snapshots()->restore(0);
    unit.run(10, 10);
    EXPECT_EQ(unit.run(20, 10), later);
}

TEST_P(RestorableUnitContract, ASlotCanBeSavedAgain) {
    Driven unit = initialize();
    ASSERT_NE(unit->snapshots(), nullptr);
    for (int number = 0; number < 5; ++number) {
        unit->snapshots()->save(0);
        const auto first = unit.run(number, 1);
        unit->snapshots()->restore(0);
        EXPECT_EQ(unit.run(number, 1), first);
    }
}

/// Units that can save all of their state.
class HealableUnitContract : public UnitContract {};

TEST_P(HealableUnitContract, ASavedStateUndoesAFault) {
    Driven unit = initialize();
    unit.run(0, 5);
    unit->snapshots()->save(0);
    const auto expected = unit.run(5, 5);
    EXPECT_THROW(unit.fail(), Error);
    unit->snapshots()->restore(0);
    EXPECT_EQ(unit->phase(), Phase::stepping);
    EXPECT_EQ(unit.run(5, 5), expected);
}

/// Units of models that have inputs.
class DrivenUnitContract : public UnitContract {};

TEST_P(DrivenUnitContract, InputDerivativesMoveTheInputsWithinAStep) {
    constexpr std::int64_t runge_kutta = 2; // Euler's method looks at the start of a step only
    Driven held = instantiate(), moved = instantiate();
    for (Driven* unit : {&held, &moved}) {
        choose_solver(*unit, runge_kutta);
        unit->initialize();
    }
    ASSERT_NE(moved->input_derivatives(), nullptr);
    EXPECT_EQ(moved->input_derivatives()->max_order(), 2u);
    moved.set_input_derivatives(0);
    EXPECT_NE(moved.run(0, 3), held.run(0, 3));
}

/// Units that solve by themselves.
class SteppingUnitContract : public UnitContract {};

TEST_P(SteppingUnitContract, EveryFormOfAModelComputesTheSameToTheLastBit) {
    for (int solver = 1; solver <= solvers; ++solver) {
        EXPECT_EQ(trajectory_of(std::get<0>(GetParam()), solver), trajectory_of("native", solver))
            << solver;
    }
}

/// Units that a solver of ours solves.
class SolvedUnitContract : public UnitContract {};

TEST_P(SolvedUnitContract, ComputesTheExactSolutionWithinItsTolerance) {
    constexpr std::int64_t exact = 3;
    const auto solved = trajectory_of(std::get<0>(GetParam()), exact);
    const auto expected = trajectory_of("native", exact);
    ASSERT_EQ(solved.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(solved[i], expected[i], 1e-4 * (1 + std::abs(expected[i])));
}

/// Units of models.
class ModelUnitContract : public UnitContract {};

TEST_P(ModelUnitContract, EveryFormOfAModelIsDescribedAlike) {
    const Driven native = instantiate("native"), unit = instantiate();
    const auto& expected = native->description();
    const auto& description = unit->description();
    const bool is_fmi1 = std::get<0>(GetParam()).starts_with("fmi1");
    for (const Variable& variable : expected.variables) {
        const auto index = description.find_variable(variable.name);
        ASSERT_TRUE(index) << variable.name;
        const Variable& same = description.variables[*index];
        EXPECT_EQ(same.type, variable.type) << variable.name;
        if (is_fmi1 && variable.causality == Causality::independent) continue; // it has none
        EXPECT_EQ(same.causality, variable.causality) << variable.name;
        EXPECT_EQ(same.variability, variable.variability) << variable.name;
        EXPECT_EQ(same.initial, variable.initial) << variable.name;
        EXPECT_EQ(same.unit, variable.unit) << variable.name;
        EXPECT_EQ(same.start, variable.start) << variable.name;
        EXPECT_EQ(same.derivative_of, variable.derivative_of) << variable.name;
    }
    ASSERT_EQ(description.dependencies.size(), expected.dependencies.size());
    for (std::size_t i = 0; i < expected.dependencies.size(); ++i) {
        EXPECT_EQ(description.dependencies[i].output, expected.dependencies[i].output);
        EXPECT_EQ(description.dependencies[i].step, expected.dependencies[i].step);
        EXPECT_EQ(description.dependencies[i].initial, expected.dependencies[i].initial);
    }
    EXPECT_EQ(description.capabilities.snapshots, unit->snapshots() != nullptr);
    const IntermediateOutputs* const within = unit->intermediate_outputs();
    EXPECT_EQ(description.capabilities.intermediate_outputs,
              within && std::ranges::any_of(description.variables, [&](const auto& variable) {
                  return within->provides(variable);
              }));
    EXPECT_EQ(description.capabilities.variable_step, expected.capabilities.variable_step);
    if (unit.has_inputs()) {
        EXPECT_EQ(description.capabilities.input_derivatives,
                  expected.capabilities.input_derivatives);
    }
}

/// Units that are scenarios around a model.
class CompositeContract : public UnitContract {};

TEST_P(CompositeContract, IsDescribedAsTheModelInIt) {
    const Driven native = instantiate("native"), unit = instantiate();
    const auto& expected = native->description();
    const auto& description = unit->description();
    const auto names = [](const auto& of, const std::vector<std::uint32_t>& indices) {
        std::vector<std::string> all;
        for (const std::uint32_t index : indices) all.push_back(of.variables[index].name);
        return all;
    };
    for (const scenario::Dependencies& each : expected.dependencies) {
        const std::string& output = expected.variables[each.output].name;
        if (expected.variables[each.output].causality != Causality::output) continue;
        const auto same = std::ranges::find_if(description.dependencies, [&](const auto& other) {
            return description.variables[other.output].name == output;
        });
        ASSERT_NE(same, description.dependencies.end()) << output;
        EXPECT_EQ(names(description, same->step.value()), names(expected, each.step.value()))
            << output;
        EXPECT_EQ(names(description, same->initial.value()), names(expected, each.initial.value()))
            << output;
    }
    std::size_t count = 0;
    for (const Variable& variable : expected.variables) {
        const auto index = description.find_variable(variable.name);
        if (!index) continue;
        ++count;
        const Variable& same = description.variables[*index];
        EXPECT_EQ(same.type, variable.type) << variable.name;
        EXPECT_EQ(same.causality, variable.causality) << variable.name;
        EXPECT_EQ(same.variability, variable.variability) << variable.name;
        EXPECT_EQ(same.unit, variable.unit) << variable.name;
        EXPECT_EQ(same.start, variable.start) << variable.name;
    }
    EXPECT_GT(count, 1u);
    EXPECT_EQ(description.capabilities.snapshots, unit->snapshots() != nullptr);
    EXPECT_EQ(description.capabilities.directional_derivatives,
              unit->directional_derivatives() != nullptr);
    EXPECT_EQ(description.capabilities.variable_step, expected.capabilities.variable_step);
}

auto named(std::span<const char* const> forms) {
    return testing::ValuesIn(std::vector<std::string>(forms.begin(), forms.end()));
}
const auto all_forms = named(test::model_forms);
constexpr const char* isolated_forms[] = {"fmi1_isolated",    "fmi2_isolated",
                                          "fmi3_isolated",    "fmi1_me_isolated",
                                          "fmi2_me_isolated", "fmi3_me_isolated"};
const auto all_models =
    Values("bouncing_ball", "car", "dahlquist", "msd1", "msd2", "node", "relay", "stair");

INSTANTIATE_TEST_SUITE_P(Forms, UnitContract, Combine(all_forms, all_models), name_of);
INSTANTIATE_TEST_SUITE_P(Isolated, UnitContract, Combine(named(isolated_forms), all_models),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Forms, ModelUnitContract, Combine(all_forms, all_models), name_of);
INSTANTIATE_TEST_SUITE_P(Isolated, ModelUnitContract, Combine(named(isolated_forms), all_models),
                         name_of);
const auto table = Combine(Values("table"), Values("ramp"));
INSTANTIATE_TEST_SUITE_P(Tables, UnitContract, table, name_of);
INSTANTIATE_TEST_SUITE_P(Tables, RestorableUnitContract, table, name_of);
INSTANTIATE_TEST_SUITE_P(Tables, HealableUnitContract, table, name_of);
INSTANTIATE_TEST_SUITE_P(Forms, HealableUnitContract,
                         Combine(named(test::restorable_forms), Values("msd1", "bouncing_ball")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Isolated, HealableUnitContract,
                         Combine(Values("fmi2_isolated", "fmi3_isolated", "fmi2_me_isolated",
                                        "fmi3_me_isolated"),
                                 Values("msd1", "bouncing_ball")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Forms, RestorableUnitContract,
                         Combine(named(test::restorable_forms), all_models), name_of);
INSTANTIATE_TEST_SUITE_P(Isolated, RestorableUnitContract,
                         Combine(Values("fmi2_isolated", "fmi3_isolated", "fmi2_me_isolated",
                                        "fmi3_me_isolated"),
                                 all_models),
                         name_of);
INSTANTIATE_TEST_SUITE_P(OfFmi1, RestorableUnitContract,
                         Combine(Values("fmi1_me"),
                                 Values("car", "dahlquist", "msd1", "msd2", "node")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Forms, DrivenUnitContract,
                         Combine(all_forms, Values("car", "msd1", "msd2", "node")), name_of);
INSTANTIATE_TEST_SUITE_P(Isolated, DrivenUnitContract,
                         Combine(named(isolated_forms), Values("car", "msd1", "msd2", "node")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(
    Forms, SteppingUnitContract,
    Combine(Values("native", "fmi1", "fmi2", "fmi3", "fmi2_isolated", "fmi3_isolated"), all_models),
    name_of);
INSTANTIATE_TEST_SUITE_P(Forms, SolvedUnitContract, Combine(named(test::solved_forms), all_models),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Isolated, SolvedUnitContract,
                         Combine(Values("fmi2_me_isolated", "fmi3_me_isolated"), all_models),
                         name_of);

constexpr const char* wrapped_forms[] = {
    "composite",         "composite_fmi1",     "composite_fmi2",     "composite_fmi3",
    "composite_fmi2_me", "composite_fmi3_me",  "composite_isolated", "composite_twice",
    "composite_steps",   "composite_sub_steps"};
/// Those whose model can save its state.
constexpr const char* restorable_composites[] = {
    "composite",         "composite_fmi2",    "composite_fmi3",
    "composite_fmi2_me", "composite_fmi3_me", "composite_isolated",
    "composite_twice",   "composite_steps",   "composite_sub_steps"};
INSTANTIATE_TEST_SUITE_P(Composites, CompositeContract, Combine(named(wrapped_forms), all_models),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Composites, UnitContract, Combine(named(wrapped_forms), all_models),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Composites, RestorableUnitContract,
                         Combine(named(restorable_composites), all_models), name_of);
INSTANTIATE_TEST_SUITE_P(Composites, HealableUnitContract,
                         Combine(named(restorable_composites), Values("msd1", "bouncing_ball")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Composites, DrivenUnitContract,
                         Combine(named(wrapped_forms), Values("car", "msd1", "msd2", "node")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Composites, SteppingUnitContract,
                         Combine(Values("composite", "composite_fmi1", "composite_fmi2",
                                        "composite_fmi3", "composite_isolated", "composite_twice"),
                                 all_models),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Composites, SolvedUnitContract,
                         Combine(Values("composite_fmi2_me", "composite_fmi3_me"), all_models),
                         name_of);

} // namespace
} // namespace rubato::unit
