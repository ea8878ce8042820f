// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace rubato::unit {

/// Memory that two processes share, reached through a file descriptor and gone with the last of
/// them. Either may make it larger, neither smaller: what is mapped stays.
class SharedMemory {
public:
    /// Zeroed. Throws Error when the system has no more.
    static SharedMemory create(std::size_t size);
    /// That of another process, all of it. Takes the descriptor over.
    static SharedMemory attach(int descriptor);

    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&&) = delete;
    ~SharedMemory();

    int descriptor() const { return descriptor_; }
    std::byte* data() const { return data_; }
    std::size_t size() const { return size_; }

    /// Makes it at least so large; it may move. Throws Error when the system has no more.
    void grow(std::size_t size);

    /// Maps what the other process has made larger; it may move. False: it is not so large.
    [[nodiscard]] bool follow(std::size_t size);

private:
    SharedMemory(int descriptor, std::size_t size);
    void remap(std::size_t size);

    int descriptor_;
    std::byte* data_ = nullptr;
    std::size_t size_;
};

} // namespace rubato::unit
