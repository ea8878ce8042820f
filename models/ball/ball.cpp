// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A ball that flies, and meets ground that yields (README.md).
struct Ball {
    double g = 9.81, c0 = 0.05, c1 = 0.1, c2 = 1e3, c3 = 7;
    std::int32_t stair = 0;
    bool contact = false;
    double x = 0, y = 1, v_x = 0, v_y = 0;

    static void declare(rubato::model::Declaration<Ball>& model) {
        model.description("a ball that flies, and meets ground that yields");
        model.solver(rubato::model::Solver::exact);
        model.experiment({.start = 0, .stop = 8, .step = 1e-3});
        model.parameter(&Ball::g, "g", "m/s2", "gravity");
        model.parameter(&Ball::c0, "c0", "1/s", "air resistance by mass, sideways");
        model.parameter(&Ball::c1, "c1", "1/s", "air resistance by mass, upwards");
        model.parameter(&Ball::c2, "c2", "1/s2", "stiffness of the ground by mass");
        model.parameter(&Ball::c3, "c3", "1/s", "damping of the ground by mass");
        model.input(&Ball::stair, "stair", "", "height of the ground [m]");
        model.input(&Ball::contact, "contact", "", "whether the ball touches it");
        model.state(&Ball::x, "x", "m", "how far it has come").given_out();
        model.state(&Ball::y, "y", "m", "its height").given_out();
        model.state(&Ball::v_x, "v_x", "m/s", "its speed sideways").given_out();
        model.state(&Ball::v_y, "v_y", "m/s", "its speed upwards").given_out();
    }

    void derivatives(Ball& der) const {
        const double ground = contact ? (y - stair) * c2 + c3 * v_y : 0;
        der.x = v_x;
        der.y = v_y;
        der.v_x = -c0 * v_x;
        der.v_y = -g - c1 * v_y - ground;
    }
};

RUBATO_MODEL(ball, Ball)
