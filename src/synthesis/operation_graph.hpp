// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/graph.hpp>
#include <rubato/core/id.hpp>
#include <rubato/scenario/system.hpp>

#include <optional>
#include <vector>

namespace rubato::synthesis {

/// A node of the operation graph. The order of the kinds is the order in which operations that are
/// ready together are written down.
struct Operation {
    enum class Kind : std::uint8_t { step, get, set };
    Kind kind = Kind::step;
    UnitId unit;
    PortId port; ///< of get and set
};

/// What must come before what within one procedure (Hansen et al. 2022, Definition 4). Ports that
/// are not connected take no part.
struct OperationGraph {
    explicit OperationGraph(std::size_t size) : graph(size) {}

    std::vector<Operation> operations; ///< nodes of `graph`
    Graph graph;
    std::vector<std::optional<std::uint32_t>>
        source_of; ///< by node: the get that a set takes its value from
};

/// Rules 1 to 5: connection; step before get; reactive set before step; step before delayed set;
/// feed-through set before get.
OperationGraph step_graph(const scenario::System& system);

/// The same without steps: connections and the feed-through of initialization.
OperationGraph initialization_graph(const scenario::System& system);

} // namespace rubato::synthesis
