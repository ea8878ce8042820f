// SPDX-License-Identifier: Apache-2.0
#include "identification.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace rubato::stability {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The responses in terms of their largest values, without what only rounding moves.
struct Scaled {
    std::vector<MatrixXd> responses;
    std::vector<Index> rows; ///< of the observed values that are left
    VectorXd scale;          ///< of these
    double noise = 0;
    Index points = 0;
    double growth = 1; ///< response k is divided by growthᵏ⁻¹
};

Index points_of_all(std::span<const Response> responses, std::size_t window) {
    Index points = static_cast<Index>(window);
    for (const Response& response : responses)
        if (response.values.cols() > 0) points = std::min(points, response.values.cols());
    return points;
}

/// Of all responses together, per step. What decays is left as it is: dividing would only magnify
/// rounding.
double growth_of(const std::vector<MatrixXd>& responses, Index points) {
    const Index part = std::max<Index>(1, points / 4);
    double early = 0, late = 0;
    for (const MatrixXd& response : responses) {
        early = std::max(early, response.leftCols(part).cwiseAbs().maxCoeff());
        late = std::max(late, response.rightCols(part).cwiseAbs().maxCoeff());
    }
    if (!(late > early) || early == 0) return 1;
    return std::pow(late / early, 1.0 / static_cast<double>(points - part));
}

/// Points until all responses have decayed to noise: what comes then has no modes.
Index points_above_noise(std::span<const Response> responses, Index points) {
    constexpr double clear = 30;
    constexpr Index fewest = 16;
    Index last = 0;
    for (const Response& response : responses) {
        if (response.values.cols() == 0) continue;
        const VectorXd least = clear * response.noise;
        for (Index k = points - 1; k > last; --k)
            if ((response.values.col(k).cwiseAbs() - least).maxCoeff() > 0) last = k;
    }
    return std::min(points, std::max(fewest, last + 1));
}

Scaled scaled(std::span<const Response> responses, std::size_t window) {
    constexpr double quiet =
        1e-9; // rows with more noise than that are left out if others have less
    Scaled result;
    result.points = points_above_noise(responses, points_of_all(responses, window));
    const Index count = responses.front().noise.size();
    VectorXd scale = VectorXd::Zero(count), noise = VectorXd::Zero(count);
    for (const Response& response : responses) {
        if (response.values.cols() == 0) continue;
        const auto used = response.values.leftCols(result.points);
        scale = scale.cwiseMax(used.cwiseAbs().rowwise().maxCoeff());
        noise = noise.cwiseMax(response.noise);
    }
    std::vector<double> relative;
    for (Index row = 0; row < count; ++row)
        relative.push_back(scale[row] > 0 ? noise[row] / scale[row] : HUGE_VAL);
    const double least = *std::ranges::min_element(relative);
    const double most = std::max(quiet, 100 * least);
    std::vector<double> kept;
    for (Index row = 0; row < count; ++row) {
        const double each = relative[static_cast<std::size_t>(row)];
        if (!(each <= most) || each >= 1e-2) continue;
        result.rows.push_back(row);
        kept.push_back(scale[row]);
        result.noise = std::max(result.noise, each);
    }
    result.scale = Eigen::Map<const VectorXd>(kept.data(), static_cast<Index>(kept.size()));
    for (const Response& response : responses) {
        if (response.values.cols() == 0) continue;
        MatrixXd values(static_cast<Index>(result.rows.size()), result.points);
        for (Index row = 0; row < values.rows(); ++row)
            values.row(row) = response.values.row(result.rows[static_cast<std::size_t>(row)])
                                  .leftCols(result.points) /
                              result.scale[row];
        result.responses.push_back(std::move(values));
    }
    if (result.responses.empty() || result.rows.empty()) return result;
    result.growth = growth_of(result.responses, result.points);
    for (MatrixXd& response : result.responses)
        for (Index k = 1; k < response.cols(); ++k)
            response.col(k) /= std::pow(result.growth, static_cast<double>(k));
    return result;
}

/// Block rows and columns, and the points between them.
struct Shape {
    Index blocks = 1, stride = 1;
};

Shape shape_of(const Scaled& data) {
    constexpr Index wanted = 360, fewest = 4, most = 28; // rows or columns; blocks
    const Index narrow =
        std::min(static_cast<Index>(data.responses.size()), static_cast<Index>(data.rows.size()));
    Shape shape;
    shape.blocks = std::clamp((wanted + narrow - 1) / narrow, fewest, most);
    shape.blocks = std::clamp<Index>(shape.blocks, 1, (data.points - 2) / 2 + 1);
    if (shape.blocks > 1)
        shape.stride = std::max<Index>(1, (data.points - 2) / (2 * (shape.blocks - 1)));
    return shape;
}

MatrixXd hankel(const Scaled& data, const Shape& shape, Index first) {
    const Index rows = static_cast<Index>(data.rows.size());
    const Index columns = static_cast<Index>(data.responses.size());
    MatrixXd matrix(rows * shape.blocks, columns * shape.blocks);
    for (Index i = 0; i < shape.blocks; ++i)
        for (Index j = 0; j < shape.blocks; ++j)
            for (Index e = 0; e < columns; ++e)
                matrix.block(i * rows, j * columns + e, rows, 1) =
                    data.responses[static_cast<std::size_t>(e)].col(first + (i + j) * shape.stride);
    return matrix;
}

/// x⁺ = A x + B u, y = C x.
struct Realization {
    MatrixXd a, b, c;
};

Realization realize(const Scaled& data) {
    const Shape shape = shape_of(data);
    const MatrixXd now = hankel(data, shape, 0), next = hankel(data, shape, 1);
    const Eigen::BDCSVD<MatrixXd> svd(now, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const VectorXd& sigma = svd.singularValues();
    const double size = std::sqrt(static_cast<double>(std::max(now.rows(), now.cols())));
    const double least =
        sigma.size() > 0 ? std::max(1e-14, 4 * data.noise) * size * sigma[0] : HUGE_VAL;
    Index order = 0;
    while (order < sigma.size() && sigma[order] > least) ++order;
    const VectorXd root = sigma.head(order).cwiseSqrt();
    const MatrixXd u = svd.matrixU().leftCols(order), v = svd.matrixV().leftCols(order);
    const VectorXd inverse = root.cwiseInverse();
    Realization result;
    result.a = inverse.asDiagonal() * (u.transpose() * next * v) * inverse.asDiagonal();
    result.c = u.topRows(static_cast<Index>(data.rows.size())) * root.asDiagonal();
    result.b = root.asDiagonal() * v.topRows(static_cast<Index>(data.responses.size())).transpose();
    return result;
}

/// Largest difference between the responses and those of the map.
double residual_of(const Scaled& data, const Realization& map) {
    double residual = 0;
    MatrixXd state = map.b;
    for (Index k = 0; k < data.points; ++k, state = map.a * state) {
        const MatrixXd outputs = map.c * state;
        for (Index e = 0; e < outputs.cols(); ++e)
            residual = std::max(
                residual, (outputs.col(e) - data.responses[static_cast<std::size_t>(e)].col(k))
                              .cwiseAbs()
                              .maxCoeff());
    }
    return residual;
}

/// Modes that are in the responses only as noise are left out.
std::vector<Index> kept_modes(const Eigen::VectorXcd& eigenvalues, const Eigen::MatrixXcd& shapes,
                              const Eigen::MatrixXcd& excitations, const Scaled& data) {
    std::vector<Index> kept;
    double size = 0; // small if the responses were divided by their growth
    for (const MatrixXd& response : data.responses)
        size = std::max(size, response.cwiseAbs().maxCoeff());
    for (Index i = 0; i < eigenvalues.size(); ++i) {
        const double last =
            std::pow(std::abs(eigenvalues[i]), static_cast<double>(data.points - 1));
        const double part = shapes.col(i).cwiseAbs().maxCoeff() *
                            excitations.row(i).cwiseAbs().maxCoeff() * std::max(1.0, last);
        if (part > std::max(1e-11, 300 * data.noise) * size) kept.push_back(i);
    }
    std::ranges::sort(kept, std::ranges::greater{},
                      [&](Index i) { return std::abs(eigenvalues[i]); });
    return kept;
}

} // namespace

Identified identify(std::span<const Response> responses, std::size_t window) {
    const Scaled data = scaled(responses, window);
    Identified result;
    result.shapes.setZero(responses.front().noise.size(), 0);
    result.excitations.setZero(0, static_cast<Index>(responses.size()));
    if (data.responses.empty() || data.rows.empty() || data.points < 4) return result;
    const Realization map = realize(data);
    if (map.a.rows() == 0) return result;
    const Eigen::EigenSolver<MatrixXd> solver(map.a);
    const Eigen::VectorXcd& eigenvalues = solver.eigenvalues();
    const Eigen::MatrixXcd vectors = solver.eigenvectors();
    const Eigen::MatrixXcd shapes = map.c.cast<std::complex<double>>() * vectors;
    const Eigen::MatrixXcd excitations =
        vectors.fullPivLu().solve(map.b.cast<std::complex<double>>());
    const std::vector<Index> kept = kept_modes(eigenvalues, shapes, excitations, data);
    const Index count = static_cast<Index>(kept.size());
    result.eigenvalues.resize(count);
    result.shapes.setZero(responses.front().noise.size(), count);
    result.excitations.setZero(count, static_cast<Index>(responses.size()));
    for (Index i = 0; i < count; ++i) {
        const Index mode = kept[static_cast<std::size_t>(i)];
        result.eigenvalues[i] = data.growth * eigenvalues[mode];
        for (std::size_t row = 0; row < data.rows.size(); ++row)
            result.shapes(data.rows[row], i) =
                shapes(static_cast<Index>(row), mode) * data.scale[static_cast<Index>(row)];
        Index used = 0;
        for (std::size_t e = 0; e < responses.size(); ++e)
            if (responses[e].values.cols() > 0)
                result.excitations(i, static_cast<Index>(e)) = excitations(mode, used++);
    }
    result.residual = residual_of(data, map);
    return result;
}

} // namespace rubato::stability
