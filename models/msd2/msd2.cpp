// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A mass on a spring and a damper, with the spring and damper that couple it to another mass:
/// Example 3 of the tutorial (README.md).
struct Msd2 {
    double m2 = 1, c2 = 1, d2 = 0, cc = 1, dc = 1;
    double x1 = 0, v1 = 0;
    double x2 = 0, v2 = 0;
    double Fc = 0;

    static void declare(rubato::model::Declaration<Msd2>& model) {
        model.description("a mass on a spring and a damper, coupled to another mass");
        model.solver(rubato::model::Solver::euler);
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Msd2::m2, "m2", "kg", "mass");
        model.parameter(&Msd2::c2, "c2", "N/m", "stiffness of its spring");
        model.parameter(&Msd2::d2, "d2", "N.s/m", "its damping");
        model.parameter(&Msd2::cc, "cc", "N/m", "stiffness of the coupling");
        model.parameter(&Msd2::dc, "dc", "N.s/m", "damping of the coupling");
        model.input(&Msd2::x1, "x1", "m", "position of the other mass");
        model.input(&Msd2::v1, "v1", "m/s", "speed of the other mass");
        model.state(&Msd2::x2, "x2", "m", "position of the mass").given_out();
        model.state(&Msd2::v2, "v2", "m/s", "speed of the mass").given_out();
        model.output(&Msd2::Fc, "Fc", "N", "force of the coupling on the other mass")
            .fed_by(&Msd2::x1, &Msd2::v1);
    }

    double coupling() const { return cc * (x2 - x1) + dc * (v2 - v1); }

    void derivatives(Msd2& der) const {
        der.x2 = v2;
        der.v2 = (-c2 * x2 - d2 * v2 - coupling()) / m2;
    }

    void outputs() { Fc = coupling(); }
};

RUBATO_MODEL(msd2, Msd2)
