// SPDX-License-Identifier: Apache-2.0
#include "execution/thread_pool.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace rubato::engine {
namespace {

TEST(ThreadPool, DoesEveryPartOfEveryJobOnce) {
    ThreadPool pool(4);
    std::vector<int> calls(37);
    for (int job = 1; job <= 2000; ++job) {
        const auto count = static_cast<std::uint32_t>(job % 38);
        const std::vector<int> before = calls;
        pool.run(count, [&](std::uint32_t part) { ++calls[part]; });
        for (std::uint32_t part = 0; part < calls.size(); ++part) {
            ASSERT_EQ(calls[part], before[part] + (part < count ? 1 : 0)) << "job " << job;
        }
    }
}

TEST(ThreadPool, SeesWhatWasWrittenBeforeAndShowsWhatItWrote) {
    ThreadPool pool(3);
    std::vector<long> values(100, 1);
    for (int job = 0; job < 500; ++job) {
        const long sum = std::accumulate(values.begin(), values.end(), 0L) % 1000;
        pool.run(100, [&](std::uint32_t part) { values[part] = sum + part; });
        ASSERT_EQ(std::accumulate(values.begin(), values.end(), 0L), 100 * sum + 99 * 50);
    }
}

TEST(ThreadPool, OfOneIsTheCaller) {
    ThreadPool pool(1);
    const auto caller = std::this_thread::get_id();
    pool.run(5, [&](std::uint32_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

} // namespace
} // namespace rubato::engine
