// SPDX-License-Identifier: Apache-2.0
#include "thread_pool.hpp"

#include <rubato/unit/call_under_way.hpp>

#include <system_error>

namespace rubato::engine {

namespace {

/// About 50 µs: longer than the pause between the steps of cheap units, shorter than anyone minds.
constexpr int spins = 2000;

void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

} // namespace

ThreadPool::ThreadPool(unsigned threads) {
    workers_.reserve(threads - 1);
    try {
        for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
        // The system has no more threads: those that there are do the work.
    }
}

ThreadPool::~ThreadPool() {
    stopping_ = true;
    jobs_.fetch_add(1, std::memory_order_release);
    jobs_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(std::uint32_t count, Call call, const void* job) {
    call_ = call;
    job_ = job;
    done_.store(0, std::memory_order_relaxed);
    untaken_.store(count, std::memory_order_release);
    jobs_.fetch_add(1, std::memory_order_release);
    jobs_.notify_all();
    take_parts();
    for (int spin = 0; done_.load(std::memory_order_acquire) != count; ++spin) {
        if (spin < spins)
            relax();
        else
            std::this_thread::yield();
    }
}

void ThreadPool::take_parts() {
    for (;;) {
        const std::int64_t part = untaken_.fetch_sub(1, std::memory_order_acq_rel) - 1;
        if (part < 0) return;
        call_(job_, static_cast<std::uint32_t>(part));
        done_.fetch_add(1, std::memory_order_release);
    }
}

void ThreadPool::work() {
    const unit::ThreadOfUnits seen_by_others;
    std::uint32_t seen = 0;
    for (;;) {
        for (int spin = 0; spin < spins && jobs_.load(std::memory_order_acquire) == seen; ++spin)
            relax();
        jobs_.wait(seen, std::memory_order_acquire);
        seen = jobs_.load(std::memory_order_acquire);
        if (stopping_) return;
        take_parts();
    }
}

} // namespace rubato::engine
