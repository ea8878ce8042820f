// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tune/trace.hpp"

#include <rubato/pipeline/tune.hpp>

#include <chrono>
#include <span>
#include <string>
#include <vector>

namespace rubato::pipeline {

struct Trial {
    scenario::Scenario scenario;
    double limit = 60; ///< [s of wall clock]
};

struct TrialResult {
    enum class Fate : std::uint8_t { completed, failed, crashed, timed_out };
    Fate fate = Fate::crashed;
    std::string message; ///< why it has not completed
    Trace trace;
    Costs costs;
    double wall = 0; ///< [s], with what it takes to start and end
};

/// Runs each trial in a forked process, some of them at the same time. Results are in the order of
/// the trials. When `stop` becomes true, those under way are ended.
std::vector<TrialResult> run_trials(std::span<const Trial> trials, unit::Library& library,
                                    unsigned parallel, const std::atomic<bool>* stop);

} // namespace rubato::pipeline
