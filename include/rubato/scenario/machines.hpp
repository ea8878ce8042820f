// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/approximation.hpp>

#include <optional>
#include <string>
#include <vector>

namespace rubato::scenario {

/// Units that run on one machine.
struct Machine {
    std::string name;
    std::vector<std::string> units;
    Location where;
    friend bool operator==(const Machine&, const Machine&) = default;
};

/// What is exchanged between machines, and how often.
struct CommunicationSettings {
    std::optional<double> step;
    Approximation extrapolation = Approximation::linear;
    bool iterate = false;
    Location where;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& visit) {
        visit("step", self.step,
              "communication step between machines [s]; within a machine it stays experiment.step; "
              "default: experiment.step");
        visit("extrapolation", self.extrapolation,
              "how inputs from other machines continue between their samples: constant, linear or "
              "quadratic");
        visit("iterate", self.iterate,
              "repeat each step between machines until the exchanged values have converged "
              "(waveform relaxation); all units must be able to roll back");
    }
    friend bool operator==(const CommunicationSettings&, const CommunicationSettings&) = default;
};

} // namespace rubato::scenario
