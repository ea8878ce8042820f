// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/real_time.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

namespace rubato::pipeline {
namespace {

class MachineClock final : public WallClock {
public:
    double now() override {
        return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
    }
    void wait_until(double then) override {
        const std::chrono::duration<double> left(then - now());
        if (left.count() > 0) std::this_thread::sleep_for(left);
    }

private:
    using Clock = std::chrono::steady_clock;
};

} // namespace

WallClock& machine_clock() {
    static MachineClock clock;
    return clock;
}

void RealTime::begin(Time start) {
    start_ = start;
    started_ = clock_.now();
    lateness_ = {};
}

void RealTime::reached(Time point) {
    constexpr double longest_wait = 0.01; // then a stop is looked for: signals wake other threads
    const double due = started_ + (point - start_).seconds / factor_;
    double now = clock_.now();
    ++lateness_.steps;
    if (now > due) {
        ++lateness_.late;
        lateness_.sum += now - due;
        if (now - due > lateness_.largest) {
            lateness_.largest = now - due;
            lateness_.largest_at = point;
        }
        return;
    }
    for (; now < due && !is_to_stop(); now = clock_.now())
        clock_.wait_until(std::min(due, now + longest_wait));
}

} // namespace rubato::pipeline
