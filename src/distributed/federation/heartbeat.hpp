// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/distributed/link.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace rubato::distributed {

/// Sends signs of life while units make long steps, from a thread of its own: an RTI may not report
/// that a federate is gone. Everybody else uses the link under its lock.
class Heartbeat {
public:
    /// `link` must outlive it. `frame` is what it sends.
    Heartbeat(Link& link, std::string frame, std::chrono::milliseconds interval)
        : link_(link), frame_(std::move(frame)), interval_(interval), thread_([this] { run(); }) {}
    ~Heartbeat() {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        ended_.notify_all();
        thread_.join();
    }
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
    /// Under the lock: sends if it is time. Whoever waits calls this, since it keeps the lock.
    void beat() {
        const auto now = Clock::now();
        if (now < next_) return;
        next_ = now + interval_;
        link_.send(frame_.data(), frame_.size());
    }

private:
    using Clock = std::chrono::steady_clock;

    void run() {
        std::unique_lock lock(mutex_);
        while (!ends_) {
            ended_.wait_for(lock, interval_);
            if (ends_) return;
            try {
                beat();
            } catch (const LinkError&) {
                return; // the run finds out when it next uses the link
            }
        }
    }

    Link& link_;
    const std::string frame_;
    const std::chrono::milliseconds interval_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool ends_ = false;
    Clock::time_point next_ = Clock::now();
    std::thread thread_;
};

} // namespace rubato::distributed
