// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A counter that time drives (README.md).
struct Stair {
    double interval = 1;
    std::int32_t count = 0;

    static void declare(rubato::model::Declaration<Stair>& model) {
        model.description("a counter that time drives");
        model.experiment({.start = 0, .stop = 10, .step = 0.2});
        model.parameter(&Stair::interval, "interval", "s", "time between steps of the stair");
        model.discrete(&Stair::count, "count", "", "steps so far").given_out();
    }

    double next_event() const { return (count + 1) * interval; }

    void event(double time) {
        while (next_event() <= time) ++count;
    }
};

RUBATO_MODEL(stair, Stair)
