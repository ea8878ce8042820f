// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/assembly.hpp>
#include <rubato/report/diagram.hpp>
#include <rubato/synthesis/graph_view.hpp>

#include <optional>
#include <string>

namespace rubato::pipeline {

/// Which operation graph of a scenario is meant.
struct GraphChoice {
    std::string of = "step";                       ///< or "initialization", "event"
    std::optional<std::string> configuration = {}; ///< none: the first
};

/// An operation graph and its drawing.
struct OperationGraph {
    scenario::System system; ///< in the configuration
    synthesis::GraphView view;
    report::Diagram diagram;
};

/// Throws InputError if there is no such configuration or procedure.
OperationGraph draw_graph(const Assembly& assembly, const GraphChoice& choice);

/// Units and connections: a box for each unit, an arrow for each pair that is connected.
report::Diagram draw_system(const Assembly& assembly);

} // namespace rubato::pipeline
