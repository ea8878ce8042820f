// SPDX-License-Identifier: Apache-2.0
#include "operation_graph.hpp"

#include <rubato/algorithm/event_procedures.hpp>

#include <algorithm>

namespace rubato::synthesis {

using scenario::Direction;
using scenario::Port;
using scenario::System;

namespace {

class EventGraphBuilder {
public:
    explicit EventGraphBuilder(const System& system)
        : system_(system), exchange_(system), nodes_(system.ports.size()),
          result_(number_operations()) {}

    OperationGraph build() {
        for (const scenario::Link& link : exchange_.links) connect(link);
        for (std::size_t p = 0; p < nodes_.size(); ++p)
            if (nodes_[p]) constrain(system_.ports[p], *nodes_[p]);
        for (const Operation& operation : operations_)
            result_.is_clock.push_back(operation.kind != Operation::Kind::update &&
                                       system_.port(operation.port).is_clock());
        result_.operations = std::move(operations_);
        result_.node_of = std::move(nodes_);
        result_.backtracked.resize(system_.units.size());
        return std::move(result_);
    }

private:
    using Node = Graph::Node;

    std::size_t number_operations() {
        for (const scenario::Link& link : exchange_.links) {
            number(link.from);
            number(link.to);
        }
        for (const PortId clock : exchange_.clocks) number(clock);
        updates_.resize(system_.units.size());
        for (std::size_t u = 0; u < system_.units.size(); ++u) {
            if (!system_.units[u].has_event_mode) continue;
            updates_[u] = static_cast<Node>(operations_.size());
            operations_.push_back({Operation::Kind::update, nth<UnitId>(u), {}});
        }
        return operations_.size();
    }

    void number(PortId id) {
        auto& node = nodes_[id.value];
        if (node) return;
        node = static_cast<Node>(operations_.size());
        const Port& port = system_.port(id);
        const bool is_output = port.direction == Direction::output;
        operations_.push_back(
            {is_output ? Operation::Kind::get : Operation::Kind::set, port.unit, id});
    }

    void connect(const scenario::Link& link) {
        result_.source_of.resize(operations_.size());
        result_.source_of[*nodes_[link.to.value]] = *nodes_[link.from.value];
        result_.graph.add_edge(*nodes_[link.from.value], *nodes_[link.to.value]);
    }

    void constrain(const Port& port, Node node) {
        result_.source_of.resize(operations_.size());
        std::vector<PortId> before = port.clocks;
        if (port.direction == Direction::output) {
            for (const auto* inputs : {&port.feedthrough, &port.feedthrough_initial})
                before.insert(before.end(), inputs->begin(), inputs->end());
            for (const PortId clock : system_.unit(port.unit).clocks)
                if (system_.port(clock).direction == Direction::input) before.push_back(clock);
        }
        std::ranges::sort(before);
        before.erase(std::unique(before.begin(), before.end()), before.end());
        for (const PortId earlier : before)
            if (nodes_[earlier.value]) result_.graph.add_edge(*nodes_[earlier.value], node);
        if (const auto update = updates_[port.unit.value]) result_.graph.add_edge(node, *update);
    }

    const System& system_;
    algorithm::EventExchange exchange_;
    std::vector<Operation> operations_;
    std::vector<std::optional<Node>> nodes_;   ///< by port
    std::vector<std::optional<Node>> updates_; ///< by unit
    OperationGraph result_;
};

} // namespace

OperationGraph event_graph(const System& system) { return EventGraphBuilder(system).build(); }

} // namespace rubato::synthesis
