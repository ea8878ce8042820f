// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/unit/library.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rubato::unit {

/// How a unit is wrapped in a scenario of its own.
struct Wrapping {
    std::optional<double> own_step = {}; ///< none: that of the whole
    std::optional<int> sub_steps = {};   ///< of the whole that it becomes
    bool isolate = false;                ///< the whole, which isolates what it contains
    int levels = 1;                      ///< scenarios around it
    /// Makes a decorator around each unit.
    std::function<std::unique_ptr<Unit>(std::unique_ptr<Unit>)> wrap = {};
};

/// Shows all that another scenario may connect or set, by the names that the unit has for it.
inline scenario::InterfaceSettings whole_interface(const scenario::UnitDescription& description) {
    scenario::InterfaceSettings interface;
    for (const scenario::Variable& variable : description.variables) {
        if (!variable.clocks.empty() || variable.type == ValueType::clock) continue;
        const scenario::ExposedVariable exposed{variable.name, {"inner." + variable.name}, {}};
        const bool is_plain = !variable.derivative_of;
        if (variable.causality == scenario::Causality::input && is_plain)
            interface.inputs.push_back(exposed);
        if (variable.causality == scenario::Causality::output) interface.outputs.push_back(exposed);
        if (variable.causality == scenario::Causality::parameter)
            interface.parameters.push_back(exposed);
    }
    return interface;
}

/// Settings that let all inputs move in sub-steps.
inline std::vector<scenario::InputSettings>
quadratic_inputs(const scenario::UnitDescription& description) {
    std::vector<scenario::InputSettings> inputs;
    for (const scenario::Variable& variable : description.variables)
        if (variable.causality == scenario::Causality::input &&
            variable.type == ValueType::float64 && !variable.derivative_of)
            inputs.push_back({.name = variable.name,
                              .approximation = scenario::Approximation::quadratic,
                              .mode = {},
                              .contract = {},
                              .where = {}});
    return inputs;
}

/// The unit `inner` as the only one of a scenario, which is a unit of the same name.
inline scenario::Unit wrapped(scenario::Unit inner, const scenario::InterfaceSettings& interface,
                              const Wrapping& wrapping) {
    scenario::Unit whole;
    whole.name = std::exchange(inner.name, "inner");
    if (wrapping.isolate) whole.isolate.emplace();
    scenario::Scenario within;
    within.interface = interface;
    within.experiment.open = {true, true, !wrapping.own_step, true};
    within.experiment.step = wrapping.own_step.value_or(within.experiment.step);
    within.units.push_back(std::move(inner));
    whole.origin = scenario::NestedScenario{
        .file = {}, .scenario = std::make_shared<const scenario::Scenario>(std::move(within))};
    return whole;
}

/// A scenario whose only unit is `unit`, as a unit of its own.
inline std::shared_ptr<Unit> make_composite(scenario::Unit unit, const Wrapping& wrapping,
                                            Library& library) {
    const scenario::UnitDescription description = library.describe(unit, "");
    const scenario::InterfaceSettings interface = whole_interface(description);
    for (int level = 0; level < wrapping.levels; ++level)
        unit = wrapped(std::move(unit), interface, wrapping);
    unit.sub_steps = wrapping.sub_steps;
    if (unit.sub_steps) unit.inputs = quadratic_inputs(description);
    scenario::Scenario scenario;
    scenario.units.push_back(std::move(unit));
    Diagnostics diagnostics;
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    auto owner = std::make_shared<engine::Simulation>(
        pipeline::build(assembly, library, silent_log(), {.wrap = wrapping.wrap}));
    Unit& composite = owner->unit(UnitId{0});
    return {std::move(owner), &composite};
}

} // namespace rubato::unit
