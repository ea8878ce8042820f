// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace rubato::unit {

/// u(τ) = start + τ (first + τ second / 2), τ counted from the start of the step.
struct InputPolynomial {
    double start = 0, first = 0, second = 0;
    double at(double tau) const { return start + tau * (first + 0.5 * tau * second); }
    double slope_at(double tau) const { return first + tau * second; }
};

/// The real inputs of a unit that follow polynomials within its steps.
class MovingInputs {
public:
    using Polynomials = std::vector<InputPolynomial>;
    static constexpr unsigned max_order = 2;

    /// `moving` are indices of real scalars among the variables of the unit.
    MovingInputs(const Unit& unit, const std::vector<std::uint32_t>& moving);

    std::size_t size() const { return references_.size(); }
    ValueRef reference(std::size_t input) const { return references_[input]; }
    /// Index among the variables of the unit.
    std::uint32_t variable(std::size_t input) const { return variables_[input]; }
    bool contains(ValueType type, ValueRef reference) const;

    Polynomials& polynomials() { return polynomials_; }
    const Polynomials& polynomials() const { return polynomials_; }
    /// Starts the polynomials of those that are among them.
    void take(const Bulk& values);
    /// std::logic_error: one of them is not among these.
    void take_derivatives(std::span<const ValueRef> inputs, unsigned order,
                          std::span<const double> values);
    /// Sets all of them in the inner unit, by index.
    template <class Value>
    void set(Unit& inner, Value&& value) {
        for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = value(i);
        for (const Bulk& bulk : bulks_) inner.set(bulk);
    }
    /// To what the polynomials are.
    void set_at(Unit& inner, double tau) {
        set(inner, [&](std::size_t i) { return polynomials_[i].at(tau); });
    }
    /// A step has been made: the polynomials go on from there.
    void advance(double by);

private:
    void add_bulk(ValueType type, const std::vector<std::uint32_t>& moving);

    const Unit& unit_;
    std::vector<ValueRef> references_;
    std::vector<std::uint32_t> variables_;
    std::vector<double> values_; ///< on their way to the inner unit
    Polynomials polynomials_;
    std::vector<Bulk> bulks_; ///< of references_ and values_, one per type
};

} // namespace rubato::unit
