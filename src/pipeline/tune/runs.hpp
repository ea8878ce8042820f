// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tune/candidates.hpp"
#include "tune/trials.hpp"

#include <chrono>
#include <vector>

namespace rubato::pipeline {

/// Runs candidates of one scenario within a budget.
class TuneRuns {
public:
    TuneRuns(const scenario::Scenario& scenario, const TunedSystem& system, unit::Library& library,
             const TuneSettings& settings);

    const TunedSystem& system() const { return system_; }
    const TuneSettings& settings() const { return settings_; }

    /// Each within the limit and what is left of the budget.
    std::vector<TrialResult> run(const std::vector<TuneCandidate>& candidates, double limit);
    TrialResult run_alone(const TuneCandidate& candidate, double limit);
    /// With all communication points, or as many as are needed to compare.
    TrialResult run_reference(const TuneCandidate& candidate, double limit);

    double remaining() const; ///< of the budget [s]
    bool is_over() const;     ///< or the search is to stop

private:
    Trial trial(const TuneCandidate& candidate, double limit) const;

    const scenario::Scenario& scenario_;
    const TunedSystem& system_;
    unit::Library& library_;
    const TuneSettings& settings_;
    std::chrono::steady_clock::time_point end_;
};

} // namespace rubato::pipeline
