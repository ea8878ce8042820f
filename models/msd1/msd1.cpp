// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A mass on a spring and a damper, pulled by a force: Example 2 of the tutorial (README.md).
struct Msd1 {
    double m1 = 1, c1 = 1, d1 = 1;
    double Fc = 0;
    double x1 = 1, v1 = 0;

    static void declare(rubato::model::Declaration<Msd1>& model) {
        model.description("a mass on a spring and a damper, pulled by a force");
        model.solver(rubato::model::Solver::euler);
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Msd1::m1, "m1", "kg", "mass");
        model.parameter(&Msd1::c1, "c1", "N/m", "stiffness of the spring");
        model.parameter(&Msd1::d1, "d1", "N.s/m", "damping");
        model.input(&Msd1::Fc, "Fc", "N", "force on the mass");
        model.state(&Msd1::x1, "x1", "m", "position of the mass").given_out();
        model.state(&Msd1::v1, "v1", "m/s", "speed of the mass").given_out();
    }

    void derivatives(Msd1& der) const {
        der.x1 = v1;
        der.v1 = (Fc - c1 * x1 - d1 * v1) / m1;
    }
};

RUBATO_MODEL(msd1, Msd1)
