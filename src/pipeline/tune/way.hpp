// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/tune.hpp>

#include <vector>

namespace rubato::pipeline {

/// A way to run whose step, or whose tolerance of step control, is being found: the largest one
/// that meets the tolerance.
class Way {
public:
    Way(const TuneCandidate& candidate, const TuneSettings& settings, double longest_step);

    bool is_done() const { return is_done_; }
    void give_up() { is_done_ = true; }
    /// What to run next.
    TuneCandidate next() const;
    void learn(const Tried& tried);
    /// What the next run costs at least, by what the last one has cost.
    double lower_bound() const;

private:
    struct Sample {
        double size = 0, error = 0, cost = 0;
        bool is_within = false;
    };
    bool is_fixed() const;
    double order() const;
    double largest_size() const;
    void learn_fault();
    void choose_next();
    bool is_near_to_tried(double size) const;

    TuneCandidate candidate_;
    const TuneSettings* settings_;
    double longest_step_;
    std::vector<Sample> samples_; ///< that gave a finite error
    int faults_ = 0;
    bool is_done_ = false;
};

} // namespace rubato::pipeline
