// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "score.hpp"

#include <atomic>

namespace rubato::studies::adaptive_order {

struct StudyOptions {
    std::vector<Parameters> sets;
    std::vector<scenario::OrderEstimator> estimators;
    First first = First::msd1; ///< that adaptive runs begin with
    bool inverted = false;
    unsigned threads = 1;
};

struct StudyResult {
    /// By estimator, as in the options, and set.
    std::vector<std::vector<Score>> scores;
    std::uint64_t co_simulations = 0;
};

/// Both static orders and an adaptive run per estimator, for each set. `done` counts the sets, for
/// whoever watches. The result does not depend on the number of threads.
StudyResult run_study(const StudyOptions& options, std::atomic<std::size_t>& done);

/// Columns m1 … cc, score, worst_freq, between_freq, best_freq, estimator; a row per set and
/// estimator. Throws Error.
void write_scores(const StudyOptions& options, const StudyResult& result,
                  const std::filesystem::path& file);

struct Summary {
    double mean = 0, median = 0;
    double never_worse = 0;      ///< share of the sets in which it was never worse than both
    double seldom_worse = 0;     ///< … worse for at most a quarter of the transient
    double mostly_worse = 0;     ///< … for more than half
    double median_of_better = 0; ///< half of the sets were better than both for longer than this
};
Summary summarize(const std::vector<Score>& scores);

/// CPU time of one co-simulation, and of the estimator and its decisions in one step.
struct Overhead {
    double static_run = 0; ///< s
    struct Adaptive {
        double run = 0;  ///< s
        double step = 0; ///< s: what each step takes longer
    };
    Adaptive input, power;
};
/// On this thread, over some of the sets.
Overhead measure_overhead(const std::vector<Parameters>& sets);

} // namespace rubato::studies::adaptive_order
