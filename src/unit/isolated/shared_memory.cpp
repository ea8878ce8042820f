// SPDX-License-Identifier: Apache-2.0
#include "shared_memory.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace rubato::unit {

namespace {

[[noreturn]] void fail(std::size_t size, int error) {
    throw Error(format("cannot share {} bytes of memory with another process: {}", size,
                       std::strerror(error)));
}

/// Reserves them, too: what is not available is reported here and not by a signal at the first
/// write.
void allocate(int descriptor, std::size_t size) {
    if (const int error = ::posix_fallocate(descriptor, 0, static_cast<off_t>(size)))
        fail(size, error);
}

std::size_t size_of(int descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) fail(0, errno);
    return static_cast<std::size_t>(status.st_size);
}

} // namespace

SharedMemory SharedMemory::create(std::size_t size) {
    const int descriptor = ::memfd_create("rubato-unit", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) fail(size, errno);
    SharedMemory memory(descriptor, 0);
    allocate(descriptor, size);
    if (::fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK) != 0) fail(size, errno);
    memory.remap(size);
    return memory;
}

SharedMemory SharedMemory::attach(int descriptor) {
    SharedMemory memory(descriptor, 0);
    memory.remap(size_of(descriptor));
    return memory;
}

SharedMemory::SharedMemory(int descriptor, std::size_t size)
    : descriptor_(descriptor), size_(size) {}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedMemory::~SharedMemory() {
    if (data_ != nullptr) ::munmap(data_, size_);
    if (descriptor_ >= 0) ::close(descriptor_);
}

void SharedMemory::grow(std::size_t size) {
    if (size <= size_) return;
    const std::size_t larger = std::max(size, 2 * size_);
    allocate(descriptor_, larger);
    remap(larger);
}

bool SharedMemory::follow(std::size_t size) {
    if (size <= size_) return true;
    const std::size_t present = size_of(descriptor_);
    if (present < size) return false;
    remap(present);
    return true;
}

void SharedMemory::remap(std::size_t size) {
    void* const mapped =
        data_ == nullptr ? ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0)
                         : ::mremap(data_, size_, size, MREMAP_MAYMOVE);
    if (mapped == MAP_FAILED) fail(size, errno);
    data_ = static_cast<std::byte*>(mapped);
    size_ = size;
}

} // namespace rubato::unit
