// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree.hpp"

#include <rubato/scenario/scenario.hpp>

namespace rubato::scenario::formats {

/// Reads `- a.y -> b.u` and `- a.y -> b.u: {factor: 2, offset: 1}`.
std::vector<Connection> read_connections(Reporter& reporter, const Node& node);

/// Reads a list of `a.y -> b.u`, called `path` in messages.
std::vector<Connection> read_plain_connections(Reporter& reporter, const std::string& path,
                                               const Node& node);

/// Reads `a.y -> b.u`; `path` is what it is called in messages. nullopt: it is none, which has been
/// reported.
std::optional<Connection> read_plain_connection(Reporter& reporter, const std::string& path,
                                                const Node& node);

} // namespace rubato::scenario::formats
