// SPDX-License-Identifier: Apache-2.0
#include "interface_jacobian.hpp"

#include <rubato/scenario/residual.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace rubato::transform {

namespace {

double norm(const std::vector<double>& row) {
    return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
}

/// What is left of a row is nothing but the error of differences.
constexpr double negligible = 1e-6;

} // namespace

Matrix residuals_per_multiplier(std::span<const scenario::Constraint> constraints,
                                const Answers& answers) {
    Matrix matrix;
    for (std::size_t c = 0; c < constraints.size(); ++c) {
        const std::vector<double> weights = scenario::level_weights(constraints[c]);
        std::vector<double> row(constraints.size(), 0);
        for (std::size_t k = 0; k < weights.size(); ++k)
            for (std::size_t m = 0; m < row.size(); ++m) row[m] += weights[k] * answers[c][k][m];
        matrix.push_back(std::move(row));
    }
    return matrix;
}

Matrix highest_levels_per_multiplier(const Answers& answers) {
    Matrix matrix;
    for (const auto& levels : answers) matrix.push_back(levels.back());
    return matrix;
}

int degree_of(std::size_t constraint, const Matrix& whole, const Matrix& half) {
    constexpr int highest = 4;
    const double ratio = std::abs(norm(whole[constraint]) / norm(half[constraint]));
    if (!std::isfinite(ratio) || ratio <= 0) return 1;
    return std::clamp(static_cast<int>(std::lround(std::log2(ratio))), 0, highest);
}

std::vector<Dependence> dependent_rows(const Matrix& matrix) {
    std::vector<Dependence> dependences;
    std::vector<std::vector<double>> basis; // orthonormal
    std::vector<std::size_t> rows;          // that the basis was made of
    for (std::size_t r = 0; r < matrix.size(); ++r) {
        const double size = norm(matrix[r]);
        std::vector<double> rest = matrix[r];
        std::vector<std::size_t> others;
        for (std::size_t b = 0; b < basis.size(); ++b) {
            const double part = std::inner_product(rest.begin(), rest.end(), basis[b].begin(), 0.0);
            if (std::abs(part) > negligible * size) others.push_back(rows[b]);
            for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= part * basis[b][i];
        }
        if (norm(rest) <= negligible * size) {
            dependences.push_back({r, std::move(others)});
            continue;
        }
        const double length = norm(rest);
        for (double& each : rest) each /= length;
        basis.push_back(std::move(rest));
        rows.push_back(r);
    }
    return dependences;
}

Matrix negative_inverse(Matrix matrix) {
    const std::size_t n = matrix.size();
    Matrix inverse(n, std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i) inverse[i][i] = -1;
    for (std::size_t column = 0; column < n; ++column) {
        std::size_t pivot = column;
        for (std::size_t r = column + 1; r < n; ++r)
            if (std::abs(matrix[r][column]) > std::abs(matrix[pivot][column])) pivot = r;
        std::swap(matrix[pivot], matrix[column]);
        std::swap(inverse[pivot], inverse[column]);
        for (std::size_t r = 0; r < n; ++r) {
            if (r == column) continue;
            const double factor = matrix[r][column] / matrix[column][column];
            for (std::size_t i = 0; i < n; ++i) {
                matrix[r][i] -= factor * matrix[column][i];
                inverse[r][i] -= factor * inverse[column][i];
            }
        }
    }
    for (std::size_t r = 0; r < n; ++r)
        for (double& each : inverse[r]) each /= matrix[r][r];
    return inverse;
}

} // namespace rubato::transform
