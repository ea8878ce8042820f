// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/graph.hpp>
#include <rubato/core/id.hpp>
#include <rubato/scenario/system.hpp>
#include <rubato/synthesis/graph_view.hpp>

#include <optional>
#include <vector>

namespace rubato::synthesis {

/// What must come before what within one procedure (Hansen, Gomes, Larsen and van de Pol 2022,
/// Definitions 4 and 6). Ports that are not connected take no part.
struct OperationGraph {
    explicit OperationGraph(std::size_t size) : graph(size) {}

    std::vector<Operation> operations; ///< nodes of `graph`; all steps first, in the order of units
    Graph graph;
    std::vector<std::optional<Graph::Node>> node_of;   ///< by port: its get or set
    std::vector<std::optional<Graph::Node>> source_of; ///< by set: the get it takes its value from
    std::vector<bool> backtracked; ///< by unit: must go back when a step is rejected (the set B)
    std::vector<bool> is_clock;    ///< by node, of an event; else empty

    /// What makes the one come before the other, given that there is an edge: the kinds of the two
    /// tell.
    Rule rule(Graph::Node from, Graph::Node to) const;

    /// Edges of rule 6 bind the steps of backtracked units to one component. They say that these
    /// belong together, not in which order they come.
    bool binds(Graph::Node from, Graph::Node to) const { return rule(from, to) == Rule::same_step; }
};

/// Units that may reject a step, and those whose outputs these need before they step, and so on.
std::vector<bool> backtracked_units(const scenario::System& system);

/// Rules 1 to 5: connection; step before get; reactive set before step; step before delayed set;
/// feed-through set before get.
OperationGraph value_graph(const scenario::System& system);

/// And rules 6 and 7: backtracked units are bound to each other and come before all others. Rule 6
/// is kept by a ring through the units and rule 7 by one node between them and the others: the same
/// components with edges in proportion to the units.
OperationGraph step_graph(const scenario::System& system);

/// The same without steps: connections and the feed-through of initialization, in the first
/// configuration; with them the outputs that only other configurations connect.
OperationGraph initialization_graph(const scenario::System& system);

/// An instant of an event, in a system without configurations: all that is connected, at events
/// only or always, and clocks. Connection; feed-through, be it that of steps or of initialization
/// (a recipe may have given up feed-through within steps: at an instant it counts); clocks before
/// what they clock, and input clocks before all outputs of their unit; updates last.
OperationGraph event_graph(const scenario::System& system);

} // namespace rubato::synthesis
