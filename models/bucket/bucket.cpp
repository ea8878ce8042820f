// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

#include <array>

/// The bucket of a rain gauge, that tips when it is full (README.md).
struct Bucket {
    double volume = 1, inflow = 1;
    bool tip = false;
    double level = 0;
    std::int32_t tips = 0;

    static void declare(rubato::model::Declaration<Bucket>& model) {
        model.description("a bucket that tips when it is full, and makes a clock tick");
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Bucket::volume, "volume", "m3", "what it holds");
        model.input(&Bucket::inflow, "inflow", "m3/s", "what flows into it");
        model.output_clock(&Bucket::tip, "tip", "it tips");
        model.state(&Bucket::level, "level", "m3", "what is in it").given_out();
        model.discrete(&Bucket::tips, "tips", "", "how often it has tipped").given_out();
    }

    void derivatives(Bucket& der) const { der.level = inflow; }

    std::array<double, 1> crossings() const { return {volume - level}; }

    void event() {
        if (level < volume) return;
        tip = true;
        ++tips;
        level = 0;
    }
};

RUBATO_MODEL(bucket, Bucket)
