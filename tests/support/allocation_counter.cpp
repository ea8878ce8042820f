// SPDX-License-Identifier: Apache-2.0
#include "allocation_counter.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

// Every form of new and delete is replaced: a sanitizer takes memory of one form that is freed by
// another for a fault.

namespace {
std::atomic<std::size_t> count = 0;

void* counted(std::size_t size) noexcept {
    ++count;
    return std::malloc(std::max<std::size_t>(size, 1));
}

void* counted(std::size_t size, std::align_val_t alignment) noexcept {
    ++count;
    const auto unit = static_cast<std::size_t>(alignment);
    return std::aligned_alloc(unit, (std::max<std::size_t>(size, 1) + unit - 1) / unit * unit);
}

void* or_throw(void* memory) {
    if (!memory) throw std::bad_alloc();
    return memory;
}
} // namespace

namespace rubato::test {
std::size_t allocations() { return count; }
} // namespace rubato::test

using std::align_val_t;
using std::nothrow_t;
using std::size_t;

void* operator new(size_t size) { return or_throw(counted(size)); }
void* operator new[](size_t size) { return or_throw(counted(size)); }
void* operator new(size_t size, const nothrow_t&) noexcept { return counted(size); }
void* operator new[](size_t size, const nothrow_t&) noexcept { return counted(size); }
void* operator new(size_t size, align_val_t to) { return or_throw(counted(size, to)); }
void* operator new[](size_t size, align_val_t to) { return or_throw(counted(size, to)); }
void* operator new(size_t size, align_val_t to, const nothrow_t&) noexcept {
    return counted(size, to);
}
void* operator new[](size_t size, align_val_t to, const nothrow_t&) noexcept {
    return counted(size, to);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t, align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, align_val_t, const nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, align_val_t, const nothrow_t&) noexcept { std::free(memory); }
