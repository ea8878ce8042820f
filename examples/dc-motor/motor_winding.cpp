// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// The electrical half of a DC motor with permanent magnets:
///
///   L · i' = U - R · i - K · omega        torque = K · i
struct MotorWinding {
    double U = 24, R = 0.5, L = 5e-3, K = 0.1;
    double omega = 0;
    double i = 0;
    double torque = 0;

    static void declare(rubato::model::Declaration<MotorWinding>& model) {
        model.description("the electrical half of a DC motor");
        model.solver(rubato::model::Solver::exact);
        model.experiment({.start = 0, .stop = 2, .step = 1e-3});
        model.parameter(&MotorWinding::U, "U", "V", "supply voltage");
        model.parameter(&MotorWinding::R, "R", "Ohm", "resistance of the winding");
        model.parameter(&MotorWinding::L, "L", "H", "inductance of the winding");
        model.parameter(&MotorWinding::K, "K", "N.m/A", "torque constant");
        model.input(&MotorWinding::omega, "omega", "rad/s", "speed of the shaft");
        model.state(&MotorWinding::i, "i", "A", "current").given_out();
        model.output(&MotorWinding::torque, "torque", "N.m", "torque on the shaft");
    }

    void derivatives(MotorWinding& der) const { der.i = (U - R * i - K * omega) / L; }

    void outputs() { torque = K * i; }
};

RUBATO_MODEL(motor_winding, MotorWinding)
