// SPDX-License-Identifier: Apache-2.0
#include "signal_statistics.hpp"

#include <numeric>
#include <vector>

namespace rubato::engine {

void SignalStatistics::note(const Source& source, double step, std::size_t window) {
    const bool has_past = source.known > 0;
    Range& present = windows_[window];
    if (has_past && steps_[window] == 0) present.add(source.past[0]);
    present.add(source.value);
    if (has_past) range_.add(source.past[0]);
    range_.add(source.value);
    ++steps_[window];
    change_ = has_past ? source.value - source.past[0] : 0;
    if (change_ * direction_ < 0) ++turns_[window];
    if (change_ != 0) direction_ = change_;
    constexpr std::uint32_t whole_turn = 3; // from one turn to the next but one
    recent_ = present;
    if (window > 0 && turns_[window] < whole_turn) recent_.add(windows_[window - 1]);

    before_that_ = before_;
    before_ = last_;
    last_ = {std::abs(change_), std::abs(change_) / step};
    if (before_.is_jump_beside(before_that_) && before_.is_jump_beside(last_)) since_jump_ = 0;
}

std::uint32_t SignalStatistics::turns() const {
    return std::accumulate(turns_.begin(), turns_.end(), 0u);
}

bool SignalStatistics::ends_with_jump() const {
    return last_.is_jump_beside(before_) && last_.is_jump_beside(before_that_);
}

namespace {

/// How many windows in a row, and by how much, before it passes for a trend: a random signal makes
/// such a row once in 720, 120 and 24 times.
struct Row {
    std::size_t merged; ///< windows that are taken together
    std::size_t least_count;
    double least_factor;
};
constexpr Row rows[] = {{1, 6, 1.2}, {2, 5, 1.5}, {4, 4, 3}};

struct Window {
    double width = 0;
    std::uint32_t turns = 0, steps = 0;
};

std::vector<Window> merged(const SignalStatistics& signal, std::size_t count) {
    std::vector<Window> result;
    for (std::size_t w = 0; w < window_count; w += count) {
        Range range;
        Window window;
        for (std::size_t i = w; i < w + count; ++i) {
            range.add(signal.range(i));
            window.turns += signal.turns(i);
            window.steps += signal.steps(i);
        }
        constexpr std::uint32_t least_steps = 2;
        if (window.steps < least_steps) break;
        window.width = range.width();
        result.push_back(window);
    }
    return result;
}

Trend trend(const SignalStatistics& signal, const Row& row, bool grows) {
    const std::vector<Window> windows = merged(signal, row.merged);
    if (windows.size() < row.least_count) return {};
    const std::size_t last = windows.size() - 1;
    // What has decayed so far is noise; what grows may have begun so.
    const double least = grows ? 0 : 1e-9 * signal.range().width();
    std::size_t first = last;
    while (first > 0 && windows[first - 1].width > least &&
           (windows[first - 1].width < windows[first].width) == grows &&
           windows[first - 1].width != windows[first].width)
        --first;
    if (last - first + 1 < row.least_count) return {};
    const double factor = windows[last].width / windows[first].width;
    if (std::max(factor, 1 / factor) < row.least_factor) return {};
    std::uint32_t turns = 0, steps = 0;
    for (std::size_t w = first; w <= last; ++w) {
        turns += windows[w].turns;
        steps += windows[w].steps;
    }
    constexpr std::uint32_t least_steps_a_turn = 3;
    constexpr double most_in_a_step = 0.3;
    return {.factor = factor,
            .first = first * row.merged,
            .last = (last + 1) * row.merged - 1,
            .turns = turns,
            .is_resolved =
                turns * least_steps_a_turn < steps && std::log(factor) < most_in_a_step * steps};
}

Trend find(const SignalStatistics& signal, bool grows) {
    for (const Row& row : rows) {
        const Trend found = trend(signal, row, grows);
        if (found.factor != 1) return found;
    }
    return {};
}

} // namespace

Trend find_growth(const SignalStatistics& signal) { return find(signal, true); }
Trend find_decay(const SignalStatistics& signal) { return find(signal, false); }

} // namespace rubato::engine
