// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "yaml_tree.hpp"

#include <rubato/scenario/scenario.hpp>

namespace rubato::scenario::yaml {

/// Reads `- a.y -> b.u` and `- a.y -> b.u: {factor: 2, offset: 1}`.
std::vector<Connection> read_connections(Reporter& reporter, const Node& node);

} // namespace rubato::scenario::yaml
