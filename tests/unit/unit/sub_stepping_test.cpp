// SPDX-License-Identifier: Apache-2.0
#include "support/error_text.hpp"

#include <rubato/models.hpp>
#include <rubato/unit/library.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace rubato::unit {
namespace {

using scenario::Approximation;

constexpr double m = 2;

/// An oscillator without springs: m v' = F.
class SubStepping : public ::testing::TestWithParam<std::string> {
protected:
    SubStepping() {
        for (const model::ModelType* type : models::all()) library_.add(*type);
    }

    std::unique_ptr<Unit> make(int sub_steps) {
        scenario::Unit unit;
        unit.name = "mass";
        if (GetParam() == "native")
            unit.origin = scenario::NativeModel{"oscillator"};
        else
            unit.origin =
                scenario::FmuFile{std::string(KIT_FMUS) + "/" + GetParam() + "/oscillator.fmu"};
        unit.sub_steps = sub_steps;
        scenario::InputSettings force;
        force.name = "F";
        force.approximation = Approximation::quadratic;
        unit.inputs = {force};
        std::unique_ptr<Unit> made = library_.instantiate(unit, {});
        set(*made, "m", m);
        set(*made, "c", 0);
        return made;
    }

    static ValueRef reference(const Unit& unit, std::string_view name) {
        const auto& description = unit.description();
        return description.variables[*description.find_variable(name)].reference;
    }
    static void set(Unit& unit, std::string_view name, double value) {
        const ValueRef one = reference(unit, name);
        unit.set({ValueType::float64, {&one, 1}, &value, 1});
    }
    static double get(Unit& unit, std::string_view name) {
        const ValueRef one = reference(unit, name);
        double value = 0;
        unit.get({ValueType::float64, {&one, 1}, &value, 1});
        return value;
    }
    static void initialize(Unit& unit) {
        unit.enter_initialization({});
        unit.exit_initialization();
    }
    static void move(Unit& unit, double value, double first, double second) {
        const ValueRef force = reference(unit, "F");
        set(unit, "F", value);
        unit.input_derivatives()->set({&force, 1}, 1, {&first, 1});
        unit.input_derivatives()->set({&force, 1}, 2, {&second, 1});
    }

private:
    Library library_{silent_log()};
};

/// The input holds within each part: what is left of ∫F dt is an error that shrinks with them.
TEST_P(SubStepping, SetsInputsToTheirPolynomialAtTheStartOfEachPart) {
    constexpr int parts = 5;
    const auto unit = make(parts);
    initialize(*unit);
    move(*unit, 1, 2, 4);
    const StepResult result = unit->step(Time{0}, Duration{1});
    EXPECT_EQ(result.end, StepEnd::completed);
    EXPECT_EQ(result.reached, Time{1});
    double sum = 0;
    for (int i = 0; i < parts; ++i) {
        const double tau = static_cast<double>(i) / parts;
        sum += (1 + tau * (2 + tau * 2)) / parts;
    }
    EXPECT_NEAR(get(*unit, "v"), sum / m, 1e-12);
    EXPECT_NEAR(get(*unit, "F"), 5, 1e-12); // of the end of the step
}

TEST_P(SubStepping, TellsWhatOutputsAreBetweenItsParts) {
    const auto unit = make(4);
    initialize(*unit);
    const ValueRef v = reference(*unit, "v");
    unit->intermediate_outputs()->sample({&v, 1}, 3);
    move(*unit, 2, 0, 0);
    (void)unit->step(Time{0}, Duration{1});
    const InnerSamples& samples = unit->intermediate_outputs()->samples();
    ASSERT_EQ(samples.count(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(samples.values(i)[0], samples.time(i).seconds * 2 / m, 1e-12);
}

TEST_P(SubStepping, GoesOnFromTheEndOfAStepUntilSetAgain) {
    const auto unit = make(100);
    initialize(*unit);
    move(*unit, 0, 1, 0);
    (void)unit->step(Time{0}, Duration{0.5});
    (void)unit->step(Time{0.5}, Duration{0.5});
    EXPECT_NEAR(get(*unit, "F"), 1, 1e-12);
    EXPECT_NEAR(get(*unit, "v"), 0.5 / m, 0.01 / m);
}

TEST_P(SubStepping, SavesHowInputsMove) {
    const auto unit = make(10);
    if (unit->snapshots() == nullptr) GTEST_SKIP() << "it cannot save its state";
    initialize(*unit);
    move(*unit, 1, -2, 3);
    (void)unit->step(Time{0}, Duration{0.1});
    unit->snapshots()->save(0);
    (void)unit->step(Time{0.1}, Duration{0.1});
    const double once = get(*unit, "x");
    move(*unit, 9, 9, 9);
    unit->snapshots()->restore(0);
    (void)unit->step(Time{0.1}, Duration{0.1});
    EXPECT_EQ(get(*unit, "x"), once);
}

TEST_P(SubStepping, FailsAsTheUnitDoes) {
    const auto unit = make(10);
    initialize(*unit);
    EXPECT_THROW((void)unit->step(Time{0}, Duration{-1}), Error);
    EXPECT_EQ(unit->phase(), Phase::failed);
}

TEST_P(SubStepping, RefusesDerivativesOfInputsThatHold) {
    const auto unit = make(10);
    initialize(*unit);
    const ValueRef other = reference(*unit, "xo");
    const double value = 1;
    EXPECT_THROW(unit->input_derivatives()->set({&other, 1}, 1, {&value, 1}), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(Forms, SubStepping, ::testing::Values("native", "fmi1", "fmi2", "fmi3"));

} // namespace
} // namespace rubato::unit
