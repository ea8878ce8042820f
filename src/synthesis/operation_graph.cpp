// SPDX-License-Identifier: Apache-2.0
#include "operation_graph.hpp"

#include <algorithm>
#include <utility>

namespace rubato::synthesis {

using scenario::Direction;
using scenario::Port;
using scenario::Reactivity;
using scenario::System;

namespace {

using Kind = Operation::Kind;

enum class Rules : std::uint8_t { initialization, values, values_and_negotiation };

class GraphBuilder {
public:
    /// `others`: outputs that are got though nothing is connected to them.
    GraphBuilder(const System& system, Rules rules, std::vector<PortId> others = {})
        : system_(system), others_(std::move(others)), with_steps_(rules != Rules::initialization),
          backtracked_(rules == Rules::values_and_negotiation
                           ? backtracked_units(system)
                           : std::vector<bool>(system.units.size())),
          nodes_(system.ports.size()), result_(number_operations()) {}

    OperationGraph build() {
        result_.operations = std::move(operations_);
        result_.source_of.resize(result_.operations.size());
        for (const scenario::Link& link : system_.links) connect(link);
        for (std::size_t p = 0; p < system_.ports.size(); ++p) {
            if (nodes_[p]) constrain(nth<PortId>(p), *nodes_[p]);
        }
        bind_steps();
        if (has_agreement()) await_agreement();
        result_.node_of = std::move(nodes_);
        result_.backtracked = std::move(backtracked_);
        return std::move(result_);
    }

private:
    using Node = Graph::Node;

    /// Some units negotiate the step and others wait for them.
    bool has_agreement() const {
        return std::ranges::find(backtracked_, true) != backtracked_.end() &&
               std::ranges::find(backtracked_, false) != backtracked_.end();
    }

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
        for (const PortId output : others_) number(output, Operation::Kind::get);
        if (has_agreement()) operations_.push_back({Operation::Kind::agreement, {}, {}});
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

    /// Rule 6.
    void bind_steps() {
        std::vector<Node> ring;
        for (Node unit = 0; unit < backtracked_.size(); ++unit) {
            if (backtracked_[unit]) ring.push_back(unit);
        }
        for (std::size_t i = 0; i < ring.size(); ++i) {
            result_.graph.add_edge(ring[i], ring[(i + 1) % ring.size()]);
        }
    }

    /// Rule 7.
    void await_agreement() {
        const Node agreement = static_cast<Node>(result_.operations.size() - 1);
        for (Node unit = 0; unit < backtracked_.size(); ++unit) {
            if (backtracked_[unit]) {
                result_.graph.add_edge(unit, agreement);
            } else {
                result_.graph.add_edge(agreement, unit);
            }
        }
    }

    const System& system_;
    std::vector<PortId> others_;
    bool with_steps_;
    std::vector<bool> backtracked_; ///< by unit
    std::vector<Operation> operations_;
    std::vector<std::optional<Node>> nodes_; ///< by port
    OperationGraph result_;
};

/// The units that a rejected step takes back: those that reject, and those that have to be stepped
/// before one that is taken back.
class Backtracking {
public:
    explicit Backtracking(const System& system)
        : system_(system), source_(system.ports.size()), needed_(system.ports.size()),
          units_(system.units.size()) {
        for (const scenario::Link& link : system.links) source_[link.to.value] = link.from;
    }

    void add(UnitId unit) {
        include(unit);
        while (!pending_.empty()) {
            const Port& output = system_.port(pending_.back());
            pending_.pop_back();
            include(output.unit);
            for (const PortId input : output.feedthrough) need_source(input);
        }
    }

    std::vector<bool> units() && { return std::move(units_); }

private:
    /// Its reactive inputs need values from the end of the step before it is stepped.
    void include(UnitId unit) {
        if (units_[unit.value]) return;
        units_[unit.value] = true;
        for (const PortId input : system_.unit(unit).inputs) {
            if (system_.port(input).reactivity == Reactivity::reactive) need_source(input);
        }
    }

    void need_source(PortId input) {
        const auto source = source_[input.value];
        if (!source || needed_[source->value]) return;
        needed_[source->value] = true;
        pending_.push_back(*source);
    }

    const System& system_;
    std::vector<std::optional<PortId>> source_; ///< by input
    std::vector<bool> needed_;                  ///< by output
    std::vector<PortId> pending_;               ///< outputs that are needed
    std::vector<bool> units_;
};

} // namespace

Rule OperationGraph::rule(Graph::Node from, Graph::Node to) const {
    const Kind before = operations[from].kind;
    const Kind after = operations[to].kind;
    if (before == Kind::agreement || after == Kind::agreement) return Rule::agreed_first;
    if (after == Kind::update) return Rule::update_last;
    if (!is_clock.empty() && is_clock[from] && source_of[to] != from) return Rule::clock_first;
    switch (before) {
    case Kind::get: return Rule::connection;
    case Kind::set: return after == Kind::step ? Rule::set_before_step : Rule::feedthrough;
    default: break;
    }
    if (after == Kind::step) return Rule::same_step;
    return after == Kind::get ? Rule::step_before_get : Rule::step_before_set;
}

std::vector<bool> backtracked_units(const System& system) {
    Backtracking backtracking(system);
    for (std::size_t u = 0; u < system.units.size(); ++u) {
        if (system.units[u].can_reject_step) backtracking.add(nth<UnitId>(u));
    }
    return std::move(backtracking).units();
}

OperationGraph value_graph(const System& system) {
    return GraphBuilder(system, Rules::values).build();
}

OperationGraph step_graph(const System& system) {
    return GraphBuilder(system, Rules::values_and_negotiation).build();
}

OperationGraph initialization_graph(const System& system) {
    if (system.configurations.empty()) return GraphBuilder(system, Rules::initialization).build();
    std::vector<PortId> outputs;
    for (const scenario::Configuration& configuration : system.configurations) {
        for (const scenario::Link& link : configuration.links) outputs.push_back(link.from);
    }
    std::ranges::sort(outputs);
    outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
    const System initial = in_configuration(system, system.configurations.front());
    return GraphBuilder(initial, Rules::initialization, std::move(outputs)).build();
}

} // namespace rubato::synthesis
