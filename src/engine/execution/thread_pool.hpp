// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace rubato::engine {

/// Threads that share out the parts of a job. The caller works, too, and continues when the last
/// part is done. Workers spin for a short while after a job, then sleep. Nothing allocates but the
/// constructor.
class ThreadPool {
public:
    explicit ThreadPool(unsigned threads); ///< of which one is the caller's: at least 1
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Calls `part(0)` … `part(count - 1)`, each once, in any order and on any thread. `part` must
    /// not throw.
    template <class Part>
    void run(std::uint32_t count, const Part& part) {
        run(
            count, [](const void* job, std::uint32_t i) { (*static_cast<const Part*>(job))(i); },
            &part);
    }

private:
    using Call = void (*)(const void* job, std::uint32_t part);

    void run(std::uint32_t count, Call call, const void* job);
    void work();
    void take_parts();

    Call call_ = nullptr;
    const void* job_ = nullptr;
    /// Parts that nobody has taken; negative when all are. Whoever takes one sees the job it
    /// belongs to, since `run` stays until the part is done.
    alignas(64) std::atomic<std::int64_t> untaken_ = 0;
    alignas(64) std::atomic<std::uint32_t> done_ = 0;
    alignas(64) std::atomic<std::uint32_t> jobs_ = 0; ///< begun so far; workers wait for a change
    std::atomic<bool> stopping_ = false;
    std::vector<std::thread> workers_;
};

} // namespace rubato::engine
