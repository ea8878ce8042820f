// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

namespace rubato::examples {

/// Two masses joined by a spring and a damper, as one system: the tutorial's equations (Examples 2
/// and 3) with the coupling force put in.
///
///   m1 x1'' = -c1 x1 - d1 x1' + F        F = cc (x2 - x1) + dc (x2' - x1')
///   m2 x2'' = -c2 x2 - d2 x2' - F
struct CoupledMsd {
    double m1 = 1, c1 = 5, d1 = 1;
    double m2 = 1, c2 = 0.1, d2 = 0;
    double cc = 1, dc = 1;
    Eigen::Vector4d initial{1, 0, 0, 0}; ///< x1, v1, x2, v2

    Eigen::Matrix4d matrix() const {
        Eigen::Matrix4d a;
        a << 0, 1, 0, 0,                                        //
            -(c1 + cc) / m1, -(d1 + dc) / m1, cc / m1, dc / m1, //
            0, 0, 0, 1,                                         //
            cc / m2, dc / m2, -(c2 + cc) / m2, -(d2 + dc) / m2;
        return a;
    }

    /// x1, v1, x2, v2 at time t: exp(A t) x(0).
    Eigen::Vector4d at(double t) const { return (matrix() * t).exp() * initial; }
};

} // namespace rubato::examples
