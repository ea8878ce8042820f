// SPDX-License-Identifier: Apache-2.0
#include "interrupt_monitor.hpp"

#include "crash_guard.hpp"
#include "exit_code.hpp"
#include "terminal.hpp"

#include <rubato/core/text.hpp>
#include <rubato/files/temporary_folder.hpp>
#include <rubato/private/format.hpp>
#include <rubato/unit/unit.hpp>

#include <chrono>
#include <cmath>
#include <optional>
#include <system_error>
#include <vector>

namespace rubato::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds poll_interval{50};
/// Calls that return within this time are not reported.
constexpr std::chrono::milliseconds patience{400};

} // namespace

std::string calls_under_way_text() {
    std::vector<std::string> texts;
    for (const auto& entry : unit::calls_under_way()) {
        const unit::CallUnderWay* const record = entry.load();
        const unit::Unit* const unit = record ? record->unit.load() : nullptr;
        if (unit == nullptr) continue;
        const double time = record->time.load();
        texts.push_back(format("unit \"{}\" has not returned from {}{}", unit->name(),
                               record->call.load(),
                               std::isnan(time) ? "" : format(" at t = {} s", shortest(time))));
    }
    return format("{}", fmt::join(texts, ", "));
}

InterruptMonitor::InterruptMonitor(const Interrupt& interrupt) : interrupt_(interrupt) {
    try {
        thread_ = std::thread([this] { poll(); });
    } catch (const std::system_error&) {
        // out of threads: run without it
    }
}

InterruptMonitor::~InterruptMonitor() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void InterruptMonitor::poll() {
    std::optional<Clock::time_point> requested;
    bool is_reported = false;
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, poll_interval, [this] { return is_over_; })) {
        if (!interrupt_.requested()) continue;
        if (!requested) requested = Clock::now();
        const std::string calls = calls_under_way_text();
        if (interrupt_.is_urgent()) {
            const std::string message =
                calls.empty() ? "interrupted by the user" : format("interrupted: {}", calls);
            print(stderr, format("{}{}\n", is_terminal(stderr) ? "\r\033[K" : "", message));
            files::remove_temporary_folders();
            end_now(exit_code::interrupted, report::RunStatus::interrupted, message);
        }
        if (is_reported || calls.empty() || Clock::now() - *requested < patience) continue;
        is_reported = true;
        print(stderr, format("{}interrupted, but {}\n  the run ends when it does; interrupt once "
                             "more to end it now\n",
                             is_terminal(stderr) ? "\r\033[K" : "", calls));
    }
}

} // namespace rubato::cli
