// SPDX-License-Identifier: Apache-2.0
#include "interrupt.hpp"

namespace rubato::cli {
namespace {

std::atomic<bool> is_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void request_stop(int) { is_requested.store(true, std::memory_order_relaxed); }

} // namespace

Interrupt::Interrupt() {
    is_requested = false;
    struct sigaction action {};
    action.sa_handler = request_stop;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, &old_interrupt_);
    ::sigaction(SIGTERM, &action, &old_terminate_);
}

Interrupt::~Interrupt() {
    ::sigaction(SIGINT, &old_interrupt_, nullptr);
    ::sigaction(SIGTERM, &old_terminate_, nullptr);
}

const std::atomic<bool>& Interrupt::requested() const { return is_requested; }

} // namespace rubato::cli
