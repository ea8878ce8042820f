// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A mass on a spring and a damper, with the spring and damper that couple it to another mass, and
/// what an energy balance needs to know (README.md).
struct Oscillator {
    double m = 1, c = 1, d = 0, cc = 0, dc = 0;
    double F = 0, xo = 0, vo = 0;
    double x = 0, v = 0;
    double Fc = 0;
    double energy = 0, Fd = 0, Fdc = 0, xc = 0;

    static void declare(rubato::model::Declaration<Oscillator>& model) {
        model.description("a mass on a spring and a damper, to build chains of");
        model.solver(rubato::model::Solver::exact);
        model.experiment({.start = 0, .stop = 5, .step = 0.01});
        model.parameter(&Oscillator::m, "m", "kg", "mass");
        model.parameter(&Oscillator::c, "c", "N/m", "stiffness of its spring");
        model.parameter(&Oscillator::d, "d", "N.s/m", "its damping");
        model.parameter(&Oscillator::cc, "cc", "N/m", "stiffness of the coupling");
        model.parameter(&Oscillator::dc, "dc", "N.s/m", "damping of the coupling");
        model.input(&Oscillator::F, "F", "N", "force on the mass");
        model.input(&Oscillator::xo, "xo", "m", "position of the other mass");
        model.input(&Oscillator::vo, "vo", "m/s", "speed of the other mass");
        model.state(&Oscillator::x, "x", "m", "position of the mass").given_out();
        model.state(&Oscillator::v, "v", "m/s", "speed of the mass").given_out();
        model.output(&Oscillator::Fc, "Fc", "N", "force of the coupling on the other mass")
            .fed_by(&Oscillator::xo, &Oscillator::vo);
        model.local(&Oscillator::energy, "energy", "J", "kinetic, and in both springs");
        model.local(&Oscillator::Fd, "Fd", "N", "force of its damper");
        model.local(&Oscillator::Fdc, "Fdc", "N", "force of the coupling's damper");
        model.local(&Oscillator::xc, "xc", "m", "how far the coupling is drawn out");
    }

    double coupling() const { return cc * (x - xo) + dc * (v - vo); }

    void derivatives(Oscillator& der) const {
        der.x = v;
        der.v = (-c * x - d * v + F - coupling()) / m;
    }

    void outputs() {
        Fc = coupling();
        xc = x - xo;
        Fd = d * v;
        Fdc = dc * (v - vo);
        energy = 0.5 * (m * v * v + c * x * x + cc * xc * xc);
    }
};

RUBATO_MODEL(oscillator, Oscillator)
