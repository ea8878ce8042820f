// SPDX-License-Identifier: Apache-2.0
#include "identification.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace rubato::stability {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Responses y(k) = C Aᵏ⁻¹ B of a random map with given eigenvalues.
struct RandomMap {
    MatrixXd a, b, c;

    RandomMap(const Eigen::VectorXd& eigenvalues, Index inputs, Index outputs) {
        const Index n = eigenvalues.size();
        const MatrixXd basis = random_matrix(n, n) + 2 * MatrixXd::Identity(n, n);
        a = basis * eigenvalues.asDiagonal() * basis.inverse();
        b = random_matrix(n, inputs);
        c = random_matrix(outputs, n);
    }

    MatrixXd random_matrix(Index rows, Index columns) {
        std::normal_distribution<double> normal;
        MatrixXd matrix(rows, columns);
        for (double& value : matrix.reshaped()) value = normal(random);
        return matrix;
    }

    std::vector<Response> responses(Index points) const {
        std::vector<Response> all;
        for (Index e = 0; e < b.cols(); ++e) {
            Response response{.values = MatrixXd(c.rows(), points),
                              .noise = Eigen::VectorXd::Constant(c.rows(), epsilon)};
            Eigen::VectorXd state = b.col(e);
            for (Index k = 0; k < points; ++k, state = a * state)
                response.values.col(k) = c * state;
            all.push_back(std::move(response));
        }
        return all;
    }

    std::mt19937_64 random{7};
};

TEST(Identification, FindsTheEigenvaluesOfAMap) {
    Eigen::VectorXd values(6);
    values << 1.05, 0.98, -0.9, 0.7, 0.4, -0.2;
    const RandomMap map(values, 2, 3);
    const Identified found = identify(map.responses(48), 48);
    ASSERT_EQ(found.eigenvalues.size(), 6);
    for (Index i = 0; i < 6; ++i) EXPECT_NEAR(found.eigenvalues[i].real(), values[i], 1e-8) << i;
    EXPECT_LE(found.residual, 1e-9);
}

/// Eigenvalues near 1 and near each other, as of short steps.
TEST(Identification, LongerWindowsResolveEigenvaluesThatAreNearEachOther) {
    Eigen::VectorXd values(4);
    values << 1.0005, 1, 0.9995, 0.999;
    const RandomMap map(values, 1, 1);
    const Identified found = identify(map.responses(6000), 6000);
    ASSERT_GE(found.eigenvalues.size(), 4);
    EXPECT_NEAR(std::abs(found.eigenvalues[0]), 1.0005, 1e-7);
}

TEST(Identification, FollowsFastGrowth) {
    Eigen::VectorXd values(3);
    values << 4, -2, 0.5;
    const RandomMap map(values, 2, 2);
    const Identified found = identify(map.responses(16), 16);
    ASSERT_GE(found.eigenvalues.size(), 2);
    EXPECT_NEAR(found.eigenvalues[0].real(), 4, 1e-8);
    EXPECT_NEAR(found.eigenvalues[1].real(), -2, 1e-6);
}

TEST(Identification, ValuesThatOnlyRoundingMovesAreLeftOut) {
    Eigen::VectorXd values(2);
    values << 0.9, 0.5;
    const RandomMap map(values, 1, 2);
    std::vector<Response> responses = map.responses(40);
    Response& response = responses.front();
    response.values.conservativeResize(3, Eigen::NoChange);
    response.noise.conservativeResize(3);
    response.noise[2] = 1e-10;
    for (Index k = 0; k < 40; ++k) response.values(2, k) = k % 3 == 0 ? 1e-10 : -1e-10;
    const Identified found = identify(responses, 40);
    ASSERT_EQ(found.eigenvalues.size(), 2);
    EXPECT_NEAR(found.eigenvalues[0].real(), 0.9, 1e-9);
}

TEST(Identification, NothingThatMovesHasNoModes) {
    const Response response{.values = MatrixXd::Zero(2, 40), .noise = Eigen::VectorXd::Zero(2)};
    EXPECT_EQ(identify(std::vector{response}, 40).eigenvalues.size(), 0);
}

} // namespace
} // namespace rubato::stability
