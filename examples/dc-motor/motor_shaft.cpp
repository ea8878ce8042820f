// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// The mechanical half of a DC motor, with its load:
///
///   J · omega' = torque - load - d · omega
struct MotorShaft {
    double J = 2e-3, d = 1e-3;
    double torque = 0, load = 0;
    double omega = 0;

    static void declare(rubato::model::Declaration<MotorShaft>& model) {
        model.description("the shaft of a DC motor with its load");
        model.solver(rubato::model::Solver::exact);
        model.experiment({.start = 0, .stop = 2, .step = 1e-3});
        model.parameter(&MotorShaft::J, "J", "kg.m2", "moment of inertia");
        model.parameter(&MotorShaft::d, "d", "N.m.s/rad", "viscous friction");
        model.input(&MotorShaft::torque, "torque", "N.m", "torque of the motor");
        model.input(&MotorShaft::load, "load", "N.m", "torque of the load");
        model.state(&MotorShaft::omega, "omega", "rad/s", "speed").given_out();
    }

    void derivatives(MotorShaft& der) const { der.omega = (torque - load - d * omega) / J; }
};

RUBATO_MODEL(motor_shaft, MotorShaft)
