// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace rubato {

/// Writes values one after the other. They are read in the same order, by the same program on the
/// same platform.
class ByteWriter {
public:
    /// Appends to `bytes`.
    explicit ByteWriter(std::vector<std::byte>& bytes) : bytes_(bytes) {}

    template <class T>
    requires std::is_trivially_copyable_v<T>
    void put(const T& value) { append(&value, sizeof value); }
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void put_all(std::span<const T> values) {
        put(std::uint64_t{values.size()});
        append(values.data(), values.size_bytes());
    }
    /// What `write` appends, and how long it is.
    template <class Write>
    void put_part(Write&& write) {
        const std::size_t start = bytes_.size();
        put(std::uint64_t{0});
        write(bytes_);
        const std::uint64_t size = bytes_.size() - start - sizeof size;
        std::memcpy(bytes_.data() + start, &size, sizeof size);
    }

private:
    void append(const void* data, std::size_t size) {
        const auto* const first = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), first, first + size);
    }
    std::vector<std::byte>& bytes_;
};

/// Reads what a ByteWriter has written. The bytes are not trusted: Error where they do not fit.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class T>
    requires std::is_trivially_copyable_v<T> T take() {
        T value;
        std::memcpy(&value, next(sizeof value).data(), sizeof value);
        return value;
    }
    template <class T>
    requires std::is_trivially_copyable_v<T> std::vector<T> take_all() {
        const auto count = take<std::uint64_t>();
        if (count > bytes_.size() / sizeof(T)) fail();
        std::vector<T> values(count);
        if (count > 0)
            std::memcpy(values.data(), next(count * sizeof(T)).data(), count * sizeof(T));
        return values;
    }
    std::span<const std::byte> take_part() { return next(take<std::uint64_t>()); }
    std::span<const std::byte> rest() const { return bytes_; }
    void require_end() const {
        if (!bytes_.empty()) fail();
    }
    [[noreturn]] static void fail() {
        throw Error("these are not the bytes of a saved state of this unit");
    }

private:
    std::span<const std::byte> next(std::uint64_t size) {
        if (size > bytes_.size()) fail();
        const auto part = bytes_.first(size);
        bytes_ = bytes_.subspan(size);
        return part;
    }
    std::span<const std::byte> bytes_;
};

} // namespace rubato
