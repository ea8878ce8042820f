// SPDX-License-Identifier: Apache-2.0
#include "run_time_rules.hpp"

#include <rubato/private/format.hpp>

#include <cmath>
#include <limits>

namespace rubato::unit {

namespace {

/// Rules that change what is computed are worth more than a note.
LogLevel level_of(Rule rule) {
    const bool matters =
        rule == Rule::input_derivatives_refused || rule == Rule::event_mode_refused;
    return matters ? LogLevel::warning : LogLevel::info;
}

} // namespace

void RunTimeRules::broken(Rule rule, std::string_view call, std::string_view what) {
    if (is_paused_) return;
    const RuleText& text = text_of(rule);
    if (strictness_ == Strictness::strict)
        sink_.fault(call, format("{} ({}, refused by --strict)", what, text.id));
    const auto index = static_cast<std::size_t>(rule);
    if (told_[index]) return;
    told_.set(index);
    log_.write(level_of(rule), unit_,
               format("breaks the rule {}: {}: {}; {}", text.id, call, what, text.consequence));
}

void RunTimeRules::take_strings(std::span<const char* const> texts, std::span<std::string> targets,
                                std::string_view call) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (texts[i] == nullptr) broken(Rule::null_value, call, "a string is a null pointer");
        targets[i].assign(texts[i] == nullptr ? "" : texts[i]);
    }
}

std::optional<double> RunTimeRules::next_event(double announced, std::string_view call) {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (announced == never) return std::nullopt;
    if (std::isfinite(announced)) return announced;
    broken(Rule::next_event_time, call, format("it announces an event at {} s", announced));
    return std::nullopt;
}

} // namespace rubato::unit
