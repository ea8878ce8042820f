// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// What sums up its input (README.md).
struct Integrator {
    double k = 1;
    double u = 0;
    double y = 0;

    static void declare(rubato::model::Declaration<Integrator>& model) {
        model.description("an integrator");
        model.solver(rubato::model::Solver::exact);
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Integrator::k, "k", "1/s", "gain");
        model.input(&Integrator::u, "u", "", "what is summed up");
        model.state(&Integrator::y, "y", "", "the sum").given_out();
    }

    void derivatives(Integrator& der) const { der.y = k * u; }

    void variations(const Integrator& d, Integrator& result) const { result.y = k * d.u; }
};

RUBATO_MODEL(integrator, Integrator)
