// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// The oscillator of Van der Pol, stiff if mu is large (README.md).
struct VanDerPol {
    double mu = 1;
    double x = 2, v = 0;

    static void declare(rubato::model::Declaration<VanDerPol>& model) {
        model.description("the oscillator of Van der Pol");
        model.experiment({.start = 0, .stop = 20, .step = 0.01});
        model.parameter(&VanDerPol::mu, "mu", "", "damping");
        model.state(&VanDerPol::x, "x", "", "deflection").driven_by(&VanDerPol::v).given_out();
        model.state(&VanDerPol::v, "v", "", "its speed").given_out();
    }

    void derivatives(VanDerPol& der) const {
        der.x = v;
        der.v = mu * (1 - x * x) * v - x;
    }

    void variations(const VanDerPol& d, VanDerPol& result) const {
        result.x = d.v;
        result.v = (-2 * mu * x * v - 1) * d.x + mu * (1 - x * x) * d.v;
    }
};

RUBATO_MODEL(van_der_pol, VanDerPol)
