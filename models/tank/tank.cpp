// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A tank with a leak (README.md).
struct Tank {
    double area = 1, leak = 0;
    double inflow = 0, outflow = 0;
    double level = 0;

    static void declare(rubato::model::Declaration<Tank>& model) {
        model.description("a tank with a leak");
        model.solver(rubato::model::Solver::exact);
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Tank::area, "area", "m2", "of its bottom");
        model.parameter(&Tank::leak, "leak", "m2/s", "what leaks by level");
        model.input(&Tank::inflow, "inflow", "m3/s", "what flows in");
        model.input(&Tank::outflow, "outflow", "m3/s", "what flows out, beside the leak");
        model.state(&Tank::level, "level", "m", "height of what is in it").given_out();
    }

    void derivatives(Tank& der) const { der.level = (inflow - outflow - leak * level) / area; }
};

RUBATO_MODEL(tank, Tank)
