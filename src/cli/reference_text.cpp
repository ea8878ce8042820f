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

/// "x, y and 3 more": variables for which `is` holds.
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

/// Units whose own step size may be larger than the communication step size.
std::string slow_units(const pipeline::Assembly& assembly) {
    std::string text;
    const double step = assembly.scenario.experiment.step;
    for (std::size_t u = 0; u < assembly.descriptions.size(); ++u) {
        const auto& proposed = assembly.descriptions[u].default_experiment.step;
        if (!assembly.descriptions[u].interface || !proposed || *proposed <= step) continue;
        text +=
            format("    unit \"{}\" suggests steps of {} s, larger than here: if its own solver "
                   "takes no smaller ones, its error is not visible\n",
                   assembly.scenario.units[u].name, human_number(*proposed));
    }
    return text;
}

/// A reason why differences may not decrease with the step size; empty: unknown.
std::string why_none(std::span<const RefinedError> errors, const engine::Trust& trust) {
    if (trust.growth && grade_of_growth(*trust.growth) >= Grade::perhaps_unstable)
        return "; the coupling may be unstable with all of them";
    const bool are_large = std::ranges::any_of(errors, [](const RefinedError& e) {
        return e.convergence == Convergence::none && e.largest > 0.5 * e.range;
    });
    return are_large ? "; they are as large as the values, so all step sizes are too large" : "";
}

std::string doubts(const Reference& reference, const engine::Trust& trust) {
    std::string text;
    const auto add = [&](const std::string& names, const std::string& what) {
        if (!names.empty()) text += format("    {}: {}\n", names, what);
    };
    add(names_of(reference.errors,
                 [](const RefinedError& e) { return e.convergence == Convergence::none; }),
        "no convergence observed, error unknown: differences between runs do not decrease with "
        "the step size" +
            why_none(reference.errors, trust));
    add(names_of(reference.errors,
                 [](const RefinedError& e) { return e.convergence == Convergence::no_change; }),
        "the same with every step size: the coupling has no influence on it; errors of the unit's "
        "own solver are not visible here");
    double most = 0;
    const auto is_reduced = [&](const RefinedError& e) {
        const bool is = e.convergence == Convergence::observed && !e.is_sure() &&
                        e.underestimate.value_or(0) > 1;
        if (is) most = std::max(most, *e.underestimate);
        return is;
    };
    const std::string reduced = names_of(reference.errors, is_reduced);
    add(reduced, format("uncertain: from t = {} s on, steps of H/{} show errors up to {} times "
                        "the estimate; the coupling is faster than the steps resolve, and all "
                        "runs may have the same error",
                        human_number(reference.from.seconds), reference.parts, fold(most)));
    add(names_of(reference.errors,
                 [&](const RefinedError& e) {
                     return e.convergence == Convergence::observed && !e.is_sure() &&
                            !is_reduced(e);
                 }),
        "uncertain: the order is so low that most of the error is extrapolated");
    return text;
}

/// How errors of inputs have propagated to the results.
std::string propagation(const Reference& reference, const engine::Trust& trust) {
    const auto relative = [](const RefinedError& e) {
        return e.is_sure() && e.range > 0 ? e.largest / e.range : 0;
    };
    const auto most = std::ranges::max_element(reference.errors, {}, relative);
    const CouplingError* const worst = worst_coupling(trust);
    if (!worst || most == reference.errors.end() || relative(*most) == 0) return {};
    return format(
        "    errors of inputs of up to {} of their range ({}) led to errors of up to {} ({})\n",
        percent(worst->relative()), name_of(*worst), percent(relative(*most)), most->name);
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
        "\n  " + style.dim("errors, estimated from runs with half and a quarter of the step size") +
        "\n" + table.to_string(4) + doubts(reference, trust) + slow_units(assembly) +
        propagation(reference, trust);
    if (!reference.fault.empty())
        text += "    uncertain: the run with much smaller steps to compare with failed: " +
                reference.fault + "\n";
    return text;
}

} // namespace rubato::cli
