// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

/// What an FMU can do that a process does not survive.
namespace rubato::test {

inline void crash() {
    volatile int* const nowhere = nullptr;
    *const_cast<volatile int*>(nowhere) = 1;
}

/// Writes around a block of the heap; whoever uses the heap next notices.
inline void corrupt_heap() {
    void* const block = std::malloc(100);
    volatile char* const bytes = static_cast<char*>(block);
    for (int i = -8; i < 4000; ++i) bytes[i] = '\x55';
    std::free(block);
    std::free(std::malloc(100'000));
}

/// Overwrites all memory that the process shares with the one that has started it.
inline void spoil_shared_memory() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find("memfd:rubato-unit") == std::string::npos) continue;
        char* end = nullptr;
        const std::uintptr_t first = std::strtoull(line.c_str(), &end, 16);
        const std::uintptr_t last = std::strtoull(end + 1, nullptr, 16);
        std::memset(reinterpret_cast<void*>(first), 0xff, last - first);
    }
}

/// Does it, if the fault is one of these.
inline void end_process(std::string_view fault) {
    if (fault == "aborts") std::abort();
    if (fault == "crashes") crash();
    if (fault == "exits") std::exit(3);
    while (fault == "hangs") ::pause();
    if (fault == "corrupts-its-heap") corrupt_heap();
    if (fault == "spoils-shared-memory") spoil_shared_memory();
    if (fault == "throws") throw 42; // NOLINT(hicpp-exception-baseclass): whatever it likes
}

} // namespace rubato::test
