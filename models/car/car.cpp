// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A car under cruise control: Example 1 of the tutorial (README.md).
struct Car {
    double m = 1576, k = 1000, cf = 0.5;
    double vd = 40;
    double v = 0;

    static void declare(rubato::model::Declaration<Car>& model) {
        model.description("a car under cruise control");
        model.solver(rubato::model::Solver::euler);
        model.experiment({.start = 0, .stop = 10, .step = 0.2});
        model.parameter(&Car::m, "m", "kg", "mass of the car");
        model.parameter(&Car::k, "k", "kg/s", "gain of the controller");
        model.parameter(&Car::cf, "cf", "kg/s", "coefficient of friction");
        model.input(&Car::vd, "vd", "m/s", "desired speed");
        model.state(&Car::v, "v", "m/s", "speed").given_out();
    }

    void derivatives(Car& der) const { der.v = (k * (vd - v) - cf * v) / m; }
};

RUBATO_MODEL(car, Car)
