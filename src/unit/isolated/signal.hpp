// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace rubato::unit {

/// A count in shared memory that one process raises and another awaits. What was written before it
/// was raised can be read by whoever has seen it raised.
struct alignas(64) Signal {
    std::atomic<std::uint32_t> count{0};
    std::atomic<std::uint32_t> sleepers{0}; ///< 1: the other process must be woken
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

void raise(Signal& signal);
/// Makes whoever awaits it look up, although it was not raised.
void nudge(Signal& signal);

/// Awaits signals: looks again and again for a moment, as an answer often comes within
/// microseconds, then sleeps. How long the moment lasts follows from whether it was long enough
/// of late.
class Waiter {
public:
    Waiter();

    /// Until the count is no longer what was seen of it (true), until `patience` is over or
    /// somebody nudges (false). No patience given: as long as it takes.
    bool wait(Signal& signal, std::uint32_t seen,
              std::optional<std::chrono::nanoseconds> patience = std::nullopt);

private:
    bool spin(const Signal& signal, std::uint32_t seen);

    bool may_spin_;
    int spins_;
    unsigned waits_ = 0;
};

} // namespace rubato::unit
