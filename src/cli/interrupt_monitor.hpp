// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interrupt.hpp"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace rubato::cli {

/// Which units are being called, by all threads: `unit "tank" has not returned from step at t = 3
/// s`; empty: none. Valid while the units exist.
std::string calls_under_way_text();

/// Waits for interrupts during a run in a separate thread. After an interrupt the run ends by
/// itself, unless a call of a unit does not return. Then this prints a message and, at the next
/// interrupt, saves the results and ends the process.
class InterruptMonitor {
public:
    explicit InterruptMonitor(const Interrupt& interrupt);
    ~InterruptMonitor();
    InterruptMonitor(const InterruptMonitor&) = delete;
    InterruptMonitor& operator=(const InterruptMonitor&) = delete;

private:
    void poll();

    const Interrupt& interrupt_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_over_ = false; ///< guarded by mutex_
    std::thread thread_;
};

} // namespace rubato::cli
