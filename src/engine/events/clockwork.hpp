// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/event_calls.hpp"
#include "program/state_archive.hpp"

#include <rubato/core/time.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rubato::engine {

inline constexpr Time never{std::numeric_limits<double>::infinity()};

/// Knows when the clocks tick that time drives: periodic ones at start + shift + n·interval, never
/// accumulated; the others when their units say so.
class Clockwork {
public:
    /// What comes less than `tolerance` later comes at once.
    Clockwork(std::span<EventClock> clocks, Duration tolerance);

    /// Asks the units, which initialize.
    void start(Time start);
    Time next() const { return next_; }
    /// Marks those that are due; returns whether there are any.
    bool tick(Time now);
    /// Asks the units when clocks are to tick next, after an instant of event mode in which those
    /// have ticked that are `active`.
    void reset(Time now);
    void visit_state(StateArchive& archive) { archive(clocks_, next_); }

private:
    struct TimedClock {
        EventClock* clock = nullptr;
        ClockPeriod period;      ///< of a periodic one
        bool is_written = false; ///< the period is known without asking
        Time origin;             ///< of a periodic one: what its ticks count from
        std::uint64_t ticks = 0; ///< since then
        Time next;               ///< infinite: it is not to tick for now
        double interval = 0;     ///< that led there

        void visit_state(StateArchive& archive) { archive(period, origin, ticks, next, interval); }
    };

    void start_period(TimedClock& clock, Time start);
    void take(TimedClock& clock, Time now);
    void retune(TimedClock& clock, Time now);
    static Time tick_of(const TimedClock& clock);
    unit::ClockInterval ask(TimedClock& clock) const;
    void update_next();

    std::vector<TimedClock> clocks_;
    Duration tolerance_;
    Time next_;
};

} // namespace rubato::engine
