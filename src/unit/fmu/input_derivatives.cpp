// SPDX-License-Identifier: Apache-2.0
#include "input_derivatives.hpp"

#include <algorithm>
#include <tuple>

namespace rubato::unit {

using scenario::Causality;
using scenario::Variable;

namespace {

const Variable* find_antiderivative(const std::vector<Variable>& variables, const Variable& of) {
    if (of.causality != Causality::input || !of.derivative_of) return nullptr;
    const Variable& base = variables[*of.derivative_of];
    return base.causality == Causality::input ? &base : nullptr;
}

constexpr auto key_of = [](const auto& entry) { return std::tuple(entry.input, entry.order); };

} // namespace

InputDerivativeMap::InputDerivativeMap(const std::vector<Variable>& variables) {
    for (const Variable& variable : variables) {
        unsigned order = 0;
        const Variable* input = &variable;
        // A chain longer than there are variables goes in a circle: such inputs have no base.
        while (order <= variables.size()) {
            const Variable* base = find_antiderivative(variables, *input);
            if (base == nullptr) break;
            input = base;
            ++order;
        }
        if (order > 0 && order <= variables.size()) {
            entries_.push_back({input->reference, order, variable.reference});
        }
    }
    std::ranges::sort(entries_, {}, key_of);
}

unsigned InputDerivativeMap::max_order() const {
    std::optional<unsigned> lowest;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const bool is_last_of_input =
            i + 1 == entries_.size() || entries_[i + 1].input != entries_[i].input;
        if (is_last_of_input) {
            lowest = std::min(lowest.value_or(entries_[i].order), entries_[i].order);
        }
    }
    return lowest.value_or(0);
}

std::optional<ValueRef> InputDerivativeMap::find(ValueRef input, unsigned order) const {
    const auto found = std::ranges::lower_bound(entries_, std::tuple(input, order), {}, key_of);
    if (found == entries_.end() || key_of(*found) != std::tuple(input, order)) return std::nullopt;
    return found->derivative;
}

std::vector<ValueRef> inputs_set_within_steps(const std::vector<Variable>& variables) {
    const InputDerivativeMap carriers(variables);
    std::vector<ValueRef> result;
    for (const Variable& variable : variables) {
        const bool moves = variable.causality == Causality::input && variable.intermediate &&
                           variable.variability == scenario::Variability::continuous &&
                           variable.type == ValueType::float64 && !variable.is_array();
        if (moves && !variable.derivative_of && !carriers.find(variable.reference, 1))
            result.push_back(variable.reference);
    }
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

} // namespace rubato::unit
