// SPDX-License-Identifier: Apache-2.0
#include "tune/runs.hpp"

#include <algorithm>
#include <cmath>

namespace rubato::pipeline {

TuneRuns::TuneRuns(const scenario::Scenario& scenario, const TunedSystem& system,
                   unit::Library& library, const TuneSettings& settings)
    : scenario_(scenario), system_(system), library_(library), settings_(settings),
      end_(std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(
               std::chrono::duration<double>(settings.budget))) {}

double TuneRuns::remaining() const {
    return std::chrono::duration<double>(end_ - std::chrono::steady_clock::now()).count();
}

bool TuneRuns::is_over() const {
    return remaining() <= 0 || (settings_.stop != nullptr && settings_.stop->load());
}

Trial TuneRuns::trial(const TuneCandidate& candidate, double limit) const {
    Trial result{.scenario = with_candidate(scenario_, candidate, system_.inputs),
                 .limit = std::min(limit, remaining())};
    result.scenario.recording.every = 1;
    result.scenario.recording.bonds = false;
    result.scenario.recording.file.reset();
    return result;
}

std::vector<TrialResult> TuneRuns::run(const std::vector<TuneCandidate>& candidates, double limit) {
    // In batches, so that the last ones have what is left of the budget then.
    std::vector<TrialResult> results;
    const std::size_t at_once = std::max<std::size_t>(1, settings_.parallel) * 4;
    for (std::size_t first = 0; first < candidates.size(); first += at_once) {
        std::vector<Trial> trials;
        for (std::size_t i = first; i < std::min(candidates.size(), first + at_once); ++i)
            trials.push_back(trial(candidates[i], limit));
        for (TrialResult& result :
             run_trials(trials, library_, std::max(1u, settings_.parallel), settings_.stop))
            results.push_back(std::move(result));
    }
    return results;
}

TrialResult TuneRuns::run_alone(const TuneCandidate& candidate, double limit) {
    const Trial only = trial(candidate, limit);
    return run_trials(std::span(&only, 1), library_, 1, settings_.stop).front();
}

TrialResult TuneRuns::run_reference(const TuneCandidate& candidate, double limit) {
    constexpr double most_rows = 20'000;
    Trial only = trial(candidate, limit);
    const double steps = (system_.stop - system_.start) / candidate.size;
    only.scenario.recording.every = static_cast<int>(std::max(1.0, std::ceil(steps / most_rows)));
    return run_trials(std::span(&only, 1), library_, 1, settings_.stop).front();
}

} // namespace rubato::pipeline
