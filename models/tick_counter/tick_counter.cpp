// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// Counts the ticks of a clock and passes every n-th on (README.md).
struct TickCounter {
    std::int32_t divider = 1;
    bool tick = false, carry = false;
    std::int32_t count = 0;
    double last = 0;

    static void declare(rubato::model::Declaration<TickCounter>& model) {
        using Self = TickCounter;
        model.description("a counter of ticks, that passes every n-th on");
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Self::divider, "divider", "", "one in so many ticks is passed on");
        model.triggered_clock(&Self::tick, "tick", "what is counted");
        model.output_clock(&Self::carry, "carry", "what is passed on").clocked_by(&Self::tick);
        model.discrete(&Self::count, "count", "", "ticks so far")
            .given_out()
            .clocked_by(&Self::tick);
        model.discrete(&Self::last, "last", "s", "time of the last one")
            .given_out()
            .clocked_by(&Self::tick);
    }

    void event(double time) {
        if (!tick) return;
        last = time;
        carry = ++count % divider == 0;
    }
};

RUBATO_MODEL(tick_counter, TickCounter)
