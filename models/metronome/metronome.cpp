// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A metronome whose tempo can be changed while it runs (README.md).
struct Metronome {
    std::int32_t tempo = 120;
    double interval = 0.5;
    bool beat = false, third = false;
    std::int32_t beats = 0, thirds = 0;
    double last = 0;

    static void declare(rubato::model::Declaration<Metronome>& model) {
        using Self = Metronome;
        constexpr std::uint64_t samples_in_a_second = 48000;
        model.description("a metronome whose tempo can be changed while it runs");
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.input(&Self::tempo, "tempo", "", "beats in a minute");
        model.discrete(&Self::interval, "interval", "s", "time between beats");
        model.tunable_clock(&Self::beat, "beat", &Self::interval, "it beats")
            .counted_in(samples_in_a_second);
        model.periodic_clock(&Self::third, "third", {.resolution = 3, .interval_counter = 1},
                             "a third of a second has passed");
        model.discrete(&Self::beats, "beats", "", "so far").given_out();
        model.discrete(&Self::thirds, "thirds", "", "of seconds that have begun").given_out();
        model.discrete(&Self::last, "last", "s", "time of the last beat").given_out();
    }

    void event(double time) {
        if (tempo > 0) interval = 60.0 / tempo;
        if (third) ++thirds;
        if (!beat) return;
        ++beats;
        last = time;
    }
};

RUBATO_MODEL(metronome, Metronome)
