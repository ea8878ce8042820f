// SPDX-License-Identifier: Apache-2.0
#include "tune/way.hpp"

#include "tune/candidates.hpp"

#include <algorithm>
#include <cmath>

namespace rubato::pipeline {

Way::Way(const TuneCandidate& candidate, const TuneSettings& settings, double longest_step)
    : candidate_(candidate), settings_(&settings), longest_step_(longest_step) {}

bool Way::is_fixed() const { return candidate_.controller == scenario::StepController::fixed; }

TuneCandidate Way::next() const { return candidate_; }

double Way::largest_size() const {
    constexpr double loosest = 0.5; // tolerance of step control
    return is_fixed() ? longest_step_ : loosest;
}

/// error ~ size^order, from the last two runs where they show it.
double Way::order() const {
    const double expected = expected_order(candidate_);
    if (samples_.size() < 2) return expected;
    const Sample& a = samples_[samples_.size() - 2];
    const Sample& b = samples_.back();
    if (a.size == b.size || a.error <= 0 || b.error <= 0) return expected;
    const double observed = std::log(a.error / b.error) / std::log(a.size / b.size);
    return std::clamp(observed, 0.3 * expected, 2.5 * expected);
}

/// Shorter steps may be stable where longer ones are not.
void Way::learn_fault() {
    constexpr int most_faults = 3;
    constexpr double shorter = 8;
    if (++faults_ >= most_faults) {
        is_done_ = true;
        return;
    }
    candidate_.size /= shorter;
}

bool Way::is_near_to_tried(double size) const {
    constexpr double near = 0.03;
    return std::ranges::any_of(samples_, [&](const Sample& sample) {
        return std::abs(std::log(size / sample.size)) < near;
    });
}

void Way::choose_next() {
    constexpr double aim = 0.8, most_growth = 30, most_shrinking = 60;
    const Sample& last = samples_.back();
    const double wanted = aim * settings_->tolerance;
    const double factor = last.error > 0 ? std::pow(wanted / last.error, 1 / order()) : most_growth;
    double size = last.size * std::clamp(factor, 1 / most_shrinking, most_growth);
    // Between what was within the tolerance and what was not.
    double low = 0, high = HUGE_VAL;
    for (const Sample& sample : samples_)
        if (sample.is_within)
            low = std::max(low, sample.size);
        else
            high = std::min(high, sample.size);
    if (low > 0 && high < HUGE_VAL && low < high && (size <= low || size >= high))
        size = std::sqrt(low * high);
    candidate_.size = std::min(size, largest_size());
    if (is_near_to_tried(candidate_.size)) is_done_ = true;
}

void Way::learn(const Tried& tried) {
    constexpr std::size_t most_runs = 7;
    constexpr double good_part = 0.6; // of the tolerance: no more is to be gained
    if (is_fixed() && !tried.fault.empty() && samples_.empty() &&
        tried.fault.find("not done after") != std::string::npos) {
        is_done_ = true; // shorter steps would take longer
        return;
    }
    if (!std::isfinite(tried.error)) {
        learn_fault();
        return;
    }
    samples_.push_back(
        {tried.candidate.size, tried.error, tried.costs.of(settings_->minimize), tried.is_within});
    const bool is_good = tried.is_within && tried.error >= good_part * settings_->tolerance;
    const bool is_longest = tried.is_within && tried.candidate.size >= 0.999 * largest_size();
    if (is_good || is_longest || samples_.size() >= most_runs) {
        is_done_ = true;
        return;
    }
    choose_next();
}

/// The cost of fixed steps is inverse to their length, that of controlled ones falls slower with
/// the tolerance.
double Way::lower_bound() const {
    constexpr double careful = 0.8;
    if (samples_.empty()) return 0;
    const Sample& last = samples_.back();
    const double ratio = last.size / candidate_.size;
    const double power = is_fixed() || ratio < 1 ? 1 : 0.25;
    return careful * last.cost * std::pow(ratio, power);
}

} // namespace rubato::pipeline
