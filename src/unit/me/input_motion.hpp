// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>
#include <rubato/scenario/description.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rubato::unit {

/// The continuous inputs of a model as functions of time: u(t) = u + u'τ + u''τ²/2, τ counted from
/// the start of the step. Inputs that are declared the derivative of another one follow it.
class InputMotion {
public:
    struct Input {
        double value = 0;             ///< u
        double first = 0, second = 0; ///< u', u''
        double left_at = 0;           ///< where the last step left it
    };

    /// All continuous inputs.
    explicit InputMotion(const std::vector<scenario::Variable>& variables);
    /// These, which are sorted, and none that follow them.
    explicit InputMotion(std::vector<ValueRef> inputs);

    /// The inputs that values_at() gives values for.
    std::span<const ValueRef> references() const { return references_; }
    std::optional<std::size_t> find(ValueRef input) const;

    void set_value(std::size_t input, double value) { inputs_[input].value = value; }
    void set_derivative(std::size_t input, unsigned order, double value);
    /// The values that the model has, one for each reference: it starts with them.
    void start_with(std::span<const double> values);

    /// Begins a step. Returns whether an input has jumped from where the last step left it.
    bool begin(double start);
    /// That inputs have jumped has been taken account of.
    void settle();
    bool moves() const { return moves_; }
    /// Whether there are inputs that must follow others even when these are held.
    bool has_carriers() const { return !carriers_.empty(); }
    std::span<const double> values_at(double time);
    void end(double time);

    const std::vector<Input>& save() const { return inputs_; }
    void restore(const std::vector<Input>& inputs);

private:
    /// An input that carries the derivative of another.
    struct Carrier {
        std::size_t input = 0;
        unsigned order = 0;
    };

    static double value_of(const Input& input, double tau, unsigned order);
    void update_moves();

    std::vector<ValueRef> references_; ///< of the inputs, sorted, then of the carriers
    std::vector<Input> inputs_;
    std::vector<Carrier> carriers_;
    std::vector<double> values_;
    double start_ = 0;
    bool moves_ = false;
};

} // namespace rubato::unit
