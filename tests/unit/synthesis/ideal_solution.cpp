// SPDX-License-Identifier: Apache-2.0
#include "ideal_solution.hpp"

namespace rubato::test {

using scenario::Direction;
using scenario::Link;
using scenario::Reactivity;
using scenario::System;

namespace {

System configured(const System& system, std::size_t configuration) {
    if (system.configurations.empty()) return system;
    return in_configuration(system, system.configurations[configuration]);
}

void hand_over(const System& system, const IdealSolution::Instant& from, Reactivity reactivity,
               std::vector<Symbol>& inputs) {
    for (const Link& link : system.links) {
        if (system.port(link.to).reactivity != reactivity) continue;
        inputs[link.to.value] = from.values[link.from.value];
    }
}

void hand_over_all(const System& system, const IdealSolution::Instant& from,
                   std::vector<Symbol>& inputs) {
    hand_over(system, from, Reactivity::delayed, inputs);
    hand_over(system, from, Reactivity::reactive, inputs);
}

template <class Output>
void compute_outputs(const System& system, IdealSolution::Instant& at, Output&& output) {
    for (std::size_t p = 0; p < system.ports.size(); ++p) {
        const scenario::Port& port = system.ports[p];
        if (port.direction != Direction::output) continue;
        at.values[p] = output(nth<PortId>(p), at.states[port.unit.value]);
    }
}

IdealSolution::Instant start_of(const System& system) {
    const SymbolicUnits units(system);
    IdealSolution::Instant at{{}, std::vector<Symbol>(system.ports.size())};
    for (std::size_t u = 0; u < system.units.size(); ++u) {
        at.states.push_back(units.initial_state(nth<UnitId>(u)));
    }
    std::vector<Symbol> inputs(system.ports.size());
    std::vector<Symbol> before;
    do {
        before = at.values;
        hand_over_all(system, at, inputs);
        compute_outputs(system, at, [&](PortId output, const Symbol& state) {
            return units.initial_output(output, state, inputs);
        });
    } while (before != at.values);
    return at;
}

IdealSolution::Instant after_step(const System& system, const IdealSolution::Instant& start,
                                  int by) {
    const SymbolicUnits units(system);
    IdealSolution::Instant end = start;
    std::vector<Symbol> inputs(system.ports.size());
    std::vector<Symbol> before;
    do {
        before = end.values;
        hand_over(system, start, Reactivity::delayed, inputs);
        hand_over(system, end, Reactivity::reactive, inputs);
        for (std::size_t u = 0; u < system.units.size(); ++u) {
            end.states[u] = units.step(nth<UnitId>(u), start.states[u], by, inputs);
        }
        hand_over_all(system, end, inputs);
        compute_outputs(system, end, [&](PortId output, const Symbol& state) {
            return units.output(output, state, inputs);
        });
    } while (before != end.values);
    return end;
}

} // namespace

const IdealSolution::Instant& IdealSolution::after(const std::vector<Step>& steps) {
    const auto known = known_.find(steps);
    if (known != known_.end()) return known->second;
    if (steps.empty()) return known_[steps] = start_of(configured(system_, 0));
    const Instant& start = after({steps.begin(), steps.end() - 1});
    const System configuration = configured(system_, steps.back().configuration);
    return known_[steps] = after_step(configuration, start, steps.back().by);
}

} // namespace rubato::test
