// SPDX-License-Identifier: Apache-2.0
#include "trust_text.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::cli {
namespace {

using engine::BondBalance;
using engine::CouplingError;
using report::Align;
using report::human_number;
using report::plural;
using report::TextTable;

std::string percent(double part) { return format("{:.3g} %", 100 * part); }

/// What an input error of so much, beside the range of the value, is worth.
std::string_view grade(double relative) {
    if (relative <= 1e-3) return "good";
    if (relative <= 1e-2) return "fair";
    return relative <= 1e-1 ? "rough" : "poor";
}

std::string name_of(const CouplingError& error) { return error.from + " -> " + error.to; }

std::string shares(const engine::Summary& summary) {
    const double steps = static_cast<double>(std::max<std::uint64_t>(summary.steps, 1));
    return percent(static_cast<double>(summary.steps - summary.missed) / steps);
}

} // namespace

std::string verdict(const engine::Trust& trust, const engine::Summary& summary) {
    if (trust.couplings.empty()) return {};
    const auto worst = std::ranges::max_element(trust.couplings, {}, &CouplingError::relative);
    std::string text =
        format("{}: inputs within {} of the range of their values ({})", grade(worst->relative()),
               percent(worst->relative()), name_of(*worst));
    if (!trust.bonds.empty()) {
        const auto bond = std::ranges::max_element(
            trust.bonds, {}, [](const BondBalance& b) { return std::abs(b.relative()); });
        text += format("; bond \"{}\" has {} {} of its energy", bond->name,
                       bond->created > 0 ? "gained" : "lost", percent(std::abs(bond->relative())));
    }
    if (summary.missed > 0)
        text += format("; {} missed the tolerance", plural(summary.missed, "step"));
    if (summary.not_converged > 0)
        text += format("; {} did not converge", plural(summary.not_converged, "iteration"));
    return text;
}

std::vector<std::string> bond_lines(const engine::Trust& trust) {
    std::vector<std::string> lines;
    for (const BondBalance& bond : trust.bonds) {
        const std::string_view unit = bond.is_measured ? " J" : "";
        lines.push_back(format("{}: {:.3g}{} {}, {} of {}{} exchanged", bond.name,
                               std::abs(bond.created), unit, bond.created < 0 ? "lost" : "created",
                               percent(std::abs(bond.relative())), human_number(bond.exchanged),
                               unit));
    }
    return lines;
}

std::string trust_text(const engine::Trust& trust, const engine::Summary& summary,
                       const scenario::Scenario& scenario, const Style& style) {
    std::string text;
    if (!trust.couplings.empty()) {
        TextTable table({{"connection"},
                         {"range", Align::right},
                         {"largest error", Align::right},
                         {"", Align::right},
                         {"at t [s]", Align::right},
                         {"accumulated", Align::right},
                         {"unit"}});
        for (const CouplingError& error : trust.couplings) {
            table.add({name_of(error), human_number(error.range), format("{:.3g}", error.largest),
                       percent(error.relative()), human_number(error.when.seconds),
                       format("{:.3g}", error.accumulated), error.unit});
        }
        text += "\n  " + style.dim("what inputs were given against what they should have been") +
                "\n" + table.to_string(4);
    }
    if (!trust.bonds.empty()) {
        TextTable table({{"bond"},
                         {"transferred", Align::right},
                         {"exchanged", Align::right},
                         {"created", Align::right},
                         {"", Align::right},
                         {"unit"}});
        for (const BondBalance& bond : trust.bonds) {
            table.add({bond.name, human_number(bond.transferred), human_number(bond.exchanged),
                       format("{:.3g}", bond.created), percent(bond.relative()),
                       bond.is_measured ? "J" : ""});
        }
        text += "\n  " + style.dim("energy") + "\n" + table.to_string(4);
    }
    TextTable rest({{""}, {""}});
    if (scenario.step_control.controller != scenario::StepController::fixed)
        rest.add({"steps within the tolerance", shares(summary)});
    if (summary.iterations > 0 && !scenario.algorithm.iterations) {
        std::string loops = format("{} of {} iterations at most", summary.most_iterations,
                                   scenario.algorithm.iteration_limit);
        const bool is_plain = std::ranges::all_of(summary.loops, [](const engine::LoopWork& loop) {
            return loop.method == scenario::LoopMethod::plain;
        });
        if (summary.contraction > 0 && is_plain)
            loops += format("; each leaves {} of the change", percent(summary.contraction));
        rest.add({"loops", loops});
    }
    if (!rest.empty()) text += "\n" + rest.to_string();
    return text;
}

std::string reference_text(std::span<const engine::RefinedError> errors, const Style& style) {
    TextTable table({{"variable"},
                     {"largest error", Align::right},
                     {"", Align::right},
                     {"at the end", Align::right},
                     {"order", Align::right},
                     {"unit"}});
    for (const engine::RefinedError& error : errors) {
        table.add({error.name, format("{:.3g}", error.largest),
                   percent(error.range > 0 ? error.largest / error.range : 0),
                   format("{:.3g}", error.final),
                   error.has_order ? format("{:.2f}", error.order) : "none", error.unit});
    }
    return "\n  " + style.dim("errors, from runs with steps of half and a quarter of the length") +
           "\n" + table.to_string(4);
}

} // namespace rubato::cli
