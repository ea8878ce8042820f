// SPDX-License-Identifier: Apache-2.0
#include <rubato/composite/composite_unit.hpp>
#include <rubato/pipeline/verdict.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace rubato::pipeline {

engine::Trust trust_of(const engine::Simulation& simulation) {
    engine::Trust trust = simulation.trust();
    const auto take_worse = [](auto& known, const auto& other, auto&& size) {
        if (other && (!known || size(*other) > size(*known))) known = other;
    };
    for (std::size_t u = 0; u < simulation.system().units.size(); ++u) {
        const auto* const inner = composite::inner_simulation(simulation.unit(nth<UnitId>(u)));
        if (!inner) continue;
        const engine::Trust within = trust_of(*inner);
        std::ranges::copy(within.couplings, std::back_inserter(trust.couplings));
        std::ranges::copy(within.bonds, std::back_inserter(trust.bonds));
        take_worse(trust.growth, within.growth,
                   [](const auto& trend) { return trend.of_coupling; });
        take_worse(trust.decay, within.decay, [](const auto& trend) { return -trend.of_coupling; });
        trust.undamped.growth = std::max(trust.undamped.growth, within.undamped.growth);
        if (std::abs(within.undamped.drift) > std::abs(trust.undamped.drift))
            trust.undamped.drift = within.undamped.drift;
    }
    return trust;
}

using engine::BondBalance;
using engine::CouplingError;
using report::human_number;
using report::plural;

std::string_view to_string(Grade grade) {
    switch (grade) {
    case Grade::good: return "good";
    case Grade::fair: return "fair";
    case Grade::rough: return "rough";
    case Grade::poor: return "poor";
    case Grade::perhaps_unstable: return "perhaps unstable";
    case Grade::unstable: return "unstable";
    }
    return "";
}

Grade grade_of(double relative) {
    if (relative <= 1e-3) return Grade::good;
    if (relative <= 1e-2) return Grade::fair;
    return relative <= 1e-1 ? Grade::rough : Grade::poor;
}

Grade grade_of_growth(const engine::CouplingTrend& growth) {
    constexpr double most = 0.5; // of it comes from the coupling
    constexpr double large = 10; // more than other motion is likely to grow by so steadily
    constexpr double huge = 1e4;
    const double part = std::log(growth.of_coupling) / std::log(growth.factor);
    if (growth.is_resolved && part < most) return grade_of(growth.of_coupling - 1);
    // Inputs that are late enough for far more than is seen are held back by damping, which may be
    // all that they do, and the growth that of the system.
    constexpr double least_match = 0.7, most_match = 1.5;
    const bool matches = part >= least_match && part <= most_match;
    const bool is_sure = growth.factor >= huge || (growth.factor >= large && matches);
    return is_sure && !growth.is_driven ? Grade::unstable : Grade::perhaps_unstable;
}

bool may_be_damped(const engine::Trust& trust) {
    constexpr double much = 0.3;
    return trust.decay && trust.decay->share() >= much;
}

const CouplingError* worst_coupling(const engine::Trust& trust) {
    const auto worst = std::ranges::max_element(trust.couplings, {}, &CouplingError::relative);
    return worst != trust.couplings.end() && worst->range > 0 ? &*worst : nullptr;
}

std::string percent(double part) { return format("{:.3g} %", 100 * part); }

std::string fold(double factor) { return human_number(std::stod(format("{:.2g}", factor))); }

std::string name_of(const CouplingError& error) { return error.from + " -> " + error.to; }

namespace {

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

/// What the map of a step says of growth that the run alone does not explain.
std::string cause_text(const GrowthCause& cause) {
    const std::string radius = format("spectral radius {:.8g} of a step", cause.radius);
    switch (cause.kind) {
    case GrowthCause::Kind::coupling:
        return format("the coupling is unstable: {}; rubato stability shows where", radius);
    case GrowthCause::Kind::system:
        return format("the system itself grows: {}, and shorter steps do not change it", radius);
    case GrowthCause::Kind::drive:
        return format("what drives it makes it grow: perturbations decay ({})", radius);
    }
    return "";
}

/// The grade of growth and the text for it.
std::pair<Grade, std::string> judge_growth(const engine::CouplingTrend& growth,
                                           const std::optional<GrowthCause>& cause) {
    const Grade grade = grade_of_growth(growth);
    if (grade != Grade::perhaps_unstable || !cause) return {grade, growth_text(growth, grade)};
    const bool is_unstable = cause->kind == GrowthCause::Kind::coupling;
    return {is_unstable ? Grade::unstable : Grade::fair,
            trend_text(growth) + "; " + cause_text(*cause)};
}

std::string not_finite_text(const engine::Summary& summary) {
    const engine::NotFinite& first = summary.not_finite.front();
    std::string text = format("{} is {} from t = {} s on", first.variable,
                              human_number(first.value), human_number(first.first.seconds));
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

TrustVerdict trust_verdict(const engine::Trust& trust, const engine::Summary& summary,
                           const std::optional<GrowthCause>& cause) {
    if (trust.couplings.empty() && summary.not_finite.empty()) return {};
    const CouplingError* const worst = worst_coupling(trust);
    const Grade of_inputs = worst ? grade_of(worst->relative()) : Grade::good;
    const auto [of_growth, about_growth] =
        trust.growth ? judge_growth(*trust.growth, cause) : std::pair(Grade::good, std::string());
    Grade grade = std::max(of_inputs, of_growth);
    std::vector<std::string> reasons;
    if (of_growth > Grade::good) reasons.push_back(about_growth);
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
    return {grade, std::move(lines)};
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

} // namespace rubato::pipeline
