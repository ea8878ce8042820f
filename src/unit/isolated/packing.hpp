// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "process_fault.hpp"
#include "shared_memory.hpp"

#include <rubato/core/value.hpp>

#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace rubato::unit {

/// Everything in a message begins at a multiple of this, so that it can be used where it lies.
constexpr std::size_t message_alignment = 8;

constexpr std::size_t padded(std::size_t size) {
    return (size + message_alignment - 1) / message_alignment * message_alignment;
}

/// Writes a message into shared memory, which grows to the longest one and then stays.
class Writer {
public:
    explicit Writer(SharedMemory& memory) : memory_(memory) {}

    void clear() { size_ = 0; }
    /// Takes back all that was written since the message had this size.
    void shrink(std::size_t size) { size_ = size; }
    std::size_t size() const { return size_; }

    /// Room for so many bytes, to be filled before anything else is written.
    std::byte* place(std::size_t size) {
        const std::size_t end = size_ + padded(size);
        if (end > memory_.size()) memory_.grow(end);
        std::byte* const room = memory_.data() + size_;
        size_ = end;
        return room;
    }

    template <class T>
    void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
        std::memcpy(place(sizeof(T)), &value, sizeof(T));
    }
    template <class T>
    void put_span(std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (values.empty()) return;
        std::memcpy(place(values.size_bytes()), values.data(), values.size_bytes());
    }
    void put_text(std::string_view text) {
        put(text.size());
        put_span(std::span<const char>(text));
    }

private:
    SharedMemory& memory_;
    std::size_t size_ = 0;
};

/// Reads a message where it lies. The other process may have corrupted it: what would not lie
/// within it is a ProcessFault.
class Reader {
public:
    Reader() = default;
    explicit Reader(std::span<std::byte> message) : rest_(message) {}

    std::byte* take_bytes(std::size_t size) {
        if (size > rest_.size() || padded(size) > rest_.size()) [[unlikely]]
            throw ProcessFault("it has corrupted the memory that it shares with Rubato");
        std::byte* const bytes = rest_.data();
        rest_ = rest_.subspan(padded(size));
        return bytes;
    }

    template <class T>
    T take() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value;
        std::memcpy(&value, take_bytes(sizeof(T)), sizeof(T));
        return value;
    }
    template <class T>
    std::span<T> take_span(std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= message_alignment);
        if (count > rest_.size()) take_bytes(count); // fails, whatever the size of T
        return {reinterpret_cast<T*>(take_bytes(count * sizeof(T))), count};
    }
    std::string_view take_text() {
        const auto text = take_span<char>(take<std::size_t>());
        return {text.data(), text.size()};
    }

private:
    std::span<std::byte> rest_;
};

} // namespace rubato::unit
