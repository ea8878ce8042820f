// SPDX-License-Identifier: Apache-2.0
#include "findings.hpp"

#include <rubato/private/format.hpp>

#include <map>

namespace rubato::unit {

namespace {

std::string located(const Finding& finding) {
    const std::string where = to_string(finding.where);
    return where.empty() ? finding.message : where + ": " + finding.message;
}

} // namespace

void Findings::add(Rule rule, Location where, std::string message, std::string hint) {
    all_.push_back({rule, std::move(where), std::move(message), std::move(hint)});
}

void Findings::throw_if_refused(Strictness strictness) const {
    const bool strict = strictness == Strictness::strict;
    Diagnostics diagnostics;
    for (const Finding& finding : all_) {
        const RuleText& rule = text_of(finding.rule);
        const bool refused = rule.treatment == Treatment::refused;
        if (!refused && !strict) continue;
        diagnostics.error(finding.where,
                          refused
                              ? finding.message
                              : format("{} ({}, refused by --strict)", finding.message, rule.id),
                          finding.hint);
    }
    diagnostics.throw_if_errors();
}

void Findings::summarize(std::string_view file, Log& log) const {
    struct Broken {
        const Finding* first = nullptr;
        std::size_t count = 0;
    };
    std::map<Rule, Broken> broken;
    for (const Finding& finding : all_) {
        Broken& rule = broken[finding.rule];
        if (rule.count++ == 0) rule.first = &finding;
    }
    for (const auto& [rule, found] : broken) {
        const RuleText& text = text_of(rule);
        const std::string others =
            found.count == 1 ? "" : format(" (and {} more)", found.count - 1);
        const int line = found.first->where.line;
        log.write(LogLevel::info, "",
                  format("{}: breaks the rule {}: {}{}{}; {}", file, text.id,
                         line > 0 ? format("line {}: ", line) : "", found.first->message, others,
                         text.consequence));
    }
}

Refusal::Refusal(Finding finding)
    : InputError(located(finding), finding.hint), finding_(std::move(finding)) {}

} // namespace rubato::unit
