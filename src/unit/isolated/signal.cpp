// SPDX-License-Identifier: Apache-2.0
#include "signal.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

namespace rubato::unit {

namespace {

constexpr int most_spins = 2000; // some tens of microseconds
constexpr int fewest_spins = 50;
/// Where both processes happen to share a processor, spinning is in vain until the system has moved
/// one of them, which it does only after it has seen both want to run for a while. So every now and
/// then this long.
constexpr int patient_spins = 20'000;
constexpr unsigned patient_every = 1024; // waits

void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Not FUTEX_PRIVATE_FLAG: the other side is another process.
long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) {
    return ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, timeout,
                     nullptr, 0);
}

void wake(Signal& signal) {
    futex(signal.count, FUTEX_WAKE, std::numeric_limits<int>::max(), nullptr);
}

timespec to_timespec(std::chrono::nanoseconds duration) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
    return {seconds.count(), (duration - seconds).count()};
}

bool has_other_processors() {
    cpu_set_t set;
    return ::sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) > 1;
}

} // namespace

/// A sleeper says so and then has the kernel look at the count; a raiser raises the count and then
/// looks for a sleeper. In the one order that all see, one of the two comes first.
void raise(Signal& signal) {
    signal.count.fetch_add(1, std::memory_order_seq_cst);
    if (signal.sleepers.load(std::memory_order_seq_cst) != 0) wake(signal);
}

void nudge(Signal& signal) { wake(signal); }

Waiter::Waiter() : may_spin_(has_other_processors()), spins_(most_spins) {}

bool Waiter::spin(const Signal& signal, std::uint32_t seen) {
    if (!may_spin_) return false;
    const int limit = waits_++ % patient_every == 0 ? patient_spins : spins_;
    for (int i = 0; i < limit; ++i) {
        if (signal.count.load(std::memory_order_acquire) != seen) {
            spins_ = std::min(most_spins, std::max(spins_, 2 * i + fewest_spins));
            return true;
        }
        pause();
    }
    spins_ = std::max(fewest_spins, spins_ / 2);
    return false;
}

bool Waiter::wait(Signal& signal, std::uint32_t seen,
                  std::optional<std::chrono::nanoseconds> patience) {
    if (spin(signal, seen)) return true;
    const timespec timeout = to_timespec(patience.value_or(std::chrono::nanoseconds{0}));
    signal.sleepers.store(1, std::memory_order_seq_cst);
    futex(signal.count, FUTEX_WAIT, seen, patience ? &timeout : nullptr);
    signal.sleepers.store(0, std::memory_order_relaxed);
    return signal.count.load(std::memory_order_acquire) != seen;
}

} // namespace rubato::unit
