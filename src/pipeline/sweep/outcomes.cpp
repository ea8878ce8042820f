// SPDX-License-Identifier: Apache-2.0
#include "sweep/outcomes.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/files/csv.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/results_plot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace rubato::pipeline {
namespace {

using Kind = Outcome::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 4> kinds = {
    {{"last", Kind::last}, {"min", Kind::min}, {"max", Kind::max}, {"when", Kind::when}}};

std::string_view to_string(Kind kind) {
    return std::ranges::find(kinds, kind, &std::pair<std::string_view, Kind>::second)->first;
}

[[noreturn]] void refuse_outcome(const std::string& wish, const std::string& why) {
    throw InputError(format("--outcome {}: {}", wish, why),
                     "write last:VARIABLE, min:VARIABLE, max:VARIABLE, or \"when:VARIABLE>NUMBER\" "
                     "for the first time at which that holds");
}

/// What stands behind the colon: a pattern, and for `when` a relation.
struct Request {
    Kind kind = Kind::last;
    std::string pattern;
    bool is_above = true;
    double threshold = 0;
};

Request parse(const std::string& wish) {
    const std::size_t colon = wish.find(':');
    const auto kind = std::ranges::find(kinds, wish.substr(0, colon),
                                        [](const auto& each) { return std::string(each.first); });
    if (colon == std::string::npos || kind == kinds.end()) refuse_outcome(wish, "it is no outcome");
    Request request{.kind = kind->second, .pattern = wish.substr(colon + 1)};
    if (request.kind == Kind::when) {
        const std::size_t relation = request.pattern.find_first_of("<>");
        if (relation == std::string::npos) refuse_outcome(wish, "it has no > or <");
        request.is_above = request.pattern[relation] == '>';
        const std::string text = request.pattern.substr(relation + 1);
        const auto number = files::parse_real(text);
        if (!number || !std::isfinite(*number))
            refuse_outcome(wish, format("\"{}\" is no number", text));
        request.threshold = *number;
        request.pattern.resize(relation);
    }
    request.pattern = std::string(files::trimmed(request.pattern));
    if (request.pattern.empty()) refuse_outcome(wish, "it names no variable");
    return request;
}

Outcome outcome_of(const Request& request, std::size_t variable, const std::string& name) {
    Outcome outcome{.kind = request.kind,
                    .variable = variable,
                    .is_above = request.is_above,
                    .threshold = request.threshold,
                    .name = format("{}:{}", to_string(request.kind), name)};
    if (request.kind == Kind::when)
        outcome.name += (request.is_above ? ">" : "<") + shortest(request.threshold);
    return outcome;
}

std::size_t index_of(std::span<const std::string> variables, const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(variables, name) - variables.begin());
}

} // namespace

std::vector<Outcome> parse_outcomes(std::span<const std::string> wishes,
                                    std::span<const std::string> variables) {
    std::vector<Outcome> outcomes;
    if (wishes.empty())
        for (std::size_t v = 0; v < variables.size(); ++v)
            for (const Kind kind : {Kind::last, Kind::min, Kind::max})
                outcomes.push_back(outcome_of({.kind = kind, .pattern = {}}, v, variables[v]));
    for (const std::string& wish : wishes) {
        const Request request = parse(wish);
        for (const std::string& name : report::select_names(variables, {&request.pattern, 1})) {
            Outcome outcome = outcome_of(request, index_of(variables, name), name);
            if (std::ranges::find(outcomes, outcome.name, &Outcome::name) != outcomes.end())
                refuse_outcome(wish, format("\"{}\" is tabulated twice", outcome.name));
            outcomes.push_back(std::move(outcome));
        }
    }
    return outcomes;
}

} // namespace rubato::pipeline
