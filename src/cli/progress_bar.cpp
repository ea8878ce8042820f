// SPDX-License-Identifier: Apache-2.0
#include "progress_bar.hpp"

#include "terminal.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace rubato::cli {
namespace {

constexpr std::chrono::milliseconds redraw_interval{100};
constexpr std::chrono::seconds longest_silence{2}; // without progress
constexpr int bar_width = 32;
constexpr auto clear_line = "\r\033[K";

std::string bar(double fraction) {
    const int full = static_cast<int>(fraction * bar_width);
    std::string text;
    for (int i = 0; i < bar_width; ++i) text += i < full ? "━" : "╌";
    return text;
}

} // namespace

ProgressBar::ProgressBar(std::function<double()> progress, std::function<std::string()> waiting)
    : progress_(std::move(progress)), waiting_(std::move(waiting)) {
    if (!is_terminal(stderr)) return;
    try {
        thread_ = std::thread([this] { show_until_stopped(); });
    } catch (const std::system_error&) {
        // out of threads: run without it
    }
}

ProgressBar::~ProgressBar() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    changed_.notify_one();
    thread_.join();
    print(stderr, clear_line);
}

void ProgressBar::show_until_stopped() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, redraw_interval, [this] { return is_over_; }))
        draw(std::clamp(progress_(), 0.0, 1.0));
}

void ProgressBar::draw(double fraction) {
    const auto now = std::chrono::steady_clock::now();
    if (fraction != std::exchange(last_, fraction)) changed_at_ = now;
    const std::chrono::duration<double> elapsed = now - started_;
    std::string line = format("{}  {} {:3.0f} %", clear_line, bar(fraction), 100 * fraction);
    const std::string waiting = now - changed_at_ > longest_silence ? waiting_() : "";
    if (!waiting.empty()) {
        const std::chrono::duration<double> since = now - changed_at_;
        line += format("  {} for {:.0f} s", waiting, since.count());
    } else if (fraction > 0 && elapsed.count() > 1) {
        const double left = elapsed.count() * (1 - fraction) / fraction;
        line += format("  {} left", report::human_duration(left));
    }
    print(stderr, line);
}

} // namespace rubato::cli
