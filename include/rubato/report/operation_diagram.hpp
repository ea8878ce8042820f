// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/diagram.hpp>
#include <rubato/scenario/system.hpp>
#include <rubato/synthesis/graph_view.hpp>

namespace rubato::report {

/// The operation graph: a box for each operation, an arrow for each edge, and around each loop a
/// frame in the colour of its kind. Connections to guessed inputs are dashed. `system` is the one
/// that the view is of, in its configuration.
Diagram draw_operations(const synthesis::GraphView& view, const scenario::System& system);

} // namespace rubato::report
