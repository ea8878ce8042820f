// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "signal.hpp"

#include <rubato/core/log.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

namespace rubato::unit {

/// Log messages on their way from the process of an isolated unit, in shared memory: what was
/// written before a crash can be read after it.
struct LogRing {
    static constexpr std::size_t capacity = std::size_t{1} << 16;

    std::atomic<std::uint64_t> written{0}, read{0}; ///< bytes since the beginning
    Signal drained;
    std::array<std::byte, capacity> bytes{};
};

/// Forwards what there is.
void drain(LogRing& ring, Log& log);

/// The writing end.
class RingLog final : public Log {
public:
    /// `reader` is what the reader awaits: it is nudged when the ring is full.
    RingLog(LogRing& ring, Signal& reader) : ring_(ring), reader_(reader) {}

    /// While it is off, messages are dropped.
    void turn(bool on) { is_on_ = on; }

    /// Waits while the ring is full. Texts longer than a quarter of it are cut.
    void write(LogLevel level, std::string_view source, std::string_view message) override;

private:
    void wait_for_room(std::uint64_t size);
    void append(std::span<const std::byte> bytes, std::uint64_t& position);

    LogRing& ring_;
    Signal& reader_;
    std::mutex mutex_; ///< guards the end of the ring
    Waiter waiter_;
    std::atomic<bool> is_on_{true};
};

} // namespace rubato::unit
