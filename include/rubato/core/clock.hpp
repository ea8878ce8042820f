// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace rubato {

/// What makes a clock tick: time, at intervals that are known in one of these ways, or an event
/// (FMI 3.0, section 2.2.8, table of clock types).
enum class ClockKind : std::uint8_t {
    constant,  ///< periodic; the interval is written in the description
    fixed,     ///< periodic; the interval depends on parameters
    tunable,   ///< periodic; the interval may change while the unit runs
    changing,  ///< at every tick the unit gives the time of the next one
    countdown, ///< at any event the unit may give the time of the next tick
    triggered, ///< by an event
};
std::string_view to_string(ClockKind kind);

constexpr bool is_timed(ClockKind kind) { return kind != ClockKind::triggered; }
constexpr bool is_periodic(ClockKind kind) { return kind <= ClockKind::tunable; }

/// When a periodic clock ticks: at start + shift + n·interval.
struct ClockPeriod {
    double interval = 0; ///< [s]
    double shift = 0;    ///< [s]
    /// The same in whole parts of a second, where given so; 0: not given.
    std::uint64_t resolution = 0;
    std::uint64_t interval_counter = 0, shift_counter = 0;
    friend bool operator==(const ClockPeriod&, const ClockPeriod&) = default;
};

struct ClockAttributes {
    ClockKind kind = ClockKind::triggered;
    std::optional<ClockPeriod> period; ///< of a periodic clock, if it is written down
    bool gives_fractions = false;      ///< its unit gives intervals as whole parts of a second, too
    friend bool operator==(const ClockAttributes&, const ClockAttributes&) = default;
};

} // namespace rubato
