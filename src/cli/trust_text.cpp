// SPDX-License-Identifier: Apache-2.0
#include "trust_text.hpp"

#include "verdict.hpp"

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

std::string shares(const engine::Summary& summary) {
    const double steps = static_cast<double>(std::max<std::uint64_t>(summary.steps, 1));
    return percent(static_cast<double>(summary.steps - summary.missed) / steps);
}

std::string trend_text(const engine::CouplingTrend& trend) {
    const bool grows = trend.factor > 1;
    return format("{} has {} {}-fold since t = {} s", trend.from, grows ? "grown" : "shrunk",
                  fold(grows ? trend.factor : 1 / trend.factor), human_number(trend.since.seconds));
}

std::string growth_text(const engine::CouplingTrend& growth, Grade grade) {
    std::string text = trend_text(growth);
    if (!growth.is_resolved) return text + ", more than so long a step can show";
    if (grade == Grade::unstable) return text + ", as inputs that are late make it";
    if (grade == Grade::perhaps_unstable)
        return text + format("; inputs that are late can account for that, or {} does it",
                             growth.is_driven ? "what drives it" : "the system");
    return text + format("; inputs that are late may have changed that by up to {}",
                         percent(growth.of_coupling - 1));
}

std::string not_finite_text(const engine::Summary& summary) {
    const engine::NotFinite& first = summary.not_finite.front();
    std::string text = format("{} is {} from t = {} s on", first.variable,
                              report::human_number(first.value), human_number(first.first.seconds));
    if (summary.not_finite.size() > 1)
        text += format(", and {} more", plural(summary.not_finite.size() - 1, "variable"));
    return text;
}

std::string inputs_text(const CouplingError* worst) {
    if (!worst) return "no input moves by more than rounding and the tolerance of loops";
    return format("inputs within {} of the range of their values ({})", percent(worst->relative()),
                  name_of(*worst));
}

/// "3 jumps apart from that, at t = 1 to 7 s, the largest by 2 of relay.y -> room.u: …"
std::string jumps_text(const engine::Trust& trust) {
    const CouplingError* largest = nullptr;
    std::uint64_t count = 0;
    Time first{HUGE_VAL}, last{-HUGE_VAL};
    const auto part = [](const CouplingError& e) {
        return e.range > 0 ? e.largest_jump / e.range : 0;
    };
    for (const CouplingError& error : trust.couplings) {
        if (error.jumps == 0 || error.range == 0) continue;
        count += error.jumps;
        first = std::min(first, error.first_jump);
        last = std::max(last, error.last_jump);
        if (!largest || part(error) > part(*largest)) largest = &error;
    }
    if (!largest) return {};
    const std::string when =
        first == last ? human_number(first.seconds)
                      : format("{} to {}", human_number(first.seconds), human_number(last.seconds));
    return format("apart from {} at t = {} s, the largest of {} ({}): inputs see a jump up to a "
                  "step late",
                  plural(count, "jump"), when, human_number(largest->largest_jump),
                  name_of(*largest));
}

/// What small errors of inputs add up to where nothing damps them, and what is too little to be
/// seen as growth.
std::string undamped_text(const engine::Trust& trust) {
    constexpr double negligible = 0.01;
    constexpr double obvious = 1; // if it grew so much, that would be seen
    if (trust.growth || trust.decay) return {};
    const double growth = trust.undamped.growth - 1;
    std::vector<std::string> effects;
    if (growth >= negligible && growth <= obvious)
        effects.push_back(format("grow by {}", percent(growth)));
    if (trust.undamped.drift >= negligible)
        effects.push_back(format("shift by {:.2g} rad", trust.undamped.drift));
    if (effects.empty()) return {};
    return format("not sure: over this time the errors of inputs make an oscillation {}, unless "
                  "something damps it",
                  fmt::join(effects, " and "));
}

std::string decay_text(const engine::Trust& trust) {
    if (!may_be_damped(trust)) return {};
    return "not sure: " + trend_text(*trust.decay) +
           "; inputs that are early can account for that, or the system does it";
}

} // namespace

std::vector<std::string> verdict(const engine::Trust& trust, const engine::Summary& summary) {
    if (trust.couplings.empty() && summary.not_finite.empty()) return {};
    const CouplingError* const worst = worst_coupling(trust);
    const Grade of_inputs = worst ? grade_of(worst->relative()) : Grade::good;
    const Grade of_growth = trust.growth ? grade_of_growth(*trust.growth) : Grade::good;
    Grade grade = std::max(of_inputs, of_growth);
    std::vector<std::string> reasons;
    if (of_growth > Grade::good) reasons.push_back(growth_text(*trust.growth, of_growth));
    if (!summary.not_finite.empty()) {
        grade = std::max(grade, Grade::poor);
        reasons.push_back(not_finite_text(summary));
    }
    if (!trust.couplings.empty()) reasons.push_back(inputs_text(worst));
    if (!trust.bonds.empty()) {
        const auto bond = std::ranges::max_element(
            trust.bonds, {}, [](const BondBalance& b) { return std::abs(b.relative()); });
        reasons.push_back(format("bond \"{}\" has {} {} of its energy", bond->name,
                                 bond->created > 0 ? "gained" : "lost",
                                 percent(std::abs(bond->relative()))));
    }
    if (summary.missed > 0)
        reasons.push_back(format("{} missed the tolerance", plural(summary.missed, "step")));
    if (summary.not_converged > 0)
        reasons.push_back(
            format("{} did not converge", plural(summary.not_converged, "iteration")));
    std::vector<std::string> lines = {format("{}: {}", to_string(grade), fmt::join(reasons, "; "))};
    for (const std::string& line : {jumps_text(trust), decay_text(trust), undamped_text(trust)})
        if (!line.empty()) lines.push_back(line);
    return lines;
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
                         {"jumps", Align::right},
                         {"unit"}});
        for (const CouplingError& error : trust.couplings) {
            table.add({name_of(error), human_number(error.range), format("{:.3g}", error.largest),
                       percent(error.relative()), human_number(error.when.seconds),
                       format("{:.3g}", error.accumulated), std::to_string(error.jumps),
                       error.unit});
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

} // namespace rubato::cli
