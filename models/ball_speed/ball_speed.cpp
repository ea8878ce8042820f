// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// The vertical speed of a ball that falls on ground that yields (README.md).
struct BallSpeed {
    double g = 9.81, c1 = 0.1, c2 = 1e3, c3 = 7;
    double y = 0;
    std::int32_t stair = 0;
    bool contact = false;
    double v = 0;

    static void declare(rubato::model::Declaration<BallSpeed>& model) {
        model.description("the vertical speed of a ball on ground that yields");
        model.solver(rubato::model::Solver::exact);
        model.experiment({.start = 0, .stop = 8, .step = 1e-3});
        model.parameter(&BallSpeed::g, "g", "m/s2", "gravity");
        model.parameter(&BallSpeed::c1, "c1", "1/s", "air resistance by mass");
        model.parameter(&BallSpeed::c2, "c2", "1/s2", "stiffness of the ground by mass");
        model.parameter(&BallSpeed::c3, "c3", "1/s", "damping of the ground by mass");
        model.input(&BallSpeed::y, "y", "m", "height of the ball");
        model.input(&BallSpeed::stair, "stair", "", "height of the ground [m]");
        model.input(&BallSpeed::contact, "contact", "", "whether the ball touches the ground");
        model.state(&BallSpeed::v, "v", "m/s", "its speed, upwards").given_out();
    }

    void derivatives(BallSpeed& der) const {
        const double ground = contact ? (y - stair) * c2 + c3 * v : 0;
        der.v = -g - c1 * v - ground;
    }
};

RUBATO_MODEL(ball_speed, BallSpeed)
