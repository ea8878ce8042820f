// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

#include <array>
#include <limits>

/// Pushes two bodies apart when they meet (README.md).
struct Collision {
    double m1 = 1, m2 = 1, e = 1, gap = 0;
    double x1 = 0, v1 = 0, x2 = 1, v2 = 0;
    double push1 = 0, push2 = 0;
    std::int32_t hits = 0;
    bool pushing = false;

    static void declare(rubato::model::Declaration<Collision>& model) {
        using Self = Collision;
        model.description("pushes two bodies apart when they meet");
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Self::m1, "m1", "kg", "mass of the left body");
        model.parameter(&Self::m2, "m2", "kg", "mass of the right body");
        model.parameter(&Self::e, "e", "", "speed of parting over speed of meeting");
        model.parameter(&Self::gap, "gap", "m", "x2 - x1 where they touch");
        model.input(&Self::x1, "x1", "m", "position of the left body");
        model.input(&Self::v1, "v1", "m/s", "its speed");
        model.input(&Self::x2, "x2", "m", "position of the right body");
        model.input(&Self::v2, "v2", "m/s", "its speed");
        model.discrete(&Self::push1, "push1", "N.s", "impulse of the last hit on the left body")
            .given_out();
        model.discrete(&Self::push2, "push2", "N.s", "the same on the right one").given_out();
        model.discrete(&Self::hits, "hits", "", "hits so far").given_out();
        model.discrete(&Self::pushing, "pushing", "", "whether they touch and still come closer")
            .given_out();
    }

    bool due() const { return x1 + gap > x2 && v1 > v2; }

    /// A crossing that is located to rounding must not end where the bodies just touch.
    std::array<double, 2> crossings() const {
        constexpr double margin = 1e-12;
        return {x1 + gap - x2 - margin, v1 - v2};
    }

    /// At once where inputs have jumped.
    double next_event(double time) const {
        return due() == pushing ? std::numeric_limits<double>::infinity() : time;
    }

    /// Those who have been pushed may take a while to tell: one hit until they no longer come
    /// closer.
    void event() {
        if (due() && !pushing) {
            push2 = (1 + e) * (v1 - v2) * m1 * m2 / (m1 + m2);
            push1 = -push2;
            ++hits;
        }
        pushing = due();
    }
};

RUBATO_MODEL(collision, Collision)
