// SPDX-License-Identifier: Apache-2.0
#include "profile_text.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace rubato::cli {
namespace {

constexpr double flame_width = 40;
constexpr std::size_t most_profiled = 30;

/// A bar of `length` that begins at `begin`, as parts of the whole.
std::string flame_bar(double begin, double length) {
    const auto first = static_cast<std::size_t>(std::lround(begin * flame_width));
    const auto last = static_cast<std::size_t>(std::lround((begin + length) * flame_width));
    std::string text(first, ' ');
    if (last == first) return text + (length > 0 ? "▏" : "");
    for (std::size_t i = first; i < last; ++i) text += "█";
    return text;
}

std::string in_percent(double part) { return format("{:.1f} %", 100 * part); }

} // namespace

std::string profile_text(const pipeline::Profile& profile, double wall_seconds,
                         const Style& style) {
    using report::human_duration;
    const auto entries = profile.entries();
    double units = 0;
    for (const auto& entry : entries)
        if (entry.level == 0) units += entry.time.seconds;
    const double whole = std::max({units, wall_seconds, 1e-9}); // threads call units side by side
    report::TextTable table({{"unit"},
                             {"time", report::Align::right},
                             {"share", report::Align::right},
                             {"calls", report::Align::right},
                             {"steps", report::Align::right},
                             {"per step", report::Align::right},
                             {""}});
    const std::size_t shown = std::min(entries.size(), most_profiled);
    for (const auto& [unit, time, level, begin] : std::span(entries).first(shown)) {
        const double per_step =
            time.steps == 0 ? 0 : time.seconds / static_cast<double>(time.steps);
        table.add({std::string(2 * level, ' ') + unit, human_duration(time.seconds),
                   in_percent(time.seconds / whole), report::human_count(time.calls),
                   report::human_count(time.steps), human_duration(per_step),
                   flame_bar(begin / whole, time.seconds / whole)});
    }
    if (shown < entries.size()) table.add({format("… and {} more", entries.size() - shown)});
    if (units <= wall_seconds) {
        const double rest = wall_seconds - units;
        table.add({"(all else)", human_duration(rest), in_percent(rest / whole), "", "", "",
                   flame_bar(units / whole, rest / whole)});
    }
    return format("\n  {}\n{}", style.dim("wall time"), table.to_string(4));
}

} // namespace rubato::cli
