// SPDX-License-Identifier: Apache-2.0
#include "input_motion.hpp"

#include "fmu/input_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rubato::unit {

using scenario::Variable;

namespace {

bool is_continuous_input(const Variable& variable) {
    return variable.causality == scenario::Causality::input &&
           variable.variability == scenario::Variability::continuous &&
           variable.type == ValueType::float64 && !variable.is_array();
}

} // namespace

InputMotion::InputMotion(const std::vector<Variable>& variables) {
    for (const Variable& variable : variables) {
        if (is_continuous_input(variable) && !variable.derivative_of)
            references_.push_back(variable.reference);
    }
    std::ranges::sort(references_);
    references_.erase(std::unique(references_.begin(), references_.end()), references_.end());
    inputs_.resize(references_.size());
    const InputDerivativeMap derivatives(variables);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        for (const unsigned order : {1u, 2u}) {
            if (const auto carrier = derivatives.find(references_[i], order)) {
                references_.push_back(*carrier);
                carriers_.push_back({i, order});
            }
        }
    }
    values_.resize(references_.size());
}

InputMotion::InputMotion(std::vector<ValueRef> inputs)
    : references_(std::move(inputs)), inputs_(references_.size()), values_(references_.size()) {}

std::optional<std::size_t> InputMotion::find(ValueRef input) const {
    const auto end = references_.begin() + static_cast<std::ptrdiff_t>(inputs_.size());
    const auto found = std::lower_bound(references_.begin(), end, input);
    if (found == end || *found != input) return std::nullopt;
    return static_cast<std::size_t>(found - references_.begin());
}

void InputMotion::set_derivative(std::size_t input, unsigned order, double value) {
    (order == 1 ? inputs_[input].first : inputs_[input].second) = value;
    update_moves();
}

void InputMotion::start_with(std::span<const double> values) {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        inputs_[i].value = inputs_[i].left_at = values[i];
}

bool InputMotion::begin(double start) {
    start_ = start;
    return std::ranges::any_of(inputs_, [](const Input& input) {
        constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
        const double size = std::max(std::abs(input.value), std::abs(input.left_at));
        return !(std::abs(input.value - input.left_at) <= rounding * size);
    });
}

void InputMotion::settle() {
    for (Input& input : inputs_) input.left_at = input.value;
}

std::span<const double> InputMotion::values_at(double time) {
    const double tau = time - start_;
    for (std::size_t i = 0; i < inputs_.size(); ++i) values_[i] = value_of(inputs_[i], tau, 0);
    for (std::size_t i = 0; i < carriers_.size(); ++i) {
        values_[inputs_.size() + i] =
            value_of(inputs_[carriers_[i].input], tau, carriers_[i].order);
    }
    return values_;
}

void InputMotion::end(double time) {
    for (Input& input : inputs_) {
        if (moves_) input.value = value_of(input, time - start_, 0);
        input.left_at = input.value;
    }
    start_ = time;
}

void InputMotion::restore(const std::vector<Input>& inputs) {
    std::ranges::copy(inputs, inputs_.begin());
    update_moves();
}

double InputMotion::value_of(const Input& input, double tau, unsigned order) {
    switch (order) {
    case 0: return input.value + tau * (input.first + 0.5 * tau * input.second);
    case 1: return input.first + tau * input.second;
    default: return input.second;
    }
}

void InputMotion::update_moves() {
    moves_ = std::ranges::any_of(
        inputs_, [](const Input& input) { return input.first != 0 || input.second != 0; });
}

} // namespace rubato::unit
