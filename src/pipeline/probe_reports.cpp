// SPDX-License-Identifier: Apache-2.0
#include "probe_reports.hpp"

#include <rubato/private/format.hpp>
#include <rubato/synthesis/roll_back.hpp>

#include <algorithm>
#include <map>

namespace rubato::pipeline {

using probe::Obstacle;
using probe::Probing;
using probe::Refusal;
using rubato::to_string;
using scenario::System;
using Kind = Obstacle::Kind;

std::string listed(std::vector<std::string> texts, std::string_view separator) {
    constexpr std::size_t most = 5;
    const std::size_t left_out = texts.size() > most + 1 ? texts.size() - most : 0;
    texts.resize(texts.size() - left_out);
    const std::string text = format("{}", fmt::join(texts, separator));
    return left_out == 0 ? text : format("{} and {} more", text, left_out);
}

namespace {

void report(const Refusal& refusal, const System& system, Diagnostics& diagnostics) {
    const scenario::Port& input = system.port(refusal.input);
    diagnostics.note(
        input.where,
        format("unit \"{}\" refused {} of {} values of input \"{}\", the first of them {} {}: {}",
               system.unit(input.unit).name, refusal.refused, refusal.tried, input.name,
               to_string(refusal.value, input.type), to_string(refusal.when), refusal.reason));
}

/// What would work if the unit were declared unable to roll back.
std::string instead(const Assembly& assembly, UnitId unit) {
    Diagnostics said_before;
    System system = scenario::resolve(assembly.scenario, assembly.descriptions, said_before);
    system.units[unit.value].can_roll_back = false;
    const auto alternatives =
        synthesis::alternatives_to_roll_back(system, assembly.scenario.algorithm, {&unit, 1});
    return alternatives.empty() ? "its maker must mend it"
                                : format("instead: {}", fmt::join(alternatives, "; or "));
}

void report_not_restored(const Obstacle& obstacle, const Assembly& assembly,
                         Diagnostics& diagnostics) {
    const scenario::SystemUnit& unit = assembly.orchestration.system.unit(obstacle.unit);
    const auto needed = synthesis::units_to_roll_back(assembly.orchestration.algorithm);
    const bool is_needed = std::ranges::find(needed, obstacle.unit) != needed.end();
    diagnostics.add(
        is_needed ? Severity::error : Severity::warning, unit.where,
        format("unit \"{}\" does not come back to a state that it has saved: {} {}", unit.name,
               obstacle.reason, to_string(obstacle.when)),
        is_needed ? format("the algorithm takes it back; {}", instead(assembly, obstacle.unit))
                  : "the algorithm does not take it back, so it does no harm here");
}

void report_unit(const Obstacle& obstacle, const Assembly& assembly, Diagnostics& diagnostics) {
    const scenario::SystemUnit& unit = assembly.orchestration.system.unit(obstacle.unit);
    if (obstacle.kind == Kind::not_restored) report_not_restored(obstacle, assembly, diagnostics);
    if (obstacle.kind == Kind::fault) {
        diagnostics.warning(unit.where, format("unit \"{}\" is not probed further: {}", unit.name,
                                               obstacle.reason));
    }
    if (obstacle.kind == Kind::no_snapshots) {
        diagnostics.note(
            unit.where,
            format("unit \"{}\" is not probed: it cannot save and restore its state", unit.name),
            "export it so that it can (an FMU: canGetAndSetFMUstate), or declare the feed-through "
            "of "
            "its outputs in the scenario");
    }
}

/// Ports of which the same is to be said, unit by unit.
void report_ports(const Probing& probing, const System& system, Kind kind, std::string_view why,
                  Diagnostics& diagnostics) {
    std::map<UnitId, std::vector<std::string>> ports;
    for (const Obstacle& obstacle : probing.obstacles) {
        if (obstacle.kind == kind)
            ports[obstacle.unit].push_back(
                format("{} ({})", system.port(*obstacle.port).name, obstacle.reason));
    }
    for (const auto& [unit, names] : ports) {
        diagnostics.note(system.unit(unit).where,
                         format("unit \"{}\": {}: {}", system.unit(unit).name, why, listed(names)));
    }
}

} // namespace

void report_obstacles(const Probing& probing, const Assembly& assembly, Diagnostics& diagnostics) {
    const System& system = assembly.orchestration.system;
    for (const Refusal& refusal : probing.refusals) report(refusal, system, diagnostics);
    for (const Obstacle& obstacle : probing.obstacles) report_unit(obstacle, assembly, diagnostics);
    report_ports(probing, system, Kind::not_reproducible,
                 "not judged, as it changes though nothing is changed", diagnostics);
    report_ports(probing, system, Kind::no_perturbation,
                 "not probed, as there is no other value to try", diagnostics);
}

} // namespace rubato::pipeline
