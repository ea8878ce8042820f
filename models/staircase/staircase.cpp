// SPDX-License-Identifier: Apache-2.0
#include "decisions.hpp"

#include <rubato/model/declare.hpp>

#include <limits>

/// Stairs that know where a ball is above them (README.md).
struct Staircase {
    std::int32_t first = 5;
    double x = -1.9, y = 5.8;
    std::int32_t stair = 5;
    bool contact = false;

    static void declare(rubato::model::Declaration<Staircase>& model) {
        model.description("stairs that know where a ball is above them");
        model.experiment({.start = 0, .stop = 8, .step = 1e-3});
        model.parameter(&Staircase::first, "first", "",
                        "height of the first stair [m], which ends at x = -1");
        model.input(&Staircase::x, "x", "m", "how far the ball has come");
        model.input(&Staircase::y, "y", "m", "height of the ball");
        model.discrete(&Staircase::stair, "stair", "", "height of the stair below it [m]")
            .given_out();
        model.discrete(&Staircase::contact, "contact", "", "whether it touches it").given_out();
    }

    stairs::Decision now() const { return {stair, contact}; }
    stairs::Decision due() const { return stairs::decide(now(), first, x, y); }

    std::array<double, 2> crossings() const { return stairs::boundaries(now(), first, x, y); }

    /// At once where inputs have jumped.
    double next_event(double time) const {
        return due() == now() ? std::numeric_limits<double>::infinity() : time;
    }

    void event() {
        const stairs::Decision decision = due();
        stair = decision.stair;
        contact = decision.contact;
    }
};

RUBATO_MODEL(staircase, Staircase)
