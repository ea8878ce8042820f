// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

#include <array>
#include <cstdint>
#include <limits>

/// Runs a batch process with two tanks, one phase after the other: fill the upper tank, move its
/// content to the lower one, drain the lower one, and again. A phase ends when a level is reached.
struct TankSupervisor {
    double high = 2, low = 0.5, fill = 0.1, transfer = 0.15, drain = 0.05;
    double upper = 0, lower = 0;
    std::int32_t phase = 1;
    double q_fill = 0, q_transfer = 0, q_drain = 0;

    static void declare(rubato::model::Declaration<TankSupervisor>& model) {
        using Self = TankSupervisor;
        model.description("runs a batch process with two tanks");
        model.experiment({.start = 0, .stop = 200, .step = 0.5});
        model.parameter(&Self::high, "high", "m", "level at which the upper tank is full");
        model.parameter(&Self::low, "low", "m", "level at which a tank is empty");
        model.parameter(&Self::fill, "fill", "m3/s", "flow while the upper tank is filled");
        model.parameter(&Self::transfer, "transfer", "m3/s",
                        "flow from the upper to the lower tank");
        model.parameter(&Self::drain, "drain", "m3/s", "flow while the lower tank is drained");
        model.input(&Self::upper, "upper", "m", "level of the upper tank");
        model.input(&Self::lower, "lower", "m", "level of the lower tank");
        model.discrete(&Self::phase, "phase", "", "1: fill, 2: transfer, 3: drain").given_out();
        model.discrete(&Self::q_fill, "q_fill", "m3/s", "flow into the upper tank").given_out();
        model.discrete(&Self::q_transfer, "q_transfer", "m3/s", "flow between the tanks")
            .given_out();
        model.discrete(&Self::q_drain, "q_drain", "m3/s", "flow out of the lower tank").given_out();
    }

    /// Positive while the phase lasts. An event that is located to rounding ends behind the
    /// level, not on it.
    double left() const {
        constexpr double margin = 1e-12;
        if (phase == 1) return high - upper + margin;
        if (phase == 2) return upper - low + margin;
        return lower - low + margin;
    }

    std::array<double, 1> crossings() const { return {left()}; }

    /// At once where a level has jumped.
    double next_event(double time) const {
        return left() < 0 ? time : std::numeric_limits<double>::infinity();
    }

    void event() {
        if (left() < 0) phase = phase % 3 + 1;
        q_fill = phase == 1 ? fill : 0;
        q_transfer = phase == 2 ? transfer : 0;
        q_drain = phase == 3 ? drain : 0;
    }
};

RUBATO_MODEL(tank_supervisor, TankSupervisor)
