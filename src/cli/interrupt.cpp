// SPDX-License-Identifier: Apache-2.0
#include "interrupt.hpp"

namespace rubato::cli {
namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): a signal handler sets them
std::atomic<bool> is_requested = false;
std::atomic<int> requests = 0;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void rubato_request_stop(int number) {
    is_requested.store(true, std::memory_order_relaxed);
    if (requests.fetch_add(1, std::memory_order_relaxed) < 2) return;
    std::signal(number, SIG_DFL);
    std::raise(number); // delivered when this returns
}

/// Unlike SIG_IGN, programs that FMUs start do not inherit it.
extern "C" void rubato_ignore_signal(int) {}

} // namespace

Interrupt::Interrupt() {
    is_requested = false;
    requests = 0;
    for (std::size_t i = 0; i < signals.size(); ++i) {
        struct sigaction action {};
        action.sa_handler = signals[i] == SIGPIPE ? rubato_ignore_signal : rubato_request_stop;
        action.sa_flags = SA_RESTART;
        ::sigaction(signals[i], nullptr, &old_[i]);
        const bool is_nohup = signals[i] == SIGHUP && old_[i].sa_handler == SIG_IGN;
        if (!is_nohup) ::sigaction(signals[i], &action, nullptr);
    }
}

Interrupt::~Interrupt() {
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &old_[i], nullptr);
}

const std::atomic<bool>& Interrupt::requested() const { return is_requested; }

void Interrupt::request() { is_requested.store(true, std::memory_order_relaxed); }

bool Interrupt::is_urgent() const { return requests.load(std::memory_order_relaxed) > 1; }

} // namespace rubato::cli
