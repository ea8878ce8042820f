// SPDX-License-Identifier: Apache-2.0
#include "operation_graph.hpp"

#include <algorithm>

namespace rubato::synthesis {

using scenario::Direction;
using scenario::Port;
using scenario::Reactivity;
using scenario::System;

namespace {

enum class Rules : std::uint8_t { initialization, values, values_and_negotiation };

class Builder {
public:
    Builder(const System& system, Rules rules)
        : system_(system), rules_(rules), with_steps_(rules != Rules::initialization),
          nodes_(system.ports.size()), result_(number_operations()) {}

    OperationGraph build() {
        result_.operations = std::move(operations_);
        result_.source_of.resize(result_.operations.size());
        for (const scenario::Link& link : system_.links) connect(link);
        for (std::size_t p = 0; p < system_.ports.size(); ++p) {
            if (nodes_[p]) constrain(nth<PortId>(p), *nodes_[p]);
        }
        result_.backtracked.resize(system_.units.size());
        if (rules_ == Rules::values_and_negotiation) negotiate();
        return std::move(result_);
    }

private:
    using Node = Graph::Node;

    /// Steps come first, so that a unit's step has the unit's number; the point of agreement last.
    std::size_t number_operations() {
        if (with_steps_) {
            for (std::size_t u = 0; u < system_.units.size(); ++u) {
                operations_.push_back({Operation::Kind::step, nth<UnitId>(u), {}});
            }
        }
        for (const scenario::Link& link : system_.links) {
            number(link.from, Operation::Kind::get);
            number(link.to, Operation::Kind::set);
        }
        if (rules_ == Rules::values_and_negotiation) {
            operations_.push_back({Operation::Kind::negotiated, {}, {}});
        }
        return operations_.size();
    }

    void number(PortId port, Operation::Kind kind) {
        auto& node = nodes_[port.value];
        if (node) return;
        node = static_cast<Node>(operations_.size());
        operations_.push_back({kind, system_.port(port).unit, port});
    }

    void connect(const scenario::Link& link) {
        const Node get = *nodes_[link.from.value];
        const Node set = *nodes_[link.to.value];
        result_.graph.add_edge(get, set); // rule 1
        result_.source_of[set] = get;
    }

    void constrain(PortId id, Node node) {
        const Port& port = system_.port(id);
        if (port.direction == Direction::input) {
            constrain_input(port, node);
        } else {
            constrain_output(port, node);
        }
    }

    void constrain_input(const Port& port, Node set) {
        if (!with_steps_) return;
        const Node step = port.unit.value;
        if (port.reactivity == Reactivity::reactive) {
            result_.graph.add_edge(set, step); // rule 3
        } else {
            result_.graph.add_edge(step, set); // rule 4
        }
    }

    void constrain_output(const Port& port, Node get) {
        if (with_steps_) result_.graph.add_edge(port.unit.value, get); // rule 2
        for (const PortId input : with_steps_ ? port.feedthrough : port.feedthrough_initial) {
            if (nodes_[input.value]) result_.graph.add_edge(*nodes_[input.value], get); // rule 5
        }
    }

    void negotiate() {
        result_.backtracked = backtracked_units(system_);
        const Node agreement = static_cast<Node>(result_.operations.size() - 1);
        std::vector<Node> ring;
        for (Node unit = 0; unit < system_.units.size(); ++unit) {
            if (result_.backtracked[unit]) ring.push_back(unit);
        }
        if (ring.empty()) return;
        for (std::size_t i = 0; i < ring.size(); ++i) {
            result_.graph.add_edge(ring[i], ring[(i + 1) % ring.size()]); // rule 6
            result_.graph.add_edge(ring[i], agreement);                   // rule 7, first half
        }
        for (Node unit = 0; unit < system_.units.size(); ++unit) {
            if (!result_.backtracked[unit]) result_.graph.add_edge(agreement, unit); // second half
        }
    }

    const System& system_;
    Rules rules_;
    bool with_steps_;
    std::vector<Operation> operations_;
    std::vector<std::optional<Node>> nodes_; ///< by port
    OperationGraph result_;
};

} // namespace

std::vector<bool> backtracked_units(const System& system) {
    std::vector<std::vector<UnitId>> needed_by(system.units.size()); // before it steps
    for (const scenario::Link& link : system.links) {
        const Port& target = system.port(link.to);
        if (target.reactivity != Reactivity::reactive) continue;
        needed_by[target.unit.value].push_back(system.port(link.from).unit);
    }
    std::vector<bool> result(system.units.size());
    std::vector<UnitId> pending;
    const auto add = [&](UnitId unit) {
        if (result[unit.value]) return;
        result[unit.value] = true;
        pending.push_back(unit);
    };
    for (std::size_t u = 0; u < system.units.size(); ++u) {
        if (system.units[u].can_reject_step) add(nth<UnitId>(u));
    }
    while (!pending.empty()) {
        const UnitId unit = pending.back();
        pending.pop_back();
        for (const UnitId source : needed_by[unit.value]) add(source);
    }
    return result;
}

OperationGraph value_graph(const System& system) { return Builder(system, Rules::values).build(); }

OperationGraph step_graph(const System& system) {
    return Builder(system, Rules::values_and_negotiation).build();
}

OperationGraph initialization_graph(const System& system) {
    return Builder(system, Rules::initialization).build();
}

} // namespace rubato::synthesis
