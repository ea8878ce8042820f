// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/reference.hpp>
#include <rubato/pipeline/run.hpp>

#include <span>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// What runs with shorter steps show about a run.
struct Reference {
    std::vector<engine::RefinedError> errors; ///< by recorded variable
    unsigned parts = 0; ///< in which a few steps were cut to look closely; 0: they were not
    Time from;          ///< where these steps begin
    std::string fault;  ///< why not
};

/// Repeats with steps of half and a quarter of the length, and a few steps with far shorter
/// ones. `points` are those of the run, `coarse` what it has recorded. Of several processes,
/// those of `settings`, the first one compares.
Reference compare_with_shorter_steps(const Assembly& assembly, unit::Library& library, Log& log,
                                     const engine::Series& coarse, std::span<const Time> points,
                                     RunHooks& hooks, const RunSettings& settings = {});

} // namespace rubato::pipeline
