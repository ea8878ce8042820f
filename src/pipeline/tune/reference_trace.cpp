// SPDX-License-Identifier: Apache-2.0
#include "tune/reference_trace.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::pipeline {
namespace {

using scenario::Approximation;
using scenario::Recipe;

/// The most accurate first.
std::vector<TuneCandidate> reference_ways(const TunedSystem& system) {
    const auto order = static_cast<Approximation>(std::min(1u, system.highest_order));
    std::vector<Recipe> recipes;
    if (system.can_roll_back) recipes.push_back(Recipe::iterated_gauss_seidel);
    recipes.push_back(Recipe::gauss_seidel);
    recipes.push_back(Recipe::jacobi);
    std::vector<TuneCandidate> ways;
    for (const Recipe recipe : recipes) ways.push_back({.recipe = recipe, .approximation = order});
    return ways;
}

/// One way, with shorter and shorter steps.
class Refinement {
public:
    Refinement(TuneRuns& runs, TuneCandidate way, double budget)
        : runs_(runs), way_(way), left_(budget) {}

    /// False: a run failed before there was anything to compare.
    bool run(double step) {
        const double enough = runs_.settings().tolerance / 30;
        std::optional<TrialResult> coarse = result(step);
        if (!coarse) return false;
        for (;;) {
            step /= 2;
            std::optional<TrialResult> fine = result(step);
            if (!fine) return is_compared_;
            found.info.change = error_of(coarse->trace, fine->trace).relative;
            found.info.candidate = way_;
            found.info.candidate.size = step;
            found.seconds = fine->wall;
            found.trace = fine->trace;
            is_compared_ = true;
            // The next run takes twice as long.
            if (found.info.change <= enough || 2 * fine->wall > left_ || runs_.is_over())
                return true;
            coarse = std::move(fine);
        }
    }
    const std::string& fault() const { return fault_; }

    ReferenceTrace found;

private:
    std::optional<TrialResult> result(double step) {
        TuneCandidate candidate = way_;
        candidate.size = step;
        TrialResult trial = runs_.run_reference(candidate, left_);
        left_ -= trial.wall;
        if (trial.fate == TrialResult::Fate::completed) return trial;
        fault_ = trial.message;
        return std::nullopt;
    }

    TuneRuns& runs_;
    TuneCandidate way_;
    double left_;
    bool is_compared_ = false;
    std::string fault_;
};

/// Another algorithm with the same step is wrong in another way.
void compare_with_other(TuneRuns& runs, ReferenceTrace& reference) {
    TuneCandidate other = reference.info.candidate;
    other.recipe = other.recipe == Recipe::jacobi ? Recipe::gauss_seidel : Recipe::jacobi;
    const TrialResult result = runs.run_reference(other, runs.remaining() / 4);
    if (result.fate != TrialResult::Fate::completed) return;
    reference.info.other = other;
    reference.info.difference = error_of(result.trace, reference.trace).relative;
}

} // namespace

ReferenceTrace make_reference(TuneRuns& runs, double given_seconds) {
    const TunedSystem& system = runs.system();
    const double tolerance = runs.settings().tolerance;
    const double share = std::max(runs.remaining() / 3, 4 * given_seconds);
    const double step = std::min(system.step, (system.stop - system.start) / 200) / 2;
    std::string faults;
    for (const TuneCandidate& way : reference_ways(system)) {
        Refinement refinement(runs, way, std::min(share, runs.remaining()));
        if (!refinement.run(step)) {
            faults += format("{}{}: {}", faults.empty() ? "" : "; ", to_string(way.recipe),
                             refinement.fault().substr(0, refinement.fault().find('\n')));
            continue;
        }
        ReferenceTrace found = std::move(refinement.found);
        compare_with_other(runs, found);
        found.info.is_sure = found.info.change <= tolerance / 5 && found.info.other &&
                             found.info.difference <= tolerance;
        return found;
    }
    if (runs.is_over() || faults.find("not done after") != std::string::npos)
        throw InputError("the budget is too small for a reference with short steps",
                         "give more time with --budget, or a shorter experiment with "
                         "--set experiment.stop=…");
    throw Error(
        format("no run with short steps succeeds, so errors cannot be measured: {}", faults));
}

ReferenceTrace repeat_reference(TuneRuns& runs, const TuneReference& info) {
    const TrialResult result = runs.run_reference(info.candidate, runs.remaining());
    if (result.fate != TrialResult::Fate::completed) throw Error(result.message);
    return {.info = info, .trace = result.trace, .seconds = result.wall};
}

} // namespace rubato::pipeline
