// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <optional>
#include <string_view>

namespace rubato::scenario {

/// What the length of the next communication step is chosen from (docs/explanation/accuracy.md).
enum class StepController {
    fixed,      ///< nothing: all steps are experiment.step
    richardson, ///< a step against two of half the length
    predictor,  ///< what inputs were continued to against what they turned out to be
    energy,     ///< what power bonds create or lose
    divergence, ///< what iterating has changed
};
std::string_view to_string(StepController controller);

/// What to do when the shortest step is not short enough.
enum class AtMinimum { stop, accept };
std::string_view to_string(AtMinimum at_minimum);

struct StepControlSettings {
    StepController controller = StepController::fixed;
    double tolerance = 1e-3;
    std::optional<double> minimum;
    std::optional<double> maximum;
    double safety = 0.9;
    double growth = 2;
    double shrinking = 0.2;
    double change = 0.1;
    double divergence_weight = 1e-3;
    AtMinimum at_minimum = AtMinimum::stop;
    Location where;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor&& visit) {
        visit("controller", self.controller,
              "error estimate: fixed (none), richardson (one step against two half steps), "
              "predictor (extrapolated inputs against received ones), energy (residual of the "
              "power bonds) or divergence (change by iterating)");
        visit("tolerance", self.tolerance,
              "tolerance of the error of exchanged values, relative to their magnitude plus "
              "their nominal value; divergence: of the change by iterating, relative to "
              "nominal values");
        visit("minimum", self.minimum,
              "shortest step [s]; default: a millionth of experiment.step");
        visit("maximum", self.maximum, "longest step [s]; default: the whole experiment");
        visit("safety", self.safety, "fraction of the step that the estimate allows");
        visit("growth", self.growth, "largest ratio of a step to the one before");
        visit("shrinking", self.shrinking, "smallest ratio of a step to the one before");
        visit("change", self.change, "relative change of the step by divergence: 0.1 is 10 %");
        visit("divergence-weight", self.divergence_weight,
              "weight of the maximum norm in the error of divergence");
        visit("at-minimum", self.at_minimum,
              "if the shortest step misses the tolerance: stop with an error, or accept it");
    }
    friend bool operator==(const StepControlSettings&, const StepControlSettings&) = default;
};

} // namespace rubato::scenario
