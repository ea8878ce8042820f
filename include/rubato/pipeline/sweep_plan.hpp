// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Which runs a sweep makes (docs/how-to/sweep.md).
namespace rubato::pipeline {

enum class Sampling : std::uint8_t {
    listed,    ///< all values of a list or a range
    random,    ///< uniformly distributed, independent
    hypercube, ///< Latin: each of N equal parts of the range has one point
};

/// What is varied, and over which values.
struct Variation {
    std::string path; ///< as for --set: a parameter, a start value or a setting
    Sampling sampling = Sampling::listed;
    std::vector<Value> values = {}; ///< listed
    double low = 0, high = 1;       ///< of samples
    std::optional<std::size_t> samples = {};
    std::string text = {}; ///< as given, for messages
};

/// `winch.k=1:10:0.5` (from:to:step), `winch.k=1,2,5`, `load.m=random:50:200`, `load.m=lhs:50:200`
/// (low:high), or with a number of samples `load.m=lhs:100:50:200`. Throws InputError.
Variation parse_variation(const std::string& text);

/// The runs of a sweep: each combination of listed values with each sample. Random numbers depend
/// on the seed alone.
class SweepPlan {
public:
    static constexpr std::size_t most_runs = 1'000'000;

    /// `samples`: of variations that do not say how many. Throws InputError: nothing is varied, a
    /// path is varied twice, numbers of samples differ or are missing, there are too many runs.
    SweepPlan(std::vector<Variation> variations, std::optional<std::size_t> samples,
              std::uint64_t seed);

    const std::vector<Variation>& variations() const { return variations_; }
    std::size_t size() const { return combinations_ * samples_; } ///< number of runs
    /// Of one run, in the order of the variations. The first variation changes last.
    std::vector<Value> values(std::size_t run) const;

private:
    void count_samples(std::optional<std::size_t> samples);
    void count_combinations();
    void draw(std::uint64_t seed);

    std::vector<Variation> variations_;
    std::size_t combinations_ = 1;
    std::size_t samples_ = 1;
    std::vector<std::vector<double>> points_; ///< by variation: its samples; empty: it is listed
};

} // namespace rubato::pipeline
