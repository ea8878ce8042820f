// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/files/csv.hpp>
#include <rubato/pipeline/sweep_plan.hpp>
#include <rubato/private/format.hpp>

#include <cmath>
#include <string_view>

namespace rubato::pipeline {
namespace {

constexpr auto forms =
    "write PATH=FROM:TO:STEP, PATH=A,B,C, PATH=random:LOW:HIGH or PATH=lhs:LOW:HIGH, with a number "
    "of samples PATH=lhs:N:LOW:HIGH";

[[noreturn]] void refuse(const std::string& text, const std::string& why,
                         std::string_view hint = forms) {
    throw InputError(format("--vary {}: {}", text, why), hint);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.push_back(files::trimmed(text.substr(0, at)));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

double number_of(std::string_view part, const std::string& text) {
    const auto number = files::parse_real(part);
    if (!number || !std::isfinite(*number)) refuse(text, format("\"{}\" is no number", part));
    return *number;
}

std::size_t count_of(std::string_view part, const std::string& text) {
    const auto count = files::parse_integer(part);
    if (!count || *count < 1)
        refuse(text, format("\"{}\" is no number of samples", part),
               "write a whole number above 0, such as lhs:100:50:200");
    return static_cast<std::size_t>(*count);
}

/// The nearest number of 15 digits: 3 · 0.1 is 0.3.
double rounded(double value) { return files::parse_real(format("{:.15g}", value)).value_or(value); }

std::vector<Value> range(const std::vector<std::string_view>& parts, const std::string& text) {
    const double from = number_of(parts[0], text), to = number_of(parts[1], text),
                 step = number_of(parts[2], text);
    if (step == 0) refuse(text, "the step is 0");
    if ((to - from) * step < 0)
        refuse(text,
               format("a step of {} does not lead from {} to {}", shortest(step), shortest(from),
                      shortest(to)),
               "the step of a decreasing range is negative, that of an increasing one positive");
    constexpr double rounding = 1e-9; // of a step
    const double steps = std::floor((to - from) / step + rounding);
    if (!(steps < static_cast<double>(SweepPlan::most_runs)))
        refuse(text,
               format("the range has {} values; a sweep has at most {} runs", shortest(steps + 1),
                      SweepPlan::most_runs),
               "choose a larger step");
    constexpr double exact = 9e15; // doubles below it hold all whole numbers
    bool is_whole = std::abs(from) < exact && std::abs(to) < exact;
    for (const std::string_view part : parts)
        is_whole = is_whole && files::parse_integer(part).has_value();
    std::vector<Value> values;
    for (double i = 0; i <= steps; ++i) {
        const double value = from + i * step;
        if (is_whole)
            values.emplace_back(static_cast<std::int64_t>(std::llround(value)));
        else
            values.emplace_back(rounded(value));
    }
    return values;
}

Value listed_value(std::string_view part, const std::string& text) {
    if (part.empty()) refuse(text, "a value of the list is empty");
    if (const auto integer = files::parse_integer(part)) return *integer;
    if (const auto real = files::parse_real(part)) {
        if (!std::isfinite(*real)) refuse(text, format("\"{}\" is no finite number", part));
        return *real;
    }
    if (part == "true" || part == "false") return part == "true";
    if (part.find(':') != std::string_view::npos)
        refuse(text, format("\"{}\" is neither a value nor a range", part));
    return std::string(part);
}

std::vector<Value> list(std::string_view given, const std::string& text) {
    if (given.starts_with('[') && given.ends_with(']')) given = given.substr(1, given.size() - 2);
    std::vector<Value> values;
    for (const std::string_view part : split(given, ','))
        values.push_back(listed_value(part, text));
    return values;
}

void read_samples(Variation& variation, std::vector<std::string_view> parts,
                  const std::string& text) {
    variation.sampling = parts[0] == "lhs" ? Sampling::hypercube : Sampling::random;
    if (parts.size() == 4) {
        variation.samples = count_of(parts[1], text);
        parts.erase(parts.begin() + 1);
    }
    if (parts.size() != 3) refuse(text, format("{} needs a lower and an upper bound", parts[0]));
    variation.low = number_of(parts[1], text);
    variation.high = number_of(parts[2], text);
    if (!std::isfinite(variation.high - variation.low)) refuse(text, "the range is too wide");
    if (!(variation.low < variation.high))
        refuse(text,
               format("{} is not less than {}", shortest(variation.low), shortest(variation.high)),
               "write the lower bound first");
}

} // namespace

Variation parse_variation(const std::string& text) {
    const std::size_t equals = text.find('=');
    Variation variation{.path = std::string(files::trimmed(text.substr(0, equals))), .text = text};
    if (equals == std::string::npos || variation.path.empty()) refuse(text, "it names no values");
    const std::string_view given = files::trimmed(std::string_view(text).substr(equals + 1));
    if (given.empty()) refuse(text, "it names no values");
    const std::vector<std::string_view> parts = split(given, ':');
    if (parts[0] == "lhs" || parts[0] == "random")
        read_samples(variation, parts, text);
    else if (parts.size() == 3)
        variation.values = range(parts, text);
    else
        variation.values = list(given, text);
    return variation;
}

} // namespace rubato::pipeline
