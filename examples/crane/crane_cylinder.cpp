// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A hydraulic cylinder: oil of the bulk modulus E in the volume below a piston.
///
///   V = V0 + A · (s - s0)        V · p' = E · (Q - A · v)        F = A · p
struct CraneCylinder {
    double A = 0.01, E = 1.2e9, V0 = 2e-3, s0 = 2;
    double Q = 0, s = 2, v = 0;
    double p = 5e6;
    double F = 0;

    static void declare(rubato::model::Declaration<CraneCylinder>& model) {
        using Self = CraneCylinder;
        model.description("a hydraulic cylinder");
        model.solver(rubato::model::Solver::rk4, 1e-3);
        model.experiment({.start = 0, .stop = 10, .step = 0.01});
        model.parameter(&Self::A, "A", "m2", "area of the piston");
        model.parameter(&Self::E, "E", "Pa", "bulk modulus of the oil");
        model.parameter(&Self::V0, "V0", "m3", "volume of the oil at the length s0");
        model.parameter(&Self::s0, "s0", "m", "a length of the cylinder");
        model.input(&Self::Q, "Q", "m3/s", "flow from the pump");
        model.input(&Self::s, "s", "m", "length of the cylinder");
        model.input(&Self::v, "v", "m/s", "speed of the piston");
        model.state(&Self::p, "p", "Pa", "pressure").given_out();
        model.output(&Self::F, "F", "N", "force of the piston");
    }

    void derivatives(CraneCylinder& der) const { der.p = E / (V0 + A * (s - s0)) * (Q - A * v); }

    void outputs() { F = A * p; }
};

RUBATO_MODEL(crane_cylinder, CraneCylinder)
