// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/scenario.hpp>

namespace rubato::scenario::testing {

inline void forget_places(std::vector<WrittenOp>& ops) {
    for (WrittenOp& op : ops) {
        op.where = {};
        forget_places(op.iterate);
        forget_places(op.if_retry_needed);
        for (std::vector<WrittenOp>& branch : op.branches) forget_places(branch);
    }
}

inline void forget_places(WrittenAlgorithm& algorithm) {
    algorithm.where = {};
    forget_places(algorithm.initialization);
    for (WrittenProcedure& procedure : algorithm.steps) {
        procedure.where = {};
        forget_places(procedure.body);
    }
}

inline void forget_places(Clocks& clocks) {
    for (UnitClocks& unit : clocks.units) {
        for (InputClock& clock : unit.inputs) clock.where = {};
        for (OutputClock& clock : unit.outputs) clock.where = {};
        for (ClockedPort& port : unit.ports) port.where = {};
    }
    for (ClockConnection& connection : clocks.connections) connection.where = {};
    for (EventStrategy& strategy : clocks.strategies) {
        strategy.where = {};
        for (EventOp& op : strategy.iterate) op.where = {};
    }
}

inline void forget_places(Unit& unit) {
    unit.where = {};
    if (unit.solver) unit.solver->where = {};
    if (unit.isolate) unit.isolate->where = {};
    for (auto* assignments : {&unit.parameters, &unit.start}) {
        for (Assignment& assignment : *assignments) assignment.where = {};
    }
    if (auto* const table = std::get_if<TableFile>(&unit.origin))
        for (TableColumn& column : table->columns) column.where = {};
    for (InputSettings& input : unit.inputs) input.where = {};
    for (LossSettings& loss : unit.losses) loss.where = {};
    for (OutputSettings& output : unit.outputs) output.where = {};
}

/// A scenario without what a text does not hold: where things stand and which file it is.
inline Scenario essence(Scenario scenario) {
    scenario.file.clear();
    for (Unit& unit : scenario.units) forget_places(unit);
    for (Connection& connection : scenario.connections) connection.where = {};
    // What the scenario does not name is open in a file only.
    if (!scenario.experiment.tolerance) scenario.experiment.open.tolerance = false;
    scenario.experiment.where = scenario.algorithm.where = scenario.recording.where = {};
    scenario.step_control.where = scenario.events.where = scenario.loops.where = {};
    scenario.step_limits.where = {};
    for (ChangeLimit& change : scenario.step_limits.changes) change.where = {};
    for (SamplingInstants& sampling : scenario.step_limits.sampling) sampling.where = {};
    for (BondSettings& bond : scenario.bonds) bond.where = bond.effort.where = bond.flow.where = {};
    if (scenario.written) forget_places(*scenario.written);
    for (ConfigurationSettings& configuration : scenario.configurations) {
        configuration.where = {};
        for (auto& contract : configuration.contracts) contract.where = {};
        for (Connection& connection : configuration.connections) connection.where = {};
    }
    if (scenario.clocks) forget_places(*scenario.clocks);
    return scenario;
}

} // namespace rubato::scenario::testing
