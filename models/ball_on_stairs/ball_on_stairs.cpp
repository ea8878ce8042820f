// SPDX-License-Identifier: Apache-2.0
#include "../staircase/decisions.hpp"

#include <rubato/model/declare.hpp>

/// A ball that bounces down stairs, as one system (README.md).
struct BallOnStairs {
    double g = 9.81, c0 = 0.05, c1 = 0.1, c2 = 1e3, c3 = 7;
    std::int32_t first = 5;
    double x = -1.9, y = 5.8, v_x = 0.65, v_y = 0;
    std::int32_t stair = 5;
    bool contact = false;

    static void declare(rubato::model::Declaration<BallOnStairs>& model) {
        using Self = BallOnStairs;
        model.description("a ball that bounces down stairs");
        model.solver(rubato::model::Solver::exact, 5e-3);
        model.experiment({.start = 0, .stop = 8, .step = 0.01});
        model.parameter(&Self::g, "g", "m/s2", "gravity");
        model.parameter(&Self::c0, "c0", "1/s", "air resistance by mass, sideways");
        model.parameter(&Self::c1, "c1", "1/s", "air resistance by mass, upwards");
        model.parameter(&Self::c2, "c2", "1/s2", "stiffness of the stairs by mass");
        model.parameter(&Self::c3, "c3", "1/s", "damping of the stairs by mass");
        model.parameter(&Self::first, "first", "",
                        "height of the first stair [m], which ends at x = -1");
        model.state(&Self::x, "x", "m", "how far it has come").given_out();
        model.state(&Self::y, "y", "m", "its height").given_out();
        model.state(&Self::v_x, "v_x", "m/s", "its speed sideways").given_out();
        model.state(&Self::v_y, "v_y", "m/s", "its speed upwards").given_out();
        model.discrete(&Self::stair, "stair", "", "height of the stair below it [m]").given_out();
        model.discrete(&Self::contact, "contact", "", "whether it touches it").given_out();
    }

    void derivatives(BallOnStairs& der) const {
        const double ground = contact ? (y - stair) * c2 + c3 * v_y : 0;
        der.x = v_x;
        der.y = v_y;
        der.v_x = -c0 * v_x;
        der.v_y = -g - c1 * v_y - ground;
    }

    std::array<double, 2> crossings() const {
        return stairs::boundaries({stair, contact}, first, x, y);
    }

    void event() {
        const stairs::Decision decision = stairs::decide({stair, contact}, first, x, y);
        stair = decision.stair;
        contact = decision.contact;
    }
};

RUBATO_MODEL(ball_on_stairs, BallOnStairs)
