// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/models.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/stability.hpp>

#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

#include <complex>
#include <string>
#include <vector>

namespace rubato::test {

using Eigen::MatrixXd;

/// A linear unit z' = A z + B u, y = C z + D u, solved exactly for u(τ) = u + u' τ:
///
///     z⁺ = Φ z + Γ₀ u + Γ₁ u'
struct ExactUnit {
    MatrixXd phi, gamma0, gamma1;

    ExactUnit(const MatrixXd& a, const MatrixXd& b, double step) {
        const auto n = a.rows(), m = b.cols();
        MatrixXd all = MatrixXd::Zero(n + 2 * m, n + 2 * m);
        all.topLeftCorner(n, n) = a;
        all.block(0, n, n, m) = b;
        all.block(n, n + m, m, m).setIdentity();
        const MatrixXd power = (all * step).exp();
        phi = power.topLeftCorner(n, n);
        gamma0 = power.block(0, n, n, m);
        gamma1 = power.block(0, n + m, n, m);
    }
};

/// The two-mass oscillator, cut at the force of the spring between the masses:
///
///     m1 x1'' = -c1 x1 - d1 x1' + F,   F = cc (x2 - x1) + dc (x2' - x1')
///     m2 x2'' = -c2 x2 - d2 x2' - F
struct TwoMassOscillator {
    double m1 = 1, c1 = 1, d1 = 0.1;
    double m2 = 1, c2 = 2, d2 = 0.05;
    double cc = 1.5, dc = 0.2;

    MatrixXd a1() const { return (MatrixXd(2, 2) << 0, 1, -c1 / m1, -d1 / m1).finished(); }
    MatrixXd b1() const { return (MatrixXd(2, 1) << 0, 1 / m1).finished(); }
    MatrixXd a2() const {
        return (MatrixXd(2, 2) << 0, 1, -(c2 + cc) / m2, -(d2 + dc) / m2).finished();
    }
    MatrixXd b2() const { return (MatrixXd(2, 2) << 0, 0, cc / m2, dc / m2).finished(); }
    MatrixXd c() const { return (MatrixXd(1, 2) << cc, dc).finished(); }

    /// Amplification matrices over the state (z1, z2, and for order 1 both one step ago).
    MatrixXd jacobi(double step, int order) const {
        const ExactUnit one(a1(), b1(), step), two(a2(), b2(), step);
        const double slope = order == 0 ? 0 : 1 / step;
        const MatrixXd f1 = one.gamma0 + slope * one.gamma1, f2 = two.gamma0 + slope * two.gamma1;
        const MatrixXd old1 = -slope * one.gamma1, old2 = -slope * two.gamma1;
        MatrixXd map = MatrixXd::Zero(8, 8);
        map.block(0, 0, 2, 2) = one.phi - f1 * c(); // F = c (z2 - z1)
        map.block(0, 2, 2, 2) = f1 * c();
        map.block(0, 4, 2, 2) = -old1 * c();
        map.block(0, 6, 2, 2) = old1 * c();
        map.block(2, 0, 2, 2) = f2;
        map.block(2, 2, 2, 2) = two.phi;
        map.block(2, 4, 2, 2) = old2;
        map.block(4, 0, 4, 4).setIdentity();
        return map;
    }

    /// The first mass steps first; the second one sees its motion at the end of the step (order 0)
    /// or interpolated (order 1).
    MatrixXd gauss_seidel(double step, int order) const {
        const ExactUnit two(a2(), b2(), step);
        const MatrixXd first = jacobi(step, order).topRows(2);
        MatrixXd map = MatrixXd::Zero(8, 8);
        map.topRows(2) = first;
        const MatrixXd end = order == 0 ? two.gamma0 : MatrixXd(two.gamma1 / step);
        map.middleRows(2, 2) = end * first;
        if (order == 1) map.block(2, 0, 2, 2) += two.gamma0 - two.gamma1 / step;
        map.block(2, 2, 2, 2) += two.phi;
        map.block(4, 0, 4, 4).setIdentity();
        return map;
    }

    /// Iterated to convergence: L z⁺ = R z.
    MatrixXd iterated(double step, int order) const {
        const ExactUnit one(a1(), b1(), step), two(a2(), b2(), step);
        const MatrixXd end1 = order == 0 ? one.gamma0 : MatrixXd(one.gamma1 / step);
        const MatrixXd end2 = order == 0 ? two.gamma0 : MatrixXd(two.gamma1 / step);
        const MatrixXd begin1 = order == 0 ? MatrixXd::Zero(2, 1) : MatrixXd(one.gamma0 - end1);
        const MatrixXd begin2 = order == 0 ? MatrixXd::Zero(2, 2) : MatrixXd(two.gamma0 - end2);
        MatrixXd left = MatrixXd::Identity(4, 4), right = MatrixXd::Zero(4, 4);
        left.block(0, 0, 2, 2) += end1 * c();
        left.block(0, 2, 2, 2) -= end1 * c();
        left.block(2, 0, 2, 2) -= end2;
        right.block(0, 0, 2, 2) = one.phi - begin1 * c();
        right.block(0, 2, 2, 2) = begin1 * c();
        right.block(2, 0, 2, 2) = begin2;
        right.block(2, 2, 2, 2) = two.phi;
        return left.fullPivLu().solve(right);
    }

    std::string scenario(const std::string& recipe, int order, double step) const {
        const std::string how = order == 0 ? "constant" : "linear";
        return "rubato: 1\nunits:\n  one: {model: msd1, parameters: {m1: " + std::to_string(m1) +
               ", c1: " + std::to_string(c1) + ", d1: " + std::to_string(d1) +
               ", solver: 3}, inputs: {Fc: {approximation: " + how +
               "}}}\n  two: {model: msd2, parameters: {m2: " + std::to_string(m2) +
               ", c2: " + std::to_string(c2) + ", d2: " + std::to_string(d2) +
               ", cc: " + std::to_string(cc) + ", dc: " + std::to_string(dc) +
               ", solver: 3}, inputs: {x1: {approximation: " + how +
               "}, v1: {approximation: " + how +
               "}}}\nconnections: [one.x1 -> two.x1, one.v1 -> two.v1, two.Fc -> one.Fc]\n"
               "experiment: {stop: 10, step: " +
               std::to_string(step) + "}\nalgorithm: {recipe: " + recipe +
               (recipe.find("gauss") == std::string::npos ? "" : ", order: [one, two]") + "}\n";
    }
};

inline std::vector<std::complex<double>> eigenvalues_of(const MatrixXd& map) {
    const Eigen::VectorXcd values = map.eigenvalues();
    return {values.data(), values.data() + values.size()};
}

inline double spectral_radius_of(const MatrixXd& map) {
    return map.eigenvalues().cwiseAbs().maxCoeff();
}

/// A library of the native models, and scenarios read from text.
struct Workbench {
    Workbench() {
        for (const model::ModelType* type : models::all()) library.add(*type);
    }
    pipeline::Assembly assembled(const std::string& text) {
        Diagnostics diagnostics;
        scenario::Scenario scenario = pipeline::parse(text, "test.yaml", diagnostics);
        diagnostics.throw_if_errors();
        pipeline::Assembly assembly = pipeline::assemble(std::move(scenario), library, diagnostics);
        diagnostics.throw_if_errors();
        return assembly;
    }
    stability::Linearization linearized(const std::string& text,
                                        const pipeline::StabilitySettings& settings = {}) {
        return pipeline::linearize(assembled(text), library, silent_log(), settings);
    }

    unit::Library library{silent_log()};
};

} // namespace rubato::test
