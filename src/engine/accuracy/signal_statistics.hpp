// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "couplings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace rubato::engine {

/// From the smallest to the largest value.
struct Range {
    double least = HUGE_VAL;
    double most = -HUGE_VAL;

    void add(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    void add(const Range& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
    double middle() const { return 0.5 * (least + most); }
    double width() const { return most > least ? most - least : 0; }
    double size() const { return most >= least ? std::max(std::abs(least), std::abs(most)) : 0; }
};

/// The run is cut into so many windows of one length, to see whether values grow from one to the
/// next.
inline constexpr std::size_t window_count = 16;

/// What a source does in the course of a run. Allocates nothing.
class SignalStatistics {
public:
    /// A step has ended in the window.
    void note(const Source& source, double step, std::size_t window);
    /// What is known of the step before the one noted last is settled: the next takes its place.
    void settle_last() { since_jump_ = std::min(since_jump_ + 1, long_ago); }

    /// Steps since the last jump, seen from the step before the one noted last; 0: it was in that
    /// step.
    unsigned since_jump() const { return since_jump_; }
    /// The same of the step noted last, as far as one side shows it.
    bool ends_with_jump() const;

    const Range& range() const { return range_; }
    const Range& range(std::size_t window) const { return windows_[window]; }
    /// Of the present window, with the one before it as long as it shows no whole oscillation.
    const Range& recent() const { return recent_; }
    /// How often it turned from rising to falling and back.
    std::uint32_t turns(std::size_t window) const { return turns_[window]; }
    std::uint32_t turns() const;
    std::uint32_t steps(std::size_t window) const { return steps_[window]; }
    /// Over the step noted last.
    double change() const { return change_; }
    /// The same without its sign, and of the step before.
    double size() const { return last_.size; }
    double size_before() const { return before_.size; }

private:
    static constexpr unsigned long_ago = 1000;
    /// By how much it went, and how fast.
    struct Change {
        double size = 0, slope = 0;
        bool is_jump_beside(const Change& other) const {
            // A resolved signal changes little more in a step than in both of its neighbours.
            constexpr double much = 10;
            return size > much * other.size && slope > much * other.slope;
        }
    };

    Range range_;
    std::array<Range, window_count> windows_{};
    std::array<std::uint32_t, window_count> turns_{}, steps_{};
    Range recent_;
    double change_ = 0, direction_ = 0;
    Change last_, before_, before_that_; ///< of the step noted last, and of those before
    unsigned since_jump_ = long_ago;
};

/// How the range of a source goes from window to window up to the end.
struct Trend {
    double factor = 1;     ///< from the first of these windows to the last
    std::size_t first = 0; ///< window
    std::size_t last = 0;
    std::uint32_t turns = 0; ///< from rising to falling and back
    bool is_resolved = true; ///< it turns, and grows, little in a step
};

/// Growth (or decay) in each of many windows up to the end; a factor of 1: there is none.
Trend find_growth(const SignalStatistics& signal);
Trend find_decay(const SignalStatistics& signal);

} // namespace rubato::engine
