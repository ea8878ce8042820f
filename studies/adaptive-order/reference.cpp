// SPDX-License-Identifier: Apache-2.0
#include "experiment.hpp"

#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

namespace rubato::studies::adaptive_order {

namespace {

/// (x1, v1, x2, v2)' = A (x1, v1, x2, v2)
Eigen::Matrix4d coupled_system(const Parameters& p) {
    Eigen::Matrix4d a;
    a << 0, 1, 0, 0,                                                            //
        -(p.c1 + p.cc) / p.m1, -(p.d1 + p.dc) / p.m1, p.cc / p.m1, p.dc / p.m1, //
        0, 0, 0, 1,                                                             //
        p.cc / p.m2, p.dc / p.m2, -(p.c2 + p.cc) / p.m2, -(p.d2 + p.dc) / p.m2;
    return a;
}

} // namespace

Trajectory reference(const Parameters& parameters) {
    const Eigen::Matrix4d step = (coupled_system(parameters) * macro_step).exp();
    Eigen::Vector4d state{1, 0, 0, 0};
    Trajectory v1;
    v1.reserve(point_count);
    for (std::size_t n = 0; n < point_count; ++n) {
        v1.push_back(state[1]);
        state = (step * state).eval();
    }
    return v1;
}

} // namespace rubato::studies::adaptive_order
