// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <tuple>
#include <vector>

namespace rubato::unit {

inline constexpr double step_size = 0.1;

/// The name of a test whose parameters are a form and a model.
inline constexpr auto name_of = [](const auto& test) {
    return std::get<0>(test.param) + "_" + std::get<1>(test.param);
};

/// A unit with all its real inputs and outputs at hand.
class Driven {
public:
    explicit Driven(std::shared_ptr<Unit> unit) : unit_(std::move(unit)) {
        for (const scenario::Variable& variable : unit_->description().variables) {
            if (variable.type != ValueType::float64) continue;
            if (variable.causality == scenario::Causality::output)
                outputs_.push_back(variable.reference);
            if (variable.causality == scenario::Causality::input && !variable.derivative_of)
                inputs_.push_back(variable.reference);
        }
    }
    Unit* operator->() const { return unit_.get(); }
    bool has_inputs() const { return !inputs_.empty(); }

    void initialize() {
        unit_->enter_initialization({.start = {0}, .stop = Time{10}, .tolerance = {}});
        set_inputs(0);
        unit_->exit_initialization();
    }

    /// Inputs that differ from each other and move.
    void set_inputs(int step) {
        std::vector<double> values;
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            values.push_back(std::sin(0.3 * step + 0.7 * static_cast<double>(i)));
        unit_->set({ValueType::float64, inputs_, values.data(), values.size()});
    }

    void set_input_derivatives(int step) {
        for (const unsigned order : {1u, 2u}) {
            const std::vector<double> values(inputs_.size(), std::cos(0.3 * step) / order);
            unit_->input_derivatives()->set(inputs_, order, values);
        }
    }

    StepResult step(int number) {
        set_inputs(number);
        return unit_->step({number * step_size}, {step_size});
    }

    std::vector<double> outputs() {
        std::vector<double> values(outputs_.size());
        unit_->get({ValueType::float64, outputs_, values.data(), values.size()});
        return values;
    }

    /// The outputs of `count` steps from `first` on.
    std::vector<double> run(int first, int count) {
        std::vector<double> trajectory;
        for (int number = first; number < first + count; ++number) {
            EXPECT_EQ(step(number).end, StepEnd::completed);
            for (const double value : outputs()) trajectory.push_back(value);
        }
        return trajectory;
    }

    /// Makes it fail: no unit has such a variable. An isolated one says so when it answers.
    void fail() {
        const ValueRef unknown = 4'000'000'000;
        double value = 0;
        unit_->set({ValueType::float64, {&unknown, 1}, &value, 1});
        outputs();
    }

private:
    std::shared_ptr<Unit> unit_; ///< a composite belongs to the simulation around it
    std::vector<ValueRef> inputs_, outputs_;
};

} // namespace rubato::unit
