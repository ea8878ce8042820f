// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

#include <cmath>

/// A crane boom that a hydraulic cylinder lifts. The cylinder stands below the hinge of the boom at
/// the distance a, and pushes at the boom at the distance b from the hinge:
///
///   s = sqrt(a² + b² + 2ab sin phi)              length of the cylinder
///   r = ds/dphi = ab cos phi / s                 lever arm of its force
///   J · phi'' = F · r - m · g · l · cos phi - d · phi'
struct CraneBoom {
    double m = 2000, l = 4, J = 40e3, d = 5e3, a = 1.5, b = 1.5, g = 9.81;
    double F = 0;
    double phi = 0, w = 0;
    double s = 0, v = 0;

    static void declare(rubato::model::Declaration<CraneBoom>& model) {
        using Self = CraneBoom;
        model.description("a crane boom that a hydraulic cylinder lifts");
        model.solver(rubato::model::Solver::rk4, 1e-3);
        model.experiment({.start = 0, .stop = 10, .step = 0.01});
        model.parameter(&Self::m, "m", "kg", "mass of boom and load");
        model.parameter(&Self::l, "l", "m", "distance of their centre of mass from the hinge");
        model.parameter(&Self::J, "J", "kg.m2", "moment of inertia about the hinge");
        model.parameter(&Self::d, "d", "N.m.s/rad", "friction of the hinge");
        model.parameter(&Self::a, "a", "m", "distance of the foot of the cylinder from the hinge");
        model.parameter(&Self::b, "b", "m", "distance of its head from the hinge");
        model.parameter(&Self::g, "g", "m/s2", "acceleration of gravity");
        model.input(&Self::F, "F", "N", "force of the cylinder");
        model.state(&Self::phi, "phi", "rad", "angle of the boom above the horizontal").given_out();
        model.state(&Self::w, "w", "rad/s", "angular velocity");
        model.output(&Self::s, "s", "m", "length of the cylinder");
        model.output(&Self::v, "v", "m/s", "speed of its piston");
    }

    double length() const { return std::sqrt(a * a + b * b + 2 * a * b * std::sin(phi)); }
    double lever() const { return a * b * std::cos(phi) / length(); }

    void derivatives(CraneBoom& der) const {
        der.phi = w;
        der.w = (F * lever() - m * g * l * std::cos(phi) - d * w) / J;
    }

    void outputs() {
        s = length();
        v = lever() * w;
    }
};

RUBATO_MODEL(crane_boom, CraneBoom)
