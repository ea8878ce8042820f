// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

#include <limits>

/// A mass on a spring, that can be pushed (README.md).
struct Body {
    double m = 1, c = 0, rest = 0;
    double push = 0;
    std::int32_t pushes = 0;
    double x = 0, v = 0;
    std::int32_t taken = 0;
    double momentum = 0, energy = 0;

    static void declare(rubato::model::Declaration<Body>& model) {
        model.description("a mass on a spring, that can be pushed");
        model.solver(rubato::model::Solver::exact);
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Body::m, "m", "kg", "mass");
        model.parameter(&Body::c, "c", "N/m", "stiffness of its spring; 0: it is free");
        model.parameter(&Body::rest, "rest", "m", "where the spring has no force");
        model.input(&Body::push, "push", "N.s", "impulse of the last push");
        model.input(&Body::pushes, "pushes", "", "pushes so far");
        model.state(&Body::x, "x", "m", "position").given_out();
        model.state(&Body::v, "v", "m/s", "speed").given_out();
        model.discrete(&Body::taken, "taken", "", "pushes that it has taken").given_out();
        model.local(&Body::momentum, "momentum", "N.s", "m v");
        model.local(&Body::energy, "energy", "J", "of motion and of the spring");
    }

    void derivatives(Body& der) const {
        der.x = v;
        der.v = -c * (x - rest) / m;
    }

    void outputs() {
        momentum = m * v;
        energy = 0.5 * (m * v * v + c * (x - rest) * (x - rest));
    }

    double next_event(double time) const {
        return pushes == taken ? std::numeric_limits<double>::infinity() : time;
    }

    void event() {
        if (pushes == taken) return;
        v += push / m;
        taken = pushes;
    }
};

RUBATO_MODEL(body, Body)
