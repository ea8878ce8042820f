// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// Ticks faster and faster, or slower and slower (README.md).
struct Chirp {
    double factor = 0.5;
    double interval = 1;
    bool tick = false;
    std::int32_t count = 0;
    double last = 0;

    static void declare(rubato::model::Declaration<Chirp>& model) {
        model.description("a clock that ticks faster and faster");
        model.experiment({.start = 0, .stop = 2, .step = 0.1});
        model.parameter(&Chirp::factor, "factor", "", "an interval over the one before");
        model.discrete(&Chirp::interval, "interval", "s", "time to the next tick");
        model.changing_clock(&Chirp::tick, "tick", &Chirp::interval, "it ticks");
        model.discrete(&Chirp::count, "count", "", "ticks so far").given_out();
        model.discrete(&Chirp::last, "last", "s", "time of the last one").given_out();
    }

    void event(double time) {
        if (!tick) return;
        ++count;
        last = time;
        interval *= factor;
    }
};

RUBATO_MODEL(chirp, Chirp)
