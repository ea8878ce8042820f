// SPDX-License-Identifier: Apache-2.0
#include "study.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <exception>
#include <fstream>
#include <mutex>
#include <numeric>
#include <thread>

namespace rubato::studies::adaptive_order {

namespace {

/// Runs all methods on one set.
void run_set(Experiment& experiment, const StudyOptions& options, std::size_t set,
             StudyResult& result) {
    const Parameters& parameters = options.sets[set];
    const Trajectory exact = reference(parameters);
    const auto run = [&](const Method& method) {
        return errors(experiment.run(parameters, method), exact);
    };
    const Trajectory msd1_first = run({.first = First::msd1});
    const Trajectory msd2_first = run({.first = First::msd2});
    for (std::size_t e = 0; e < options.estimators.size(); ++e) {
        const Method method{options.first, options.estimators[e], options.inverted};
        result.scores[e][set] = score(run(method), msd1_first, msd2_first);
    }
}

/// Threads take sets as they are free; each has units of its own.
class Workers {
public:
    Workers(const StudyOptions& options, StudyResult& result, std::atomic<std::size_t>& done)
        : options_(options), result_(result), done_(done) {}

    void run() {
        std::vector<std::thread> others;
        for (unsigned i = 1; i < options_.threads; ++i) others.emplace_back([this] { work(); });
        work();
        for (std::thread& other : others) other.join();
        if (fault_) std::rethrow_exception(fault_);
    }

private:
    void work() {
        try {
            Experiment experiment;
            while (true) {
                const std::size_t set = next_.fetch_add(1);
                if (set >= options_.sets.size()) return;
                run_set(experiment, options_, set, result_);
                done_.fetch_add(1, std::memory_order_relaxed);
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!fault_) fault_ = std::current_exception();
            next_ = options_.sets.size();
        }
    }

    const StudyOptions& options_;
    StudyResult& result_;
    std::atomic<std::size_t>& done_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::exception_ptr fault_; ///< guarded by mutex_
};

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const std::size_t middle = values.size() / 2;
    std::ranges::sort(values);
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

template <class Condition>
double share(const std::vector<Score>& scores, Condition&& condition) {
    return static_cast<double>(std::ranges::count_if(scores, condition)) /
           static_cast<double>(scores.size());
}

} // namespace

StudyResult run_study(const StudyOptions& options, std::atomic<std::size_t>& done) {
    StudyResult result;
    result.scores.assign(options.estimators.size(), std::vector<Score>(options.sets.size()));
    result.co_simulations = options.sets.size() * (2 + options.estimators.size());
    Workers(options, result, done).run();
    return result;
}

void write_scores(const StudyOptions& options, const StudyResult& result,
                  const std::filesystem::path& file) {
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    std::ofstream out(file);
    out << format("{},score,worst_freq,between_freq,best_freq,estimator\n",
                  fmt::join(Parameters::names, ","));
    for (std::size_t e = 0; e < options.estimators.size(); ++e) {
        for (std::size_t set = 0; set < options.sets.size(); ++set) {
            for (const double value : options.sets[set].values()) out << shortest(value) << ',';
            const Score& s = result.scores[e][set];
            out << format("{},{},{},{},{}\n", shortest(s.score), shortest(s.worse),
                          shortest(s.between), shortest(s.better),
                          to_string(options.estimators[e]));
        }
    }
    out.flush();
    if (!out)
        throw Error(format("the scores cannot be written to {}", file.string()),
                    "choose another file by --output");
}

Summary summarize(const std::vector<Score>& scores) {
    Summary summary;
    std::vector<double> values, better;
    for (const Score& each : scores) {
        values.push_back(each.score);
        better.push_back(each.better);
    }
    summary.mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    summary.median = median(std::move(values));
    summary.never_worse = share(scores, [](const Score& s) { return s.worse == 0; });
    summary.seldom_worse = share(scores, [](const Score& s) { return s.worse <= 0.25; });
    summary.mostly_worse = share(scores, [](const Score& s) { return s.worse > 0.5; });
    summary.median_of_better = median(std::move(better));
    return summary;
}

} // namespace rubato::studies::adaptive_order
