// SPDX-License-Identifier: Apache-2.0
#include "operation_graph.hpp"

namespace rubato::synthesis {

using scenario::Direction;
using scenario::Port;
using scenario::Reactivity;
using scenario::System;

namespace {

class Builder {
public:
    Builder(const System& system, bool with_steps)
        : system_(system), with_steps_(with_steps), nodes_(system.ports.size()),
          result_(number_operations()) {}

    OperationGraph build() {
        result_.operations = std::move(operations_);
        result_.source_of.resize(result_.operations.size());
        for (const scenario::Link& link : system_.links) connect(link);
        for (std::size_t p = 0; p < system_.ports.size(); ++p) {
            if (nodes_[p]) constrain(nth<PortId>(p), *nodes_[p]);
        }
        return std::move(result_);
    }

private:
    using Node = Graph::Node;

    /// Steps come first, so that a unit's step has the unit's number.
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

    const System& system_;
    bool with_steps_;
    std::vector<Operation> operations_;
    std::vector<std::optional<Node>> nodes_; ///< by port
    OperationGraph result_;
};

} // namespace

OperationGraph step_graph(const System& system) { return Builder(system, true).build(); }

OperationGraph initialization_graph(const System& system) { return Builder(system, false).build(); }

} // namespace rubato::synthesis
