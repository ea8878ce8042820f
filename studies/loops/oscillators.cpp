// SPDX-License-Identifier: Apache-2.0
#include "oscillators.hpp"

#include <rubato/models.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/private/format.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace rubato::studies::loops {

TwoMasses Coupling::masses() const {
    return {.m1 = 1 / mass_ratio,
            .c1 = 1,
            .d1 = 0.1,
            .m2 = 1,
            .c2 = 1,
            .d2 = 0.1,
            .cc = stiffness,
            .dc = std::sqrt(stiffness) / 2,
            .initial = {.x1 = 1, .x2 = 1}};
}

std::vector<Coupling> grid() {
    std::vector<Coupling> couplings;
    for (const double ratio : {1.0, 10.0, 100.0, 1e3, 1e4})
        for (const double stiffness : {1.0, 10.0, 100.0, 1e3})
            couplings.push_back({ratio, stiffness});
    return couplings;
}

namespace {

/// ∫ e^(A (h - s)) s/h ds from 0 to h, which is h Σ (A h)^n / (n + 2)!.
Eigen::Matrix2d effect_of_end(const Eigen::Matrix2d& a, double h) {
    Eigen::Matrix2d term = Eigen::Matrix2d::Identity() * (h / 2);
    Eigen::Matrix2d sum = term;
    for (int n = 1; n <= 1000 && term.norm() > 1e-18 * sum.norm(); ++n) {
        term = term * a * (h / (n + 2));
        sum += term;
    }
    return sum;
}

} // namespace

double contraction(const Coupling& coupling) {
    const TwoMasses m = coupling.masses();
    Eigen::Matrix2d a1, a2, b2;
    a1 << 0, 1, -m.c1 / m.m1, -m.d1 / m.m1;
    a2 << 0, 1, -(m.c2 + m.cc) / m.m2, -(m.d2 + m.dc) / m.m2;
    b2 << 0, 0, m.cc / m.m2, m.dc / m.m2;
    const Eigen::Vector2d b1(0, 1 / m.m1);
    const Eigen::RowVector2d k(m.cc, m.dc);
    const Eigen::Matrix2d through = effect_of_end(a2, step) * b2 - Eigen::Matrix2d::Identity();
    return k * through * effect_of_end(a1, step) * b1;
}

Outcome run(const std::string& folder, const Coupling& coupling,
            std::vector<scenario::Override> overrides) {
    const TwoMasses masses = coupling.masses();
    overrides.push_back({"units.msd1.parameters.m1", format("{}", masses.m1)});
    overrides.push_back({"units.msd2.parameters.cc", format("{}", masses.cc)});
    overrides.push_back({"units.msd2.parameters.dc", format("{}", masses.dc)});
    Diagnostics diagnostics;
    unit::Library library(silent_log());
    for (const model::ModelType* type : models::all()) library.add(*type);
    scenario::Scenario scenario = pipeline::read(folder + "/pair.yaml", overrides, diagnostics);
    diagnostics.throw_if_errors();
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    engine::Simulation simulation = pipeline::build(assembly, library, silent_log(), {});
    Outcome outcome;
    try {
        (void)simulation.run({.recorder = &outcome.x1});
        outcome.completed = true;
    } catch (const Error&) { // has not converged, or values are infinite
    }
    const engine::Summary& summary = simulation.summary();
    outcome.iterations = static_cast<double>(summary.iterations) /
                         static_cast<double>(std::max<std::uint64_t>(summary.steps, 1));
    outcome.contraction = summary.contraction;
    for (std::size_t row = 0; row < outcome.x1.times().size(); ++row)
        outcome.largest = std::max(outcome.largest, std::abs(outcome.x1.value(row, 0)));
    return outcome;
}

Outcome solve(const std::string& folder, const Coupling& coupling, const std::string& method) {
    return run(folder, coupling, {{"loops.method", method}});
}

Outcome solve_with_best_relaxation(const std::string& folder, const Coupling& coupling) {
    return run(folder, coupling,
               {{"loops.method", "relaxed"},
                {"loops.relaxation", format("{}", 1 / (1 - contraction(coupling)))}});
}

} // namespace rubato::studies::loops
