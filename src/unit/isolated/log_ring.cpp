// SPDX-License-Identifier: Apache-2.0
#include "log_ring.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>

namespace rubato::unit {

namespace {

struct Header {
    LogLevel level = LogLevel::info;
    std::uint32_t source = 0, message = 0; ///< lengths
};

constexpr std::size_t longest_text = LogRing::capacity / 4;

/// Copies out of the ring, around its end.
void copy_out(const LogRing& ring, std::uint64_t position, void* to, std::size_t size) {
    const std::size_t start = position % LogRing::capacity;
    const std::size_t first = std::min(size, LogRing::capacity - start);
    std::memcpy(to, ring.bytes.data() + start, first);
    std::memcpy(static_cast<std::byte*>(to) + first, ring.bytes.data(), size - first);
}

std::string text_at(const LogRing& ring, std::uint64_t position, std::size_t size) {
    std::string text(size, '\0');
    copy_out(ring, position, text.data(), size);
    return text;
}

LogLevel checked(LogLevel level) { return std::clamp(level, LogLevel::debug, LogLevel::error); }

} // namespace

void drain(LogRing& ring, Log& log) {
    std::uint64_t position = ring.read.load(std::memory_order_relaxed);
    const std::uint64_t end = ring.written.load(std::memory_order_acquire);
    if (position == end) return;
    while (position != end) {
        Header header;
        const std::uint64_t left = end - position;
        if (left >= sizeof header) copy_out(ring, position, &header, sizeof header);
        const std::uint64_t size = std::uint64_t{header.source} + header.message + sizeof header;
        if (left > LogRing::capacity || left < size) { // corrupted by the other process
            position = end;
            break;
        }
        const std::uint64_t source = position + sizeof header;
        log.write(checked(header.level), text_at(ring, source, header.source),
                  text_at(ring, source + header.source, header.message));
        position += size;
    }
    ring.read.store(position, std::memory_order_release);
    raise(ring.drained);
}

void RingLog::write(LogLevel level, std::string_view source, std::string_view message) {
    if (!is_on_.load(std::memory_order_relaxed)) return;
    source = source.substr(0, longest_text);
    message = message.substr(0, longest_text);
    const Header header{level, static_cast<std::uint32_t>(source.size()),
                        static_cast<std::uint32_t>(message.size())};
    const std::lock_guard lock(mutex_);
    wait_for_room(sizeof header + source.size() + message.size());
    std::uint64_t position = ring_.written.load(std::memory_order_relaxed);
    append(std::as_bytes(std::span(&header, 1)), position);
    append(std::as_bytes(std::span(source)), position);
    append(std::as_bytes(std::span(message)), position);
    ring_.written.store(position, std::memory_order_release);
}

void RingLog::wait_for_room(std::uint64_t size) {
    constexpr std::chrono::milliseconds patience{10}; // the reader may have been nudged too early
    while (true) {
        const std::uint32_t seen = ring_.drained.count.load(std::memory_order_acquire);
        const std::uint64_t used = ring_.written.load(std::memory_order_relaxed) -
                                   ring_.read.load(std::memory_order_acquire);
        if (used + size <= LogRing::capacity) return;
        nudge(reader_);
        waiter_.wait(ring_.drained, seen, patience);
    }
}

void RingLog::append(std::span<const std::byte> bytes, std::uint64_t& position) {
    const std::size_t start = position % LogRing::capacity;
    const std::size_t first = std::min(bytes.size(), LogRing::capacity - start);
    std::memcpy(ring_.bytes.data() + start, bytes.data(), first);
    std::memcpy(ring_.bytes.data(), bytes.data() + first, bytes.size() - first);
    position += bytes.size();
}

} // namespace rubato::unit
