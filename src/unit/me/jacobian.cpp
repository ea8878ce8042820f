// SPDX-License-Identifier: Apache-2.0
#include "jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace rubato::unit {

namespace {

/// Whether every state is a variable of its own, so that positions are known.
bool all_scalar(const ContinuousStructure& structure,
                const std::vector<scenario::Variable>& variables) {
    return std::ranges::all_of(structure.states, [&](const ContinuousStructure::State& state) {
        return !variables[state.variable].is_array();
    });
}

} // namespace

Sparsity sparsity_of(const ContinuousStructure& structure, std::size_t states) {
    Sparsity columns(states);
    for (std::uint32_t row = 0; row < states; ++row) {
        const bool is_declared =
            structure.states.size() == states && structure.states[row].depends_on;
        if (is_declared) {
            for (const std::uint32_t column : *structure.states[row].depends_on)
                columns[column].push_back(row);
        } else {
            for (auto& column : columns) column.push_back(row);
        }
    }
    for (auto& column : columns)
        column.erase(std::unique(column.begin(), column.end()), column.end());
    return columns;
}

std::vector<std::vector<std::uint32_t>> group_columns(const Sparsity& sparsity) {
    std::vector<std::vector<std::uint32_t>> groups;
    std::vector<std::vector<bool>> taken; // rows, by group
    for (std::uint32_t column = 0; column < sparsity.size(); ++column) {
        const auto& rows = sparsity[column];
        const auto fits = [&](const std::vector<bool>& used) {
            return std::ranges::none_of(rows, [&](std::uint32_t row) { return used[row]; });
        };
        const auto group =
            static_cast<std::size_t>(std::ranges::find_if(taken, fits) - taken.begin());
        if (group == groups.size()) {
            groups.emplace_back();
            taken.emplace_back(sparsity.size(), false);
        }
        groups[group].push_back(column);
        for (const std::uint32_t row : rows) taken[group][row] = true;
    }
    return groups;
}

Jacobian::Jacobian(Equations& equations, const ContinuousStructure& structure,
                   const std::vector<scenario::Variable>& variables)
    : equations_(equations) {
    const std::size_t count = equations.state_count();
    const bool known = structure.states.size() == count && all_scalar(structure, variables);
    sparsity_ = sparsity_of(known ? structure : ContinuousStructure{}, count);
    groups_ = group_columns(sparsity_);
    scales_.assign(count, 1);
    moved_.resize(equations.dimension());
    increments_.resize(count);
    result_.resize(equations.dimension());
    if (!known || equations.model().directional_derivatives() == nullptr) return;
    for (const ContinuousStructure::State& state : structure.states) {
        states_.push_back(variables[state.variable].reference);
        derivatives_.push_back(variables[state.derivative].reference);
    }
    knowns_.reserve(count);
    seed_.assign(count, 1);
}

Evaluation Jacobian::evaluate(double time, std::span<const double> x,
                              std::span<const double> derivatives, double* matrix) {
    const bool seeds = !states_.empty();
    if (seeds && equations_.place(time, x) == Evaluation::refused) return Evaluation::refused;
    for (const auto& group : groups_) {
        const Evaluation evaluation = seeds ? seed_group(group, matrix)
                                            : difference_group(group, time, x, derivatives, matrix);
        if (evaluation == Evaluation::refused) return evaluation;
    }
    return Evaluation::done;
}

Evaluation Jacobian::difference_group(const std::vector<std::uint32_t>& group, double time,
                                      std::span<const double> x,
                                      std::span<const double> derivatives, double* matrix) {
    static const double root = std::sqrt(std::numeric_limits<double>::epsilon());
    std::ranges::copy(x, moved_.begin());
    for (const std::uint32_t column : group) {
        moved_[column] += root * std::max(std::abs(x[column]), scales_[column]);
        increments_[column] = moved_[column] - x[column]; // as rounding has made it
    }
    if (equations_.derivatives(time, moved_, result_) == Evaluation::refused)
        return Evaluation::refused;
    for (const std::uint32_t column : group) {
        double* const entries = matrix + column * sparsity_.size();
        for (const std::uint32_t row : sparsity_[column])
            entries[row] = (result_[row] - derivatives[row]) / increments_[column];
    }
    return Evaluation::done;
}

Evaluation Jacobian::seed_group(const std::vector<std::uint32_t>& group, double* matrix) {
    knowns_.clear();
    for (const std::uint32_t column : group) knowns_.push_back(states_[column]);
    const auto seed = std::span<const double>(seed_).first(knowns_.size());
    DirectionalDerivatives& model = *equations_.model().directional_derivatives();
    if (model.directional_derivative(derivatives_, knowns_, seed, result_) == Evaluation::refused)
        return Evaluation::refused;
    for (const std::uint32_t column : group) {
        double* const entries = matrix + column * sparsity_.size();
        for (const std::uint32_t row : sparsity_[column]) entries[row] = result_[row];
    }
    return Evaluation::done;
}

} // namespace rubato::unit
