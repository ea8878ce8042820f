// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/scenario.hpp>
#include <rubato/unit/library.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The search for the cheapest way to run a scenario within a tolerance (docs/how-to/tune.md).
namespace rubato::pipeline {

enum class TuneCost : std::uint8_t {
    time,       ///< of the processor, in the run alone
    messages,   ///< one for each pair of connected units and exchange
    unit_steps, ///< repeated ones and sub-steps included
};
std::string_view to_string(TuneCost cost);

struct Costs {
    double seconds = 0;
    double messages = 0;
    double unit_steps = 0;
    double of(TuneCost cost) const;
};

/// One way to run a scenario.
struct TuneCandidate {
    bool is_given = false; ///< as the scenario says; nothing below counts
    scenario::Recipe recipe = scenario::Recipe::jacobi;
    std::optional<int> iterations = {}; ///< of an iterated recipe; none: until converged
    scenario::Approximation approximation = scenario::Approximation::constant;
    scenario::StepController controller = scenario::StepController::fixed;
    scenario::LoopMethod loops = scenario::LoopMethod::automatic;
    bool reversed = false; ///< Gauss-Seidel steps the units from the last one to the first
    int sub_steps = 1;     ///< of every unit
    double size = 0;       ///< the step [s], or the tolerance of the controller

    friend bool operator==(const TuneCandidate&, const TuneCandidate&) = default;
};

/// "gauss-seidel, linear inputs, steps of 0.01 s"
std::string to_string(const TuneCandidate& candidate);

/// The scenario that runs in this way. `scenario` has been assembled before; `inputs` are its
/// continuous connected inputs, as `unit.input`.
scenario::Scenario with_candidate(scenario::Scenario scenario, const TuneCandidate& candidate,
                                  const std::vector<std::string>& inputs);

/// A run of a candidate.
struct Tried {
    TuneCandidate candidate;
    std::string fault; ///< why it gave no result: a message, a crash, the time limit
    double error = 0;  ///< the largest of a recorded variable, relative to its range
    std::string worst; ///< that variable
    Costs costs;
    bool is_within = false; ///< the tolerance
};

/// What errors are measured by.
struct TuneReference {
    TuneCandidate candidate;
    double change = 0;                       ///< of results when the step was halved the last time
    std::optional<TuneCandidate> other = {}; ///< another algorithm with the same step …
    double difference = 0;                   ///< … and how far its results are
    bool is_sure = false;                    ///< both are small beside the tolerance
};

struct TuneSettings {
    double tolerance = 1e-3; ///< of recorded real variables at communication points, relative
    double budget = 60;      ///< [s of wall clock]
    TuneCost minimize = TuneCost::time;
    unsigned parallel = 1;                   ///< runs at the same time
    const std::atomic<bool>* stop = nullptr; ///< set to true to end with what has been found
    std::function<void(const Tried&)> on_tried = {};
};

struct Tuned {
    TuneReference reference;
    std::vector<Tried> tried;        ///< the first one is the scenario as given
    std::optional<std::size_t> best; ///< none: nothing is within the tolerance
    std::vector<std::size_t> front;  ///< cheapest first, each with less error than those before
    std::size_t pruned = 0;          ///< ways that were given up, as their cost could not be least
    std::string stopped;             ///< why the search ended
};

/// Judges candidates by real runs, each in a process of its own: a crash or a run that does not end
/// costs one candidate. Throws InputError: a setting makes no sense, the budget is too small for
/// one run; Error: the scenario does not run. No unit is loaded in this process, which must have no
/// other threads.
Tuned tune(const scenario::Scenario& scenario, unit::Library& library,
           const TuneSettings& settings);

/// The same measure for candidates that somebody has chosen by hand.
std::vector<Tried> judge(const scenario::Scenario& scenario, unit::Library& library,
                         const std::vector<TuneCandidate>& candidates,
                         const TuneReference& reference, const TuneSettings& settings);

/// The scenario of the best one, with paths that are valid in `folder`.
scenario::Scenario tuned_scenario(const scenario::Scenario& scenario, unit::Library& library,
                                  const TuneCandidate& best, const std::filesystem::path& folder);

} // namespace rubato::pipeline
