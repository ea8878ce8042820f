// SPDX-License-Identifier: Apache-2.0
#include <rubato/engine/assembly.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::engine {

namespace {

std::filesystem::path folder_of(const scenario::Scenario& scenario) {
    return scenario.file.parent_path();
}

void assign(unit::Unit& unit, const scenario::Assignment& assignment) {
    const auto& description = unit.description();
    const auto index = description.find_variable(assignment.variable);
    const scenario::Variable& variable = description.variables.at(index.value());
    Value value = scenario::convert(assignment.value, variable.type).value(); // resolve has checked
    std::visit(
        [&](auto& held) {
            unit.set({variable.type, {&variable.reference, 1}, &held, 1});
        },
        value);
}

} // namespace

namespace {

void verify(Assembly& assembly, Diagnostics& diagnostics) {
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    assembly.verdict = algorithm::verify(orchestration.system, orchestration.algorithm);
    for (const algorithm::Violation& violation : assembly.verdict->violations) {
        diagnostics.error(assembly.scenario.algorithm.where, violation.message, violation.hint);
    }
}

} // namespace

Assembly assemble(scenario::Scenario scenario, unit::Library& library, Diagnostics& diagnostics,
                  Check check) {
    Assembly assembly{.scenario = std::move(scenario)};
    for (const scenario::Unit& unit : assembly.scenario.units) {
        try {
            assembly.descriptions.push_back(library.describe(unit, folder_of(assembly.scenario)));
        } catch (const InputError& error) {
            diagnostics.error(unit.where, format("unit \"{}\": {}", unit.name, error.what()));
        }
    }
    if (diagnostics.has_errors()) return assembly;
    const scenario::System system =
        scenario::resolve(assembly.scenario, assembly.descriptions, diagnostics);
    if (diagnostics.has_errors()) return assembly;
    assembly.orchestration =
        synthesis::orchestrate(system, assembly.scenario.algorithm, diagnostics);
    if (check == Check::verify && !diagnostics.has_errors()) verify(assembly, diagnostics);
    return assembly;
}

Simulation build(const Assembly& assembly, unit::Library& library, Log& log) {
    std::vector<std::unique_ptr<unit::Unit>> units;
    for (const scenario::Unit& description : assembly.scenario.units) {
        units.push_back(library.instantiate(description, folder_of(assembly.scenario)));
        for (const auto& parameter : description.parameters) assign(*units.back(), parameter);
        for (const auto& start : description.start) assign(*units.back(), start);
    }
    return Simulation(assembly.orchestration.system, assembly.orchestration.algorithm,
                      std::move(units), assembly.scenario.experiment, log);
}

} // namespace rubato::engine
