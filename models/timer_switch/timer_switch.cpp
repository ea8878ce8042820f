// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A light switch that switches itself off (README.md).
struct TimerSwitch {
    double delay = 1;
    bool press = false, expire = false;
    double countdown = -1;
    bool on = false;
    std::int32_t times = 0;

    static void declare(rubato::model::Declaration<TimerSwitch>& model) {
        using Self = TimerSwitch;
        model.description("a switch that goes off some time after it was last pressed");
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Self::delay, "delay", "s", "how long it stays on");
        model.triggered_clock(&Self::press, "press", "it is pressed");
        model.countdown_clock(&Self::expire, "expire", &Self::countdown, "the time is over");
        model.discrete(&Self::on, "on", "", "whether it is on").given_out();
        model.discrete(&Self::times, "times", "", "how often it has gone off").given_out();
    }

    void event() {
        if (press) {
            on = true;
            countdown = delay;
        } else if (expire) {
            on = false;
            ++times;
        }
    }
};

RUBATO_MODEL(timer_switch, TimerSwitch)
