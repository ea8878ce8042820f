// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "run_assembly.hpp"

#include <rubato/engine/reference.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace rubato::cli {

/// What runs with shorter steps tell of a run.
struct Reference {
    std::vector<engine::RefinedError> errors; ///< by recorded variable
    unsigned parts = 0; ///< in which a few steps were cut to look closely; 0: they were not
    Time from;          ///< where these steps begin
    std::string fault;  ///< why not
};

/// Runs a simulation to the end, with the observation given.
using Execute = std::function<void(engine::Simulation&, engine::Observation)>;

/// Repeats with steps of half and a quarter of the length, and a few steps with far shorter
/// ones. `points` are those of the run, `coarse` what it has recorded.
Reference compare_with_shorter_steps(const engine::Assembly& assembly, unit::Library& library,
                                     Log& log, const engine::Series& coarse,
                                     std::span<const Time> points, const Execute& execute);

} // namespace rubato::cli
