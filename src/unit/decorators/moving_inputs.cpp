// SPDX-License-Identifier: Apache-2.0
#include "moving_inputs.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <stdexcept>

namespace rubato::unit {

MovingInputs::MovingInputs(const Unit& unit, const std::vector<std::uint32_t>& moving)
    : unit_(unit), values_(moving.size()), polynomials_(moving.size()) {
    references_.reserve(moving.size());
    for (const ValueType type : {ValueType::float64, ValueType::float32}) add_bulk(type, moving);
}

void MovingInputs::add_bulk(ValueType type, const std::vector<std::uint32_t>& moving) {
    const std::size_t first = references_.size();
    for (const std::uint32_t variable : moving) {
        const scenario::Variable& input = unit_.description().variables[variable];
        if (input.type != type) continue;
        references_.push_back(input.reference);
        variables_.push_back(variable);
    }
    const std::size_t count = references_.size() - first;
    if (count > 0)
        bulks_.push_back({type, std::span(references_).subspan(first), &values_[first], count});
}

bool MovingInputs::contains(ValueType type, ValueRef reference) const {
    return std::ranges::any_of(bulks_, [&](const Bulk& bulk) {
        return bulk.type == type &&
               std::ranges::find(bulk.references, reference) != bulk.references.end();
    });
}

void MovingInputs::take(const Bulk& values) {
    if (storage_of(values.type) != Storage::real) return;
    const double* const given = values.reals().data();
    values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t) {
        const auto moving = std::ranges::find(references_, reference);
        if (moving != references_.end())
            polynomials_[static_cast<std::size_t>(moving - references_.begin())].start =
                given[first];
    });
}

void MovingInputs::take_derivatives(std::span<const ValueRef> inputs, unsigned order,
                                    std::span<const double> values) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto moving = std::ranges::find(references_, inputs[i]);
        if (moving == references_.end() || order == 0 || order > max_order)
            throw std::logic_error(format("unit \"{}\": input {} has no derivative of order {}",
                                          unit_.name(), inputs[i], order));
        InputPolynomial& polynomial =
            polynomials_[static_cast<std::size_t>(moving - references_.begin())];
        (order == 1 ? polynomial.first : polynomial.second) = values[i];
    }
}

void MovingInputs::advance(double by) {
    for (InputPolynomial& polynomial : polynomials_)
        polynomial = {polynomial.at(by), polynomial.slope_at(by), polynomial.second};
}

} // namespace rubato::unit
