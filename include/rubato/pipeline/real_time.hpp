// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>
#include <rubato/engine/pacing.hpp>

#include <atomic>
#include <cstdint>

namespace rubato::pipeline {

/// The time that passes outside of a simulation.
class WallClock {
public:
    virtual ~WallClock() = default;
    virtual double now() = 0;                 ///< [s] since some time; never decreases
    virtual void wait_until(double then) = 0; ///< may return earlier
};

/// The monotonic clock of the machine.
WallClock& machine_clock();

/// How a run kept up with the wall clock.
struct Lateness {
    std::uint64_t steps = 0; ///< all
    std::uint64_t late = 0;  ///< that ended after their time
    double largest = 0;      ///< [s]
    Time largest_at;         ///< simulated time
    double sum = 0;          ///< [s], of the late ones

    double mean() const { return late == 0 ? 0 : sum / static_cast<double>(late); }
};

/// Lets simulated time pass as fast as the wall clock, times a factor: a step that ends before its
/// time waits. A step that ends after it does not wait, and so the run catches up.
class RealTime final : public engine::Pacing {
public:
    /// `factor` is positive: simulated seconds per second. The clock must outlive this.
    explicit RealTime(double factor, WallClock& clock = machine_clock())
        : factor_(factor), clock_(clock) {}

    /// No wait lasts longer than a few milliseconds once this is true. It must outlive the run.
    void stop_at(const std::atomic<bool>* stop) { stop_ = stop; }

    void begin(Time start) override;
    void reached(Time point) override;

    double factor() const { return factor_; }
    const Lateness& lateness() const { return lateness_; }

private:
    bool is_to_stop() const { return stop_ && stop_->load(std::memory_order_relaxed); }

    double factor_;
    WallClock& clock_;
    const std::atomic<bool>* stop_ = nullptr; ///< null: never
    Time start_;
    double started_ = 0; ///< by the wall clock
    Lateness lateness_;
};

} // namespace rubato::pipeline
