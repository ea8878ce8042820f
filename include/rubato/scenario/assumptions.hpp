// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/description.hpp>
#include <rubato/scenario/scenario.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rubato::scenario {

/// A number of the experiment that nobody gave.
struct DefaultedSetting {
    std::string name; ///< start, stop, step or tolerance
    double value = 0;
    bool from_model = false;    ///< as the units suggest; else a guess
    bool models_differ = false; ///< the units suggest different values: one of them was chosen
    friend bool operator==(const DefaultedSetting&, const DefaultedSetting&) = default;
};

/// Fills what `experiment.open` names, and closes it. The units' suggestions come first: of several
/// the earliest start, the latest stop, the smallest step and the smallest tolerance. Suggestions
/// that contradict what is given (a stop before the start, a step longer than the span) do not
/// count. Where nobody suggests anything: start 0, stop one second later, no tolerance, and
/// `usual_step`; 1/500 of the span where there is none, or where the units suggest the span.
/// Returns what was filled in, in the order start, stop, step, tolerance.
std::vector<DefaultedSetting> settle_experiment(Experiment& experiment,
                                                std::span<const UnitDescription> units,
                                                std::optional<double> usual_step);

/// One line for people: "stop 10 s (the latest that units suggest), step 0.01 s". Empty if there is
/// nothing but a start at 0, which everybody expects.
std::string to_text(std::span<const DefaultedSetting> settings);

} // namespace rubato::scenario
