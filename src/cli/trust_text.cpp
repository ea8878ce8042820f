// SPDX-License-Identifier: Apache-2.0
#include "trust_text.hpp"

#include <rubato/pipeline/verdict.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::cli {
namespace {

using engine::BondBalance;
using engine::CouplingError;
using pipeline::name_of;
using pipeline::percent;
using report::Align;
using report::human_number;
using report::TextTable;

std::string shares(const engine::Summary& summary) {
    const double steps = static_cast<double>(std::max<std::uint64_t>(summary.steps, 1));
    return percent(static_cast<double>(summary.steps - summary.missed) / steps);
}

} // namespace

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
                         {"jumps", Align::right},
                         {"unit"}});
        for (const CouplingError& error : trust.couplings) {
            table.add({name_of(error), human_number(error.range), format("{:.3g}", error.largest),
                       percent(error.relative()), human_number(error.when.seconds),
                       format("{:.3g}", error.accumulated), std::to_string(error.jumps),
                       error.unit});
        }
        text += "\n  " +
                style.dim("difference between the values of inputs and of the outputs they are "
                          "connected to") +
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
        std::string loops = format("at most {} of {} iterations", summary.most_iterations,
                                   scenario.algorithm.iteration_limit);
        const bool is_plain = std::ranges::all_of(summary.loops, [](const engine::LoopWork& loop) {
            return loop.method == scenario::LoopMethod::plain;
        });
        if (summary.contraction > 0 && is_plain)
            loops +=
                format("; each iteration reduces the change to {}", percent(summary.contraction));
        rest.add({"loops", loops});
    }
    if (!rest.empty()) text += "\n" + rest.to_string();
    return text;
}

} // namespace rubato::cli
