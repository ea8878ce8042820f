// SPDX-License-Identifier: Apache-2.0
// The forms of a model, as a scenario reaches them, compute the same to the last bit.
#include "models.hpp"

#include <rubato/unit/library.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace rubato::model {
namespace {

enum class Form { native, fmi1, fmi2, fmi3 };

struct Run {
    const char* model;
    Solver solver;
    std::vector<std::string> inputs, outputs;
};

std::vector<ValueRef> references_of(const scenario::UnitDescription& description,
                                    const std::vector<std::string>& names) {
    std::vector<ValueRef> result;
    for (const std::string& name : names)
        result.push_back(
            description.variables.at(description.find_variable(name).value()).reference);
    return result;
}

template <class T>
Bulk bulk(ValueType type, const std::vector<ValueRef>& references, std::vector<T>& values) {
    return {type, references, values.data(), values.size()};
}

std::unique_ptr<unit::Unit> instantiate(unit::Library& library, const std::string& model,
                                        Form form) {
    library.add(model_named(model));
    scenario::Unit description;
    description.name = "unit";
    if (form == Form::native)
        description.origin = scenario::NativeModel{model};
    else
        description.origin =
            scenario::FmuFile{std::string(RUBATO_FMUS) + "/fmi" +
                              std::to_string(static_cast<int>(form)) + "/" + model + ".fmu"};
    return library.instantiate(description, ".");
}

/// All outputs of all steps, each step made twice from a saved state.
std::vector<double> trajectory(const Run& run, Form form) {
    unit::Library library(silent_log());
    const auto unit = instantiate(library, run.model, form);
    const auto solver = references_of(unit->description(), {"solver"});
    std::vector<std::int64_t> number = {static_cast<std::int64_t>(run.solver)};
    unit->set(bulk(ValueType::enumeration, solver, number));
    unit->enter_initialization({Time{0}, Time{10}, std::nullopt});
    unit->exit_initialization();

    const auto inputs = references_of(unit->description(), run.inputs);
    const auto outputs = references_of(unit->description(), run.outputs);
    std::vector<double> u(inputs.size()), slopes(inputs.size()), y(outputs.size()), result;
    for (int i = 0; i < 50; ++i) {
        for (std::size_t k = 0; k < u.size(); ++k) {
            u[k] = 0.3 * i - 0.7 * static_cast<double>(k);
            slopes[k] = i % 3 == 0 ? 0 : 0.1 * i;
        }
        unit->set(bulk(ValueType::float64, inputs, u));
        unit->input_derivatives()->set(inputs, 1, slopes);
        unit->input_derivatives()->set(inputs, 2, u);
        unit->snapshots()->save(0);
        for (int repeat = 0; repeat < 2; ++repeat) {
            if (repeat == 1) unit->snapshots()->restore(0);
            const auto end = unit->step(Time{0.2 * i}, Duration{0.2});
            EXPECT_EQ(end.end, unit::StepEnd::completed);
            unit->get(bulk(ValueType::float64, outputs, y));
            result.insert(result.end(), y.begin(), y.end());
        }
    }
    return result;
}

/// How far a unit gets with the step, and its outputs there.
std::vector<double> partial_step(Form form, double by) {
    unit::Library library(silent_log());
    const auto unit = instantiate(library, "bumper", form);
    unit->enter_initialization({Time{0}, Time{10}, std::nullopt});
    unit->exit_initialization();
    const auto outputs = references_of(unit->description(), {"x", "v"});
    std::vector<double> y(2);
    const auto result = unit->step(Time{0}, Duration{by});
    unit->get(bulk(ValueType::float64, outputs, y));
    return {result.reached.seconds, result.end == unit::StepEnd::rejected ? 1.0 : 0.0, y[0], y[1]};
}

class Forms : public testing::TestWithParam<Run> {};

TEST_P(Forms, AgreeBitForBit) {
    const auto native = trajectory(GetParam(), Form::native);
    EXPECT_EQ(native, trajectory(GetParam(), Form::fmi2));
    EXPECT_EQ(native, trajectory(GetParam(), Form::fmi3));
}

INSTANTIATE_TEST_SUITE_P(
    OfModels, Forms,
    testing::Values(Run{"car", Solver::euler, {"vd"}, {"v"}},
                    Run{"msd1", Solver::rk4, {"Fc"}, {"x1", "v1"}},
                    Run{"msd2", Solver::exact, {"x1", "v1"}, {"x2", "v2", "Fc"}},
                    Run{"node", Solver::euler, {"a", "b"}, {"y"}}),
    [](const auto& run) { return std::string(run.param.model); });

TEST(LimitedSteps, AreThePartThatIsAcceptedInAllForms) {
    const double longest = 0.2 / std::sqrt(13);
    const auto native = partial_step(Form::native, 0.1);
    EXPECT_EQ(native[0], longest);
    EXPECT_EQ(native[1], 1);
    EXPECT_EQ(native, partial_step(Form::fmi1, 0.1));
    EXPECT_EQ(native, partial_step(Form::fmi2, 0.1));
    EXPECT_EQ(native, partial_step(Form::fmi3, 0.1));
    const auto whole = partial_step(Form::native, longest);
    EXPECT_EQ(whole, (std::vector<double>{longest, 0, native[2], native[3]}));
    EXPECT_EQ(whole, partial_step(Form::fmi1, longest));
    EXPECT_EQ(whole, partial_step(Form::fmi2, longest));
    EXPECT_EQ(whole, partial_step(Form::fmi3, longest));
}

} // namespace
} // namespace rubato::model
