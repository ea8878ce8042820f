// SPDX-License-Identifier: Apache-2.0
#include "reference_text.hpp"

#include <rubato/pipeline/verdict.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>

namespace rubato::cli {
namespace {

using engine::Convergence;
using engine::CouplingError;
using engine::RefinedError;
using pipeline::fold;
using pipeline::Grade;
using pipeline::grade_of_growth;
using pipeline::name_of;
using pipeline::percent;
using pipeline::Reference;
using pipeline::worst_coupling;
using report::Align;
using report::human_number;
using report::TextTable;

std::vector<std::string> cells_of(const RefinedError& error) {
    switch (error.convergence) {
    case Convergence::none: return {error.name, "unknown", "", "unknown", "none", error.unit};
    case Convergence::no_change: return {error.name, "none seen", "", "none seen", "", error.unit};
    case Convergence::observed: break;
    }
    const std::string mark = error.is_sure() ? "" : " ?";
    return {error.name,
            format("{:.3g}", error.largest) + mark,
            percent(error.range > 0 ? error.largest / error.range : 0) + mark,
            format("{:.3g}", error.final) + mark,
            format("{:.2f}", error.order),
            error.unit};
}

/// "x, y and 3 more": those that are so.
template <class Is>
std::string names_of(std::span<const RefinedError> errors, Is is) {
    constexpr std::size_t most_listed = 4;
    std::vector<std::string> names;
    std::size_t more = 0;
    for (const RefinedError& error : errors) {
        if (!is(error)) continue;
        names.size() < most_listed ? names.push_back(error.name) : (void)++more;
    }
    return format("{}{}", fmt::join(names, ", "), more > 0 ? format(" and {} more", more) : "");
}

/// Units that may not react to steps so short.
std::string slow_units(const pipeline::Assembly& assembly) {
    std::string text;
    const double step = assembly.scenario.experiment.step;
    for (std::size_t u = 0; u < assembly.descriptions.size(); ++u) {
        const auto& proposed = assembly.descriptions[u].default_experiment.step;
        if (!assembly.descriptions[u].interface || !proposed || *proposed <= step) continue;
        text +=
            format("    unit \"{}\" proposes steps of {} s, longer than here: if its own solver "
                   "makes no shorter ones, its error does not show\n",
                   assembly.scenario.units[u].name, human_number(*proposed));
    }
    return text;
}

/// Why differences may not fall with the step, as far as they tell.
std::string why_none(std::span<const RefinedError> errors, const engine::Trust& trust) {
    if (trust.growth && grade_of_growth(*trust.growth) >= Grade::perhaps_unstable)
        return "; the coupling may be unstable with all of them";
    const bool are_large = std::ranges::any_of(errors, [](const RefinedError& e) {
        return e.convergence == Convergence::none && e.largest > 0.5 * e.range;
    });
    return are_large ? "; they are as large as the values, so all steps are too long" : "";
}

std::string doubts(const Reference& reference, const engine::Trust& trust) {
    std::string text;
    const auto add = [&](const std::string& names, const std::string& what) {
        if (!names.empty()) text += format("    {}: {}\n", names, what);
    };
    add(names_of(reference.errors,
                 [](const RefinedError& e) { return e.convergence == Convergence::none; }),
        "no convergence observed, error unknown: differences between runs do not fall with the "
        "step" +
            why_none(reference.errors, trust));
    add(names_of(reference.errors,
                 [](const RefinedError& e) { return e.convergence == Convergence::no_change; }),
        "the same with every step: the coupling does nothing to it; what the unit's own solver "
        "misses does not show here");
    double most = 0;
    const auto is_reduced = [&](const RefinedError& e) {
        const bool is = e.convergence == Convergence::observed && !e.is_sure() &&
                        e.underestimate.value_or(0) > 1;
        if (is) most = std::max(most, *e.underestimate);
        return is;
    };
    const std::string reduced = names_of(reference.errors, is_reduced);
    add(reduced, format("not sure: from t = {} s on, steps of H/{} show errors up to {} times "
                        "the estimate; the coupling is faster than the steps, and all runs may "
                        "agree on something wrong",
                        human_number(reference.from.seconds), reference.parts, fold(most)));
    add(names_of(reference.errors,
                 [&](const RefinedError& e) {
                     return e.convergence == Convergence::observed && !e.is_sure() &&
                            !is_reduced(e);
                 }),
        "not sure: the order is so low that most of the error is extrapolated");
    return text;
}

/// What the errors of inputs have become.
std::string meaning(const Reference& reference, const engine::Trust& trust) {
    const auto relative = [](const RefinedError& e) {
        return e.is_sure() && e.range > 0 ? e.largest / e.range : 0;
    };
    const auto most = std::ranges::max_element(reference.errors, {}, relative);
    const CouplingError* const worst = worst_coupling(trust);
    if (!worst || most == reference.errors.end() || relative(*most) == 0) return {};
    return format("    inputs within {} of their range ({}) have become errors of up to {} ({})\n",
                  percent(worst->relative()), name_of(*worst), percent(relative(*most)),
                  most->name);
}

} // namespace

std::string reference_text(const Reference& reference, const pipeline::Assembly& assembly,
                           const engine::Trust& trust, const Style& style) {
    TextTable table({{"variable"},
                     {"largest error", Align::right},
                     {"", Align::right},
                     {"at the end", Align::right},
                     {"order", Align::right},
                     {"unit"}});
    for (const RefinedError& error : reference.errors) table.add(cells_of(error));
    std::string text =
        "\n  " + style.dim("errors, from runs with steps of half and a quarter of the length") +
        "\n" + table.to_string(4) + doubts(reference, trust) + slow_units(assembly) +
        meaning(reference, trust);
    if (!reference.fault.empty())
        text += "    not sure: no run with far shorter steps could be made to compare with: " +
                reference.fault + "\n";
    return text;
}

} // namespace rubato::cli
