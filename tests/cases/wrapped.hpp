// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/scenario.hpp>

#include <memory>
#include <string>
#include <utility>

namespace rubato::test {

inline scenario::Unit unit_of(const std::string& name, scenario::Scenario inner) {
    scenario::Unit unit;
    unit.name = name;
    unit.origin = scenario::NestedScenario{
        .file = {}, .scenario = std::make_shared<const scenario::Scenario>(std::move(inner))};
    return unit;
}

/// The whole scenario as the only unit of another.
inline void wrap_whole(scenario::Scenario& scenario) {
    scenario::Scenario outer;
    outer.name = scenario.name;
    outer.file = scenario.file;
    outer.experiment = scenario.experiment;
    scenario.interface.emplace(); // nothing: so that events within it concern nobody else
    outer.units.push_back(unit_of("whole", scenario));
    scenario = std::move(outer);
}

/// Every unit as a scenario of its own, that makes one step for each step of the whole.
inline void wrap_each(scenario::Scenario& scenario) {
    scenario.recording.variables.clear();
    for (scenario::Unit& unit : scenario.units) {
        scenario::Unit inner = unit;
        inner.inputs.clear();
        inner.outputs.clear();
        scenario::Scenario own;
        own.name = unit.name;
        own.file = scenario.file;
        own.experiment.open = {true, true, true, true};
        own.units.push_back(std::move(inner));
        scenario::Unit outer = unit_of(unit.name, std::move(own));
        for (auto input : unit.inputs) {
            input.name = unit.name + "." + input.name;
            outer.inputs.push_back(std::move(input));
        }
        for (auto output : unit.outputs) {
            output.name = unit.name + "." + output.name;
            outer.outputs.push_back(std::move(output));
        }
        unit = std::move(outer);
    }
    for (scenario::Connection& connection : scenario.connections) {
        connection.from_port = connection.from_unit + "." + connection.from_port;
        connection.to_port = connection.to_unit + "." + connection.to_port;
    }
}

} // namespace rubato::test
