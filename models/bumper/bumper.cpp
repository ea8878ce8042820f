// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

#include <cmath>

/// A mass on a rubber spring that stiffens as it is deformed. It accepts only steps that are short
/// against its momentary period (README.md).
struct Bumper {
    double m = 1, c = 1, l = 0.5, d = 0, resolution = 0.2;
    double F1 = 0, F2 = 0;
    double x = 1, v = 0;

    static void declare(rubato::model::Declaration<Bumper>& model) {
        model.description("a mass on a rubber spring that stiffens, which limits its steps");
        model.solver(rubato::model::Solver::rk4);
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Bumper::m, "m", "kg", "mass");
        model.parameter(&Bumper::c, "c", "N/m", "stiffness at rest");
        model.parameter(&Bumper::l, "l", "m", "deformation at which the force is twice c x");
        model.parameter(&Bumper::d, "d", "N.s/m", "damping");
        model.parameter(&Bumper::resolution, "resolution", "",
                        "longest step times the momentary angular frequency");
        model.input(&Bumper::F1, "F1", "N", "force on the mass");
        model.input(&Bumper::F2, "F2", "N", "another one, from its other side");
        model.state(&Bumper::x, "x", "m", "position of the mass").given_out();
        model.state(&Bumper::v, "v", "m/s", "speed of the mass").given_out();
    }

    void derivatives(Bumper& der) const {
        der.x = v;
        der.v = (F1 + F2 - c * x * (1 + x * x / (l * l)) - d * v) / m;
    }

    double longest_step() const {
        const double frequency = std::sqrt(c / m * (1 + 3 * x * x / (l * l)));
        return resolution / frequency;
    }
};

RUBATO_MODEL(bumper, Bumper)
