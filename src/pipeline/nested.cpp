// SPDX-License-Identifier: Apache-2.0
#include "nested.hpp"

#include "resolve_and_synthesize.hpp"

#include <rubato/pipeline/scenario_unit.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <utility>

namespace rubato::pipeline {

namespace {

/// A composite runs in processes of their own if all its FMUs do.
void pass_isolation(const scenario::Unit& unit, scenario::Scenario& inner) {
    if (!unit.isolate) return;
    for (scenario::Unit& each : inner.units) {
        const bool can_be = std::holds_alternative<scenario::FmuFile>(each.origin) ||
                            std::holds_alternative<scenario::NestedScenario>(each.origin);
        if (can_be && !each.isolate) each.isolate = unit.isolate;
    }
}

/// Of a scenario within another, the whole records.
void note_ignored(const scenario::Scenario& inner, const std::string& path,
                  Diagnostics& diagnostics) {
    const scenario::Recording& recording = inner.recording;
    const auto note = [&](bool is_given, std::string_view key) {
        if (is_given)
            diagnostics.note(recording.where,
                             format("record.{} has no effect within {}: the whole scenario says "
                                    "when to record",
                                    key, path.substr(0, path.size() - 1)));
    };
    note(recording.every != 1, "every");
    note(recording.interval.has_value(), "interval");
    note(recording.bonds, "bonds");
    note(recording.intermediate != 0, "intermediate");
    note(recording.file.has_value(), "file");
}

composite::Interface interface_of(const Assembly& assembly, Diagnostics& diagnostics) {
    return composite::derive_interface(assembly.scenario, assembly.orchestration.system,
                                       assembly.descriptions, diagnostics);
}

} // namespace

std::shared_ptr<const NestedAssembly>
assemble_nested(scenario::Scenario inner, const scenario::Unit& unit, const std::string& path,
                unit::Library& library, Verification verification, Diagnostics& diagnostics) {
    auto nested = std::make_shared<NestedAssembly>();
    pass_isolation(unit, inner);
    nested->assembly.path = path + unit.name + "/";
    nested->assembly.scenario = std::move(inner);
    note_ignored(nested->assembly.scenario, nested->assembly.path, diagnostics);
    Diagnostics of_inner;
    assemble(nested->assembly, library, verification, of_inner);
    if (!of_inner.has_errors()) nested->interface = interface_of(nested->assembly, of_inner);
    for (const Diagnostic& each : of_inner.all())
        diagnostics.add(each.severity, each.where, each.message, each.hint);
    return nested;
}

std::shared_ptr<const NestedAssembly>
assemble_as_unit(scenario::Scenario scenario, const std::string& name, unit::Library& library,
                 Verification verification, Diagnostics& diagnostics) {
    scenario::Unit unit;
    unit.name = name;
    return assemble_nested(std::move(scenario), unit, {}, library, verification, diagnostics);
}

std::vector<DerivativeInput> derivative_inputs(const composite::Interface& interface) {
    std::vector<DerivativeInput> all;
    const scenario::UnitDescription& description = interface.description;
    for (std::size_t v = 0; v < exposed_count(interface); ++v) {
        const scenario::Variable& variable = description.variables[v];
        const bool moves = variable.causality == scenario::Causality::input &&
                           variable.variability == scenario::Variability::continuous &&
                           variable.type == ValueType::float64 && !variable.is_array();
        for (unsigned order = 1; moves && order <= description.capabilities.input_derivatives;
             ++order)
            all.push_back({variable.reference, order});
    }
    return all;
}

void nest(Assembly& assembly) {
    synthesis::Orchestration& orchestration = assembly.orchestration;
    for (scenario::SystemUnit& unit : orchestration.system.units)
        unit.name = assembly.path + unit.name;
    if (orchestration.algorithm.events.empty())
        orchestration.algorithm.events = synthesis::synthesize_events(
            orchestration.system, synthesis::convergence_of(assembly.scenario.algorithm), true);
}

bool let_reject(Assembly& assembly, std::string_view unit) {
    std::string_view name = unit.substr(assembly.path.size());
    const std::size_t slash = name.find('/');
    name = name.substr(0, slash);
    auto& units = assembly.scenario.units;
    const auto found = std::ranges::find(units, name, &scenario::Unit::name);
    if (assembly.scenario.written || found == units.end()) return false;
    Diagnostics diagnostics;
    if (slash == std::string_view::npos) {
        if (found->can_reject_step) return false;
        found->can_reject_step = true;
    } else {
        const auto index = static_cast<std::size_t>(found - units.begin());
        auto nested = std::make_shared<NestedAssembly>(*assembly.nested[index]);
        if (!let_reject(nested->assembly, unit)) return false;
        nested->interface = interface_of(nested->assembly, diagnostics);
        assembly.descriptions[index] = nested->interface.description;
        assembly.nested[index] = std::move(nested);
    }
    resolve_and_synthesize(assembly, verification_of(assembly), diagnostics);
    return !diagnostics.has_errors();
}

} // namespace rubato::pipeline
