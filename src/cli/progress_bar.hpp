// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace rubato::cli {

/// Shows the progress of a run on standard error ten times per second, from a separate thread,
/// until it is destroyed. Shows nothing if standard error is not a terminal.
class ProgressBar {
public:
    /// `progress` returns the fraction done, `waiting` what the run waits for, shown if there is no
    /// progress. Both are called from another thread.
    explicit ProgressBar(
        std::function<double()> progress,
        std::function<std::string()> waiting = [] { return std::string(); });
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

private:
    void show_until_stopped();
    void draw(double fraction);

    std::function<double()> progress_;
    std::function<std::string()> waiting_;
    double last_ = 0; ///< progress
    std::chrono::steady_clock::time_point changed_at_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_over_ = false; ///< guarded by mutex_
    std::thread thread_;
};

} // namespace rubato::cli
