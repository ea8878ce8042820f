// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

#include <array>
#include <cmath>
#include <limits>

/// A switch that a signal throws (README.md).
struct Relay {
    double upper = 0, lower = 0, on = 1, off = 0;
    double u = 0;
    bool closed = false;
    double y = 0;

    static void declare(rubato::model::Declaration<Relay>& model) {
        model.description("a switch that a signal throws");
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Relay::upper, "upper", "", "u above which it closes");
        model.parameter(&Relay::lower, "lower", "", "u below which it opens; at most `upper`");
        model.parameter(&Relay::on, "on", "", "y while it is closed");
        model.parameter(&Relay::off, "off", "", "y while it is open");
        model.input(&Relay::u, "u", "", "what throws it");
        model.discrete(&Relay::closed, "closed", "", "whether it is closed").given_out();
        model.discrete(&Relay::y, "y", "", "`on` or `off`").given_out();
    }

    bool due() const { return closed ? !(u < lower) : u > upper; }

    /// A crossing that is located to rounding must not end at the threshold itself, where nothing
    /// is switched.
    static double beyond(double threshold) { return 1e-12 * (1 + std::abs(threshold)); }

    std::array<double, 1> crossings() const {
        return {closed ? u - lower + beyond(lower) : u - upper - beyond(upper)};
    }

    /// At once where u has jumped.
    double next_event(double time) const {
        return due() == closed ? std::numeric_limits<double>::infinity() : time;
    }

    void event() {
        closed = due();
        y = closed ? on : off;
    }
};

RUBATO_MODEL(relay, Relay)
