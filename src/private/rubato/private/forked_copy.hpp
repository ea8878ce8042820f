// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pthread.h>
#include <unistd.h>

#include <atomic>

namespace rubato {

/// An FMU may call fork() and return from its call twice: then a copy of this process continues what
/// this process does. A copy that becomes another program, or ends, does not come to ask.
class ForkedCopy {
public:
    using Handler = void (*)();

    /// From here on, copies know that they are copies. `handler` is called in each of them: it may
    /// do what a signal handler may do.
    static void detect(Handler handler = nullptr) {
        in_copy = handler;
        static const bool is_registered = ::pthread_atfork(nullptr, nullptr, note) == 0;
        (void)is_registered; // without memory for it, copies are not detected
    }
    /// For this program itself, which knows what its copies do: they do not count.
    static pid_t fork_on_purpose() {
        is_intended.store(true, std::memory_order_relaxed);
        const pid_t process = ::fork();
        is_intended.store(false, std::memory_order_relaxed);
        return process;
    }
    /// Whether this process is a copy.
    static bool is_this() { return is_copy.load(std::memory_order_relaxed); }

private:
    static void note() {
        if (is_intended.load(std::memory_order_relaxed)) return;
        is_copy.store(true, std::memory_order_relaxed);
        if (in_copy != nullptr) in_copy();
    }
    static inline constinit std::atomic<bool> is_copy = false;
    static inline constinit std::atomic<bool> is_intended = false;
    static inline constinit Handler in_copy = nullptr;
};

} // namespace rubato
