// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

#include <array>
#include <limits>

/// A ball that falls, bounces and at last lies still (README.md).
struct BouncingBall {
    double g = 9.81, e = 0.7, v_min = 0.1;
    double h = 1, v = 0;
    std::int32_t bounces = 0;
    double last_bounce = 0;
    bool resting = false;

    static void declare(rubato::model::Declaration<BouncingBall>& model) {
        model.description("a ball that falls, bounces and at last lies still");
        model.experiment({.start = 0, .stop = 3, .step = 0.01});
        model.parameter(&BouncingBall::g, "g", "m/s2", "gravity");
        model.parameter(&BouncingBall::e, "e", "", "speed after a bounce over speed before it");
        model.parameter(&BouncingBall::v_min, "v_min", "m/s",
                        "speed below which it no longer bounces");
        model.state(&BouncingBall::h, "h", "m", "height").given_out();
        model.state(&BouncingBall::v, "v", "m/s", "speed, upwards").given_out();
        model.discrete(&BouncingBall::bounces, "bounces", "", "bounces so far").given_out();
        model.discrete(&BouncingBall::last_bounce, "last_bounce", "s", "time of the last one")
            .given_out();
        model.discrete(&BouncingBall::resting, "resting", "", "whether it lies still").given_out();
    }

    void derivatives(BouncingBall& der) const {
        der.h = resting ? 0 : v;
        der.v = resting ? 0 : -g;
    }

    std::array<double, 1> crossings() const { return {resting ? 1 : h}; }

    void event(double time) {
        if (resting || h > 0 || v >= 0) return;
        ++bounces;
        last_bounce = time;
        h = std::numeric_limits<double>::min(); // above the ground, or it would be an event at once
        v = -e * v;
        if (v >= v_min) return;
        resting = true;
        h = v = 0;
    }
};

RUBATO_MODEL(bouncing_ball, BouncingBall)
