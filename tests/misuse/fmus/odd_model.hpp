// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace rubato::test {

/// x' = -x, x(0) = 1, and a time event at t = 0.5 s that doubles x. Its identifier says what is odd
/// about it.
struct OddModel {
    std::string oddity;
    double time = 0;
    double x = 1;
    std::int32_t n = 0;            ///< a discrete input, for FMI 3.0
    bool is_told_the_time = false; ///< since states were set
    bool has_doubled = false;

    static constexpr double event_time = 0.5;

    bool is(std::string_view other) const { return oddity == other; }

    void set_time(double now) {
        time = now;
        is_told_the_time = true;
    }
    /// Returns whether that was allowed.
    bool set_state(double value) {
        x = value;
        const bool was_told = is_told_the_time;
        is_told_the_time = false;
        return was_told || !is("demands-time");
    }
    double nominal() const {
        if (is("zero-nominal")) return 0;
        return is("nan-nominal") ? std::numeric_limits<double>::quiet_NaN() : 1;
    }
    /// Returns whether it has changed the state.
    bool handle_event() {
        if (has_doubled || time < event_time) return false;
        x *= 2;
        return has_doubled = true;
    }
    bool expects_event() const { return !has_doubled; }
    double next_event() const {
        return is("nan-event") ? std::numeric_limits<double>::quiet_NaN() : event_time;
    }
    bool tells_changed_states() const { return !is("hides-changed-states"); }
    bool leaves_event_info() const { return is("leaves-event-info"); }
};

} // namespace rubato::test
