// SPDX-License-Identifier: Apache-2.0
#include "derivation.hpp"

#include <rubato/private/format.hpp>
#include <rubato/synthesis/roll_back.hpp>

#include <algorithm>

namespace rubato::synthesis {

using scenario::AlgorithmSettings;
using scenario::Recipe;
using scenario::System;

namespace {

void collect_saved(const algorithm::Body& body, std::vector<UnitId>& units) {
    for (const algorithm::Op& op : body) {
        if (const auto* save = std::get_if<algorithm::Save>(&op)) {
            units.push_back(save->unit);
        } else if (const auto* loop = std::get_if<algorithm::FixedPoint>(&op)) {
            collect_saved(loop->iterate, units);
        } else if (const auto* negotiation = std::get_if<algorithm::Negotiate>(&op)) {
            collect_saved(negotiation->iterate, units);
        } else if (const auto* section = std::get_if<algorithm::Parallel>(&op)) {
            for (const algorithm::Body& branch : section->bodies) collect_saved(branch, units);
        }
    }
}

std::vector<UnitId> stranded_in(const Loop& loop, const System& system) {
    std::vector<UnitId> units;
    for (const UnitId unit : loop.units) {
        if (!system.unit(unit).can_roll_back) units.push_back(unit);
    }
    return units;
}

std::string quoted(const System& system, std::span<const UnitId> units) {
    std::vector<std::string> names;
    for (const UnitId unit : units) names.push_back(format("\"{}\"", system.unit(unit).name));
    return format("{} {}", units.size() == 1 ? "unit" : "units", fmt::join(names, ", "));
}

/// Why the units of a loop must go back.
std::string reason(const Loop& loop, const System& system) {
    if (loop.kind == LoopKind::reactivity)
        return format("at each repetition of the {}", describe(loop, system));
    std::vector<UnitId> rejecting = loop.units;
    std::erase_if(rejecting, [&](UnitId unit) { return !system.unit(unit).can_reject_step; });
    const bool is_drawn_in = std::ranges::none_of(
        stranded_in(loop, system), [&](UnitId unit) { return system.unit(unit).can_reject_step; });
    return format("when {} {} a step{}, in the {}", quoted(system, rejecting),
                  rejecting.size() == 1 ? "rejects" : "reject",
                  is_drawn_in ? ", which takes values from the end of that step" : "",
                  describe(loop, system));
}

/// What can be done about the units themselves.
std::string export_advice(std::size_t count) {
    return format("export {} with the ability to save and restore {} state (an FMU: "
                  "canGetAndSetFMUstate)",
                  count == 1 ? "it" : "them", count == 1 ? "its" : "their");
}

void report(const Loop& loop, const System& before, const AlgorithmSettings& settings,
            const System& system, Diagnostics& diagnostics) {
    const std::vector<UnitId> units = stranded_in(loop, system);
    const bool is_one = units.size() == 1;
    auto alternatives = alternatives_to_roll_back(before, settings, units);
    alternatives.push_back(export_advice(units.size()));
    const bool is_named = settings.recipe != Recipe::synthesized && settings.where.line > 0;
    diagnostics.error(is_named ? settings.where : system.unit(units.front()).where,
                      format("{} cannot save and restore {} state, but must go back {}",
                             quoted(system, units), is_one ? "its" : "their", reason(loop, system)),
                      format("instead: {}", fmt::join(alternatives, "; or ")));
}

bool restores(const algorithm::Body& body, UnitId unit) {
    return std::ranges::any_of(body, [&](const algorithm::Op& op) {
        const auto* restore = std::get_if<algorithm::Restore>(&op);
        return restore && restore->unit == unit;
    });
}

/// "to go back in the loop until a.y, b.y have converged"; empty: it is never restored.
std::string place_of_restore(const algorithm::Body& body, UnitId unit, const System& system) {
    std::string inner;
    for (const algorithm::Op& op : body) {
        if (const auto* loop = std::get_if<algorithm::FixedPoint>(&op)) {
            if (restores(loop->retry, unit))
                return format("to go back in the loop until {} have converged",
                              names_of(system, loop->ports));
            inner = place_of_restore(loop->iterate, unit, system);
        } else if (const auto* negotiation = std::get_if<algorithm::Negotiate>(&op)) {
            if (restores(negotiation->retry, unit))
                return format("to go back in the loop until {} accept the same step",
                              names_of(system, negotiation->units));
            inner = place_of_restore(negotiation->iterate, unit, system);
        }
        if (!inner.empty()) return inner;
    }
    return {};
}

std::string place_of_restore(const algorithm::Algorithm& algorithm, UnitId unit,
                             const System& system) {
    for (const algorithm::Procedure& step : algorithm.steps) {
        std::string place = place_of_restore(step.body, unit, system);
        if (!place.empty()) return place;
    }
    return "but never restores";
}

/// What would do instead of a hand-written algorithm.
std::string instead_of_written(const System& system, const AlgorithmSettings& settings,
                               UnitId unit) {
    Diagnostics problems;
    const Derivation derivation = derive(system, settings, problems);
    const auto stranded = stranded_units(system, derivation.orchestration.algorithm);
    if (std::ranges::find(stranded, unit) == stranded.end() && !problems.has_errors())
        return "leave the algorithm out: the one that is derived does not take it back";
    auto alternatives = alternatives_to_roll_back(system, settings, std::span(&unit, 1));
    for (std::string& alternative : alternatives)
        alternative = "leave the algorithm out and " + alternative;
    alternatives.push_back(export_advice(1));
    return format("{}", fmt::join(alternatives, "; or "));
}

} // namespace

std::vector<UnitId> units_to_roll_back(const algorithm::Algorithm& algorithm) {
    std::vector<UnitId> units;
    for (const algorithm::Procedure& procedure : algorithm.steps)
        collect_saved(procedure.body, units);
    std::ranges::sort(units);
    units.erase(std::unique(units.begin(), units.end()), units.end());
    return units;
}

std::vector<UnitId> stranded_units(const System& system, const algorithm::Algorithm& algorithm) {
    std::vector<UnitId> units = units_to_roll_back(algorithm);
    std::erase_if(units, [&](UnitId unit) { return system.unit(unit).can_roll_back; });
    return units;
}

void require_roll_back(const System& system, const AlgorithmSettings& settings,
                       const Derivation& derivation, Diagnostics& diagnostics) {
    std::vector<std::vector<UnitId>> reported;
    for (const std::vector<Loop>& loops : derivation.step_loops) {
        for (const Loop& loop : loops) {
            const auto units = stranded_in(loop, system);
            const bool is_new = std::ranges::find(reported, units) == reported.end();
            if (units.empty() || !is_new) continue; // configurations often share their loops
            reported.push_back(units);
            report(loop, system, settings, derivation.orchestration.system, diagnostics);
        }
    }
}

void require_roll_back(const System& system, const AlgorithmSettings& settings,
                       const algorithm::Algorithm& written, Diagnostics& diagnostics) {
    for (const UnitId unit : stranded_units(system, written)) {
        diagnostics.error(
            settings.where.line > 0 ? settings.where : system.unit(unit).where,
            format("unit \"{}\" cannot save and restore its state, which the algorithm saves {}",
                   system.unit(unit).name, place_of_restore(written, unit, system)),
            format("instead: {}", instead_of_written(system, settings, unit)));
    }
}

} // namespace rubato::synthesis
