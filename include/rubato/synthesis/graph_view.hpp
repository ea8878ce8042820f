// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/id.hpp>
#include <rubato/scenario/system.hpp>
#include <rubato/synthesis/synthesize.hpp>

#include <optional>
#include <string_view>
#include <vector>

/// The operation graph, for people: what must come before what within one procedure, and why.
namespace rubato::synthesis {

/// A node of the operation graph. The order of the kinds is the order in which operations that are
/// ready together are written down.
struct Operation {
    enum class Kind : std::uint8_t {
        step,
        get,
        set,
        agreement, ///< not an operation: the point at which the step is agreed upon
        update,    ///< of a unit with event mode, at the end of an instant
    };
    Kind kind = Kind::step;
    UnitId unit; ///< of all but the agreement
    PortId port; ///< of get and set
};

/// Why an operation comes before another: the items of Definitions 4 and 6 of Hansen, Gomes, Larsen
/// and van de Pol (2022), in their order; then those of clocks at events.
enum class Rule : std::uint8_t {
    connection,      ///< an output is read before the inputs that it feeds are set
    step_before_get, ///< a unit advances before its outputs are read
    set_before_step, ///< a reactive input is set before its unit advances
    step_before_set, ///< a delayed input is set after its unit has advanced
    feedthrough,     ///< an input is set before an output that it acts on is read
    same_step,       ///< units that a rejected step takes back are bound to each other
    agreed_first,    ///< and come before all others
    clock_first,     ///< a clock is got or set before what it clocks, an input clock before outputs
    update_last,     ///< all is exchanged before a unit ends the instant
};
/// "connection", "step before get", …
std::string_view to_string(Rule rule);

/// The graph that a procedure is derived from. Ports that are not connected take no part.
///
/// Units bound by Rule::same_step form a ring, and those that come after them wait for one node of
/// kind agreement: the same components as with an edge between every two, with far fewer edges.
struct GraphView {
    struct Node {
        Operation operation;
        std::optional<std::size_t> loop; ///< index into `loops`
    };
    struct Edge {
        std::size_t from = 0; ///< indices into `nodes`
        std::size_t to = 0;
        Rule rule = Rule::connection;
        bool guessed = false; ///< the input is guessed: this edge does not make it wait
    };

    std::vector<Node> nodes; ///< steps first, in the order of units
    std::vector<Edge> edges; ///< those that are neither guessed nor of same_step make no cycle
    std::vector<Loop> loops; ///< the strongly connected components that are more than an operation
};

/// Which graph of a system.
struct GraphChoice {
    enum class Procedure : std::uint8_t { step, initialization, event };
    Procedure procedure = Procedure::step;
    std::size_t configuration =
        0; ///< of the step or event; initialization takes place in the first one
};

/// The graph that `synthesize` derives this procedure from with the same options. A system without
/// configurations counts as one configuration.
GraphView view_graph(const scenario::System& system, const SynthesisOptions& options,
                     GraphChoice choice = {});

} // namespace rubato::synthesis
