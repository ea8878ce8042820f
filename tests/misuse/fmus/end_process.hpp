// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

/// What an FMU can do that a process does not survive.
namespace rubato::test {

inline void crash() {
    volatile int* const nowhere = nullptr;
    *const_cast<volatile int*>(nowhere) = 1;
}

/// Needs more stack than there is.
inline int overflow_stack(int depth) {
    volatile char room[10'000];
    room[0] = static_cast<char>(depth);
    return depth < 0 ? 0 : overflow_stack(depth + 1) + room[0];
}

/// Writes over a block of the heap, so many bytes before it and 4 kB from its start, and frees it.
inline void write_around_block(std::size_t size, int bytes_before) {
    void* const block = std::malloc(size);
    volatile char* const bytes = static_cast<char*>(block);
    for (int i = -bytes_before; i < 4000; ++i) bytes[i] = '\x55';
    std::free(block);
}

/// Overwrites what a heap knows about its blocks, so that using the heap ends the process. The C
/// library and the address sanitizer keep it in the 16 bytes before a block, the thread sanitizer
/// keeps it in the page before a large one.
inline void corrupt_heap() {
    write_around_block(100, 16);
    std::free(std::malloc(100'000));
    write_around_block(1'000'000, 4096);
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

/// What an FMU can do to a process that lives on.
inline void disturb_process(std::string_view fault) {
    if (fault == "changes-folder" && ::chdir("/") != 0) std::abort();
    if (fault == "leaves-a-thread")
        std::thread([] {
            for (;;) std::this_thread::sleep_for(std::chrono::microseconds(10));
        }).detach();
    if (fault == "starts-a-process" && ::fork() == 0)
        for (;;) ::pause();
}

/// Does it, if the fault is one of these.
inline void end_process(std::string_view fault) {
    if (fault == "aborts") std::abort();
    if (fault == "crashes") crash();
    if (fault == "exits") std::exit(3);
    if (fault == "exits-with-success") std::exit(0);
    if (fault == "quits") ::_exit(0);
    if (fault == "exits-in-a-thread") std::thread([] { std::exit(0); }).join();
    if (fault == "crashes-in-a-thread") std::thread(crash).join();
    if (fault == "overflows-its-stack") overflow_stack(0);
    while (fault == "hangs") ::pause();
    if (fault == "corrupts-its-heap") corrupt_heap();
    if (fault == "spoils-shared-memory") spoil_shared_memory();
    if (fault == "returns-twice" && ::fork() < 0) std::abort();
    if (fault == "throws") throw 42; // NOLINT(hicpp-exception-baseclass): whatever it likes
}

} // namespace rubato::test
