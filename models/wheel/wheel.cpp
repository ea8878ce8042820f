// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

#include <cmath>

/// The wheel of a quarter car that rolls over a bump (README.md).
struct Wheel {
    double m1 = 30, c1 = 160e3, d1 = 0;
    double height = 0.05, begin = 0.5, length = 0.2;
    double Fc = 0;
    double x1 = 0, v1 = 0;

    static void declare(rubato::model::Declaration<Wheel>& model) {
        model.description("the wheel of a quarter car that rolls over a bump");
        model.solver(rubato::model::Solver::rk4, 2.5e-4);
        model.experiment({.start = 0, .stop = 3, .step = 1e-3});
        model.parameter(&Wheel::m1, "m1", "kg", "mass of the wheel");
        model.parameter(&Wheel::c1, "c1", "N/m", "stiffness of the tyre");
        model.parameter(&Wheel::d1, "d1", "N.s/m", "damping of the tyre");
        model.parameter(&Wheel::height, "height", "m", "height of the bump");
        model.parameter(&Wheel::begin, "begin", "s", "time at which the wheel reaches it");
        model.parameter(&Wheel::length, "length", "s", "time until it has passed");
        model.input(&Wheel::Fc, "Fc", "N", "force of the suspension");
        model.state(&Wheel::x1, "x1", "m", "height of the wheel above rest").given_out();
        model.state(&Wheel::v1, "v1", "m/s", "its speed").given_out();
    }

    static constexpr double full_turn = 6.283185307179586;

    double phase(double time) const { return full_turn * (time - begin) / length; }
    bool is_on_bump(double time) const { return time > begin && time < begin + length; }
    double road(double time) const {
        return is_on_bump(time) ? height / 2 * (1 - std::cos(phase(time))) : 0;
    }
    double slope(double time) const {
        return is_on_bump(time) ? height / 2 * full_turn / length * std::sin(phase(time)) : 0;
    }

    void derivatives(double time, Wheel& der) const {
        der.x1 = v1;
        der.v1 = (c1 * (road(time) - x1) + d1 * (slope(time) - v1) + Fc) / m1;
    }
};

RUBATO_MODEL(wheel, Wheel)
