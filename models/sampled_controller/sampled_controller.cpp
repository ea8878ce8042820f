// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A proportional-integral controller that acts when its clock ticks (README.md).
struct SampledController {
    double kp = 1, ki = 1, interval = 0.1, reference = 1;
    bool tick = false;
    double y = 0, u = 0, integral = 0;

    static void declare(rubato::model::Declaration<SampledController>& model) {
        using Self = SampledController;
        model.description("a proportional-integral controller on a periodic clock");
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Self::kp, "kp", "", "proportional gain");
        model.parameter(&Self::ki, "ki", "1/s", "integral gain");
        model.parameter(&Self::interval, "interval", "s", "time between ticks");
        model.parameter(&Self::reference, "reference", "", "what y should be");
        model.periodic_clock(&Self::tick, "tick", &Self::interval, "samples y and sets u");
        model.input(&Self::y, "y", "", "measured value").clocked_by(&Self::tick);
        model.discrete(&Self::u, "u", "", "control value")
            .given_out()
            .fed_by(&Self::y)
            .clocked_by(&Self::tick);
        model.discrete(&Self::integral, "integral", "", "sum of the errors")
            .clocked_by(&Self::tick);
    }

    void event() {
        if (!tick) return;
        const double error = reference - y;
        integral += ki * interval * error;
        u = kp * error + integral;
    }
};

RUBATO_MODEL(sampled_controller, SampledController)
