// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/simulation.hpp>
#include <rubato/scenario/scenario.hpp>

#include <algorithm>
#include <cstdint>
#include <variant>

namespace rubato::pipeline {

/// Whether there is one unit, tables apart.
inline bool is_alone(const scenario::Scenario& scenario) {
    return std::ranges::count_if(scenario.units, [](const scenario::Unit& unit) {
               return !std::holds_alternative<scenario::TableFile>(unit.origin);
           }) == 1;
}

/// What a run of a scenario records. `keeps_series`: communication points are compared, so that nothing else is recorded.
inline engine::Observation observation_of(const scenario::Scenario& scenario,
                                          engine::Recorder* recorder, bool keeps_series) {
    const scenario::Recording& recording = scenario.recording;
    engine::Observation observation{.recorder = recorder,
                                    .every = static_cast<std::uint64_t>(recording.every)};
    if (recording.interval) observation.interval = Duration{*recording.interval};
    observation.intermediate = static_cast<std::size_t>(recording.intermediate);
    observation.events_within_steps = is_alone(scenario) && !keeps_series;
    return observation;
}

} // namespace rubato::pipeline
