// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A tank of water that drains through a pipe:
///
///   area · level' = inflow - outflow        outflow = drain · level
struct Tank {
    double area = 2, drain = 1;
    double inflow = 0;
    double level = 0;
    double outflow = 0;

    static void declare(rubato::model::Declaration<Tank>& model) {
        model.description("a tank of water that drains through a pipe");
        model.solver(rubato::model::Solver::exact);
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Tank::area, "area", "m2", "area of the surface");
        model.parameter(&Tank::drain, "drain", "m2/s", "outflow per level");
        model.input(&Tank::inflow, "inflow", "m3/s", "flow into the tank");
        model.state(&Tank::level, "level", "m", "level of the water").given_out();
        model.output(&Tank::outflow, "outflow", "m3/s", "flow out of the tank");
    }

    void derivatives(Tank& der) const { der.level = (inflow - drain * level) / area; }

    void outputs() { outflow = drain * level; }
};

RUBATO_MODEL(tank, Tank)
