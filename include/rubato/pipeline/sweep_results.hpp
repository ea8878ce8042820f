// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/sweep.hpp>

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// Of the runs that have a value.
struct Statistics {
    std::string name; ///< of the outcome
    std::size_t count = 0;
    double mean = 0, deviation = 0; ///< the latter of the sample, with n − 1
    double min = 0, low = 0, median = 0, high = 0, max = 0; ///< low, high: 5 % and 95 %
};

/// The value below which a part of the values lies, linear between neighbours. Reorders them.
double quantile(std::vector<double>& values, double part);

enum class ExistingFolder : std::uint8_t { refuse, resume, replace };

/// The folder of a sweep: outcomes.csv with a row for each run; after its end also statistics.csv,
/// ensemble.csv and ensemble.svg. sweep.yaml holds what was run, so that only the same is continued.
class SweepResults {
public:
    /// Throws InputError: the folder holds something else, or another sweep.
    SweepResults(const std::filesystem::path& folder, const Sweep& sweep, ExistingFolder existing);
    ~SweepResults();
    SweepResults(const SweepResults&) = delete;
    SweepResults& operator=(const SweepResults&) = delete;

    std::vector<std::size_t> missing() const; ///< runs without a result
    std::size_t failed() const;
    void add(CaseResult&& result);
    /// Puts rows into the order of the runs. If all runs have a result, writes the other files.
    void conclude();
    std::vector<Statistics> statistics() const;
    /// What failed runs have failed with, and how many with each.
    std::map<std::string, std::size_t> reasons() const;

private:
    struct Row {
        CaseEnd end = CaseEnd::failed;
        std::string reason;
        std::vector<double> outcomes;
    };

    void create();
    void resume();
    void read_rows();
    std::string heading() const;
    std::string text_of(std::size_t run, const Row& row) const;
    void write_ensemble() const;
    std::vector<float> trajectories(std::size_t drawn) const;

    std::filesystem::path folder_;
    const Sweep& sweep_;
    std::map<std::size_t, Row> rows_;
    int journal_ = -1;      ///< descriptor of outcomes.csv
    int trajectories_ = -1; ///< descriptor
};

} // namespace rubato::pipeline
